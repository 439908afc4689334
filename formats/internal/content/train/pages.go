package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/content/sample"
	"github.com/winnow-go/winnow/formats/internal/content/trees"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/parse"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// page is one page of a sample.
type page struct {
	sample, id, kind string
	reference        []string   // words of the main content
	words            [][]string // of each block
	example          *content.Example
	right            []float64 // share of each block's words that are of the main content

	kept       []bool    // by a model that was learnt without this page
	features   []float32 // of the page, with these
	confidence float64
}

// read gives the pages of a sample, those that are held apart by themselves.
func read(ctx context.Context, folder string, apart map[string]bool) (pages, held []*page, err error) {
	for s, err := range sample.Read(folder) {
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.ID, err)
		}
		p, err := pageOf(ctx, filepath.Base(folder), s)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", s.ID, err)
		case apart[s.ID]:
			held = append(held, p)
		default:
			pages = append(pages, p)
		}
	}
	return pages, held, nil
}

func pageOf(ctx context.Context, from string, s sample.Page) (_ *page, err error) {
	steps := walk.New(ctx)
	defer steps.Catch(&err)
	doc, err := parse.Document(steps, s.HTML, new(nodes.Room))
	if err != nil {
		return nil, err
	}
	tree := content.NewTree(steps, doc)
	p := &page{sample: from, id: s.ID, kind: s.Type, reference: sample.Tokens(s.Reference), example: tree.Example(content.UnseenMask(tree))}
	for _, text := range p.example.Texts {
		p.words = append(p.words, sample.Tokens(text))
	}
	p.right = rightShares(p.words, p.reference)
	return p, nil
}

// examples are the blocks of a page to learn from. They weigh as much as they matter to its F1: by their words, as a share of what is
// of the main content or was kept by the rules.
func (p *page) examples() []trees.Example {
	var list []trees.Example
	whole := 1.0
	for k := range p.words {
		n := weightOf(p.words[k])
		part := p.right[k]
		if p.example.Rules[k] {
			part++
		}
		whole += n * (0.1 + min(1, part))
		list = append(list, trees.Example{Features: p.example.Features[k], Yes: p.right[k], Weight: n})
	}
	for k := range list {
		list[k].Weight *= weightOfPage / whole
	}
	return list
}

// weightOfPage is how much a page weighs as a whole, about.
const weightOfPage = 300

// judge decides about the blocks of a page by a model.
func (p *page) judge(m *trees.Model) {
	likely := make([]float64, len(p.words))
	for k := range likely {
		likely[k] = m.Probability(p.example.Features[k])
	}
	p.kept, p.features = p.example.Judge(likely)
}

// f1 is that of the words of the blocks that are kept.
func (p *page) f1(kept []bool) float64 {
	count := make(map[string]int)
	for _, w := range p.reference {
		count[w]++
	}
	words, right := 0, 0
	for k, list := range p.words {
		if !kept[k] {
			continue
		}
		words += len(list)
		for _, w := range list {
			if count[w] > 0 {
				count[w]--
				right++
			}
		}
	}
	return 2 * float64(right) / float64(max(words+len(p.reference), 1))
}
