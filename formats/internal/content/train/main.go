// Command train fits what package content has learnt, from samples of pages whose main content is known (see package
// sample), and writes it with the figures it gave:
//
//	go run ./formats/internal/content/train -out formats/internal/content/learnt.json FOLDER/wcxb-dev FOLDER/wcxb-dev2
//
// It is run after a change of the rules or of the features.
//
// The same samples give the same file. Pages are kept apart as a whole: each is judged by models that were fitted without it. With -held, a
// file of ids, these pages are used for nothing but a last line of figures, and are in no model. It takes some minutes of one processor.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/winnow-go/winnow/formats/internal/content"
)

func main() {
	held := flag.String("held", "", "file of ids of pages that nothing is learnt from")
	out := flag.String("out", "", "file to write; none when it is empty")
	flag.Parse()
	if err := run(context.Background(), flag.Args(), *held, *out); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, folders []string, held, out string) error {
	if len(folders) == 0 {
		return errors.New("no folder of a sample is named")
	}
	apart, err := idsOf(held)
	if err != nil {
		return err
	}
	var pages, untouched []*page
	for _, folder := range folders {
		in, not, err := read(ctx, folder, apart)
		if err != nil {
			return err
		}
		pages, untouched = append(pages, in...), append(untouched, not...)
	}
	learnt := learn(pages, untouched)
	for _, key := range figureKeys {
		if text, ok := learnt.Figures[key]; ok {
			fmt.Printf("%s: %s\n", key, text)
		}
	}
	if out == "" {
		return nil
	}
	data, err := json.Marshal(learnt)
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(data, '\n'), 0o644)
}

func idsOf(file string) (map[string]bool, error) {
	ids := make(map[string]bool)
	if file == "" {
		return ids, nil
	}
	data, err := os.ReadFile(file)
	for id := range strings.FieldsSeq(string(data)) {
		ids[id] = true
	}
	return ids, err
}

// learn fits the models on pages and says what they give there, each page judged by models without it, and on untouched ones.
func learn(pages, untouched []*page) *content.Learnt {
	figures := map[string]string{"pages": fmt.Sprint(len(pages), " of ", len(pages)+len(untouched))}
	figures["rules"] = scores(pages, func(p *page) []bool { return p.example.Rules })
	crossJudge(pages)
	figures["learnt, cross-validated"] = scores(pages, func(p *page) []bool { return p.kept })
	crossTrust(pages)
	figures["confidence, cross-validated"] = trust(pages)
	l := &content.Learnt{Figures: figures, Blocks: fitBlocks(pages), Pages: fitPages(pages)}
	if len(untouched) == 0 {
		return l
	}
	for _, p := range untouched {
		p.judge(l.Blocks)
		p.confidence = l.Pages.Probability(p.features)
	}
	figures["rules, untouched pages"] = scores(untouched, func(p *page) []bool { return p.example.Rules })
	figures["learnt, untouched pages"] = scores(untouched, func(p *page) []bool { return p.kept })
	figures["confidence, untouched pages"] = trust(untouched)
	return l
}

// figureKeys are the figures in the order they are printed.
var figureKeys = []string{
	"pages", "rules", "learnt, cross-validated", "confidence, cross-validated", "rules, untouched pages", "learnt, untouched pages", "confidence, untouched pages",
}
