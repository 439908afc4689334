package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/content/trees"
)

// folds is the number of parts of a sample, each judged by models of the others.
const folds = 5

// The settings were chosen by cross-validation on two thirds of both samples.
var (
	blockSettings = trees.Settings{Trees: 100, Leaves: 8, Rate: 0.1, Least: 60, Ridge: 30, Features: 0.4, Seed: 1}
	pageSettings  = trees.Settings{Trees: 60, Leaves: 4, Rate: 0.08, Least: 20, Ridge: 5, Features: 0.5, Seed: 1}
)

// weightOf is how much a block weighs by its words.
func weightOf(words []string) float64 { return math.Pow(float64(len(words)), 0.8) }

func fitBlocks(pages []*page) *trees.Model {
	var all []trees.Example
	for _, p := range pages {
		all = append(all, p.examples()...)
	}
	return trees.Fit(content.FeatureNames(), all, blockSettings)
}

func fitPages(pages []*page) *trees.Model {
	var all []trees.Example
	for _, p := range pages {
		all = append(all, trees.Example{Features: p.features, Yes: p.f1(p.kept), Weight: 1})
	}
	return trees.Fit(content.PageFeatureNames(), all, pageSettings)
}

// parts splits pages into folds.
func parts(pages []*page, fold int) (in, out []*page) {
	for i, p := range pages {
		if i%folds == fold {
			out = append(out, p)
		} else {
			in = append(in, p)
		}
	}
	return in, out
}

// crossJudge has each page judged by a model of the other folds.
func crossJudge(pages []*page) {
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for fold := range folds {
		in, out := parts(pages, fold)
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			m := fitBlocks(in)
			for _, p := range out {
				p.judge(m)
			}
		})
	}
	all.Wait()
}

// crossTrust gives each page a confidence by a model of the other folds.
func crossTrust(pages []*page) {
	for fold := range folds {
		in, out := parts(pages, fold)
		m := fitPages(in)
		for _, p := range out {
			p.confidence = m.Probability(p.features)
		}
	}
}

// scores are the mean F1 of words by sample, and by type of page.
func scores(pages []*page, kept func(*page) []bool) string {
	sums, counts := make(map[string]float64), make(map[string]float64)
	for _, p := range pages {
		f := p.f1(kept(p))
		for _, key := range []string{p.sample, p.sample + " " + p.kind} {
			sums[key] += f
			counts[key]++
		}
	}
	var keys, texts []string
	for key := range sums {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		texts = append(texts, fmt.Sprintf("%s %.4f", key, sums[key]/counts[key]))
	}
	return strings.Join(texts, ", ")
}

// trust measures how true the confidences are: the area under the curve for pages under an F1 of 0.5, and the mean F1 by confidence.
func trust(pages []*page) string {
	better, pairs := 0.0, 0.0
	f1 := make(map[*page]float64)
	for _, p := range pages {
		f1[p] = p.f1(p.kept)
	}
	for _, bad := range pages {
		for _, good := range pages {
			if f1[bad] >= 0.5 || f1[good] < 0.5 {
				continue
			}
			pairs++
			switch {
			case bad.confidence < good.confidence:
				better++
			case bad.confidence == good.confidence:
				better += 0.5
			}
		}
	}
	return fmt.Sprintf("AUC %.3f for pages under F1 0.5; mean F1 by confidence: %s", better/max(pairs, 1), byConfidence(pages, f1))
}

func byConfidence(pages []*page, f1 map[*page]float64) string {
	var texts []string
	for low := 0.0; low < 1; low += 0.2 {
		sum, sure, n := 0.0, 0.0, 0.0
		for _, p := range pages {
			if p.confidence >= low && p.confidence < low+0.2 {
				sum += f1[p]
				sure += p.confidence
				n++
			}
		}
		if n > 0 {
			texts = append(texts, fmt.Sprintf("%.2f → %.2f (%.0f pages)", sure/n, sum/n, n))
		}
	}
	return strings.Join(texts, ", ")
}
