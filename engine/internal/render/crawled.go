package render

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"strings"

	"github.com/winnow-go/winnow/crawl/traps"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/formats"
)

// addPageLinks adds what a crawl looks at.
func (m *Output) addPageLinks(ctx context.Context, src *page.Page, dom *formats.DOM) error {
	links, err := dom.Links(ctx)
	if err != nil {
		return err
	}
	blocks, err := dom.Blocks(ctx)
	if err != nil {
		return err
	}
	m.PageLinks, m.Sketch, m.PageSum = &links, new(traps.Of(src.URL, textsOf(src, blocks))), sumOf(blocks)
	return nil
}

// textsOf are the texts of blocks, folded: of HTML they are.
func textsOf(src *page.Page, blocks []formats.Block) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, b := range blocks {
			if !src.IsHTML() {
				b.Text = strings.Join(strings.Fields(b.Text), " ")
			}
			if !yield(b.Text) {
				return
			}
		}
	}
}

// sumOf is the same for pages that show the same: of addresses the queries don't count, in which there may be a session's id.
func sumOf(blocks []formats.Block) string {
	h := sha256.New()
	w := bufio.NewWriter(h)
	for _, b := range blocks {
		text := b.Text
		if b.IsAddress {
			text, _, _ = strings.Cut(text, "?")
		}
		_, _ = w.WriteString(text)
		_ = w.WriteByte('\n')
	}
	_ = w.Flush()
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func sumOfFile(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:16])
}
