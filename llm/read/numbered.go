package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// piece is something that a model may name by its number.
type piece struct {
	text string // as the model sees it
	span        // what it stands for; several pieces may stand for one long block
}

const (
	maxPieceTokens = 200 // of a piece; longer ones are cut, and shown as several
	// minPackTokens leave room for one piece, whatever its indents.
	minPackTokens = 2 * maxPieceTokens
)

// lined is a piece with its number. Further lines are indented, so that none looks like a piece.
func (p piece) lined(number int) string {
	return fmt.Sprintf("[%d] %s\n", number, strings.ReplaceAll(strings.TrimSpace(p.text), "\n", "\n    "))
}

// asPieces cuts a text into pieces that all stand for the span whole or, if that is nil, each for
// itself; from is where the text begins in the page.
func asPieces(text string, from int, whole *span) []piece {
	var all []piece
	for _, part := range llm.Split(text, maxPieceTokens, 0) {
		p := piece{text: part, span: span{from, from + len(part)}}
		if whole != nil {
			p.span = *whole
		}
		from += len(part)
		if strings.TrimSpace(part) != "" {
			all = append(all, p)
		}
	}
	return all
}

// packs writes numbered pieces into texts of at most limit tokens, which is minPackTokens or more.
// Each text but the first begins with the last two pieces of the one before, unless that is much.
func packs(pieces []piece, limit int) []string {
	again := 2
	if limit < 4*minPackTokens {
		again = 0
	}
	var all []string
	var b strings.Builder
	used, since := 0, 0
	for i := 0; i < len(pieces); i++ {
		text := pieces[i].lined(i)
		tokens := llm.Tokens(text)
		if used+tokens > limit && since > again {
			all = append(all, b.String())
			b.Reset()
			used, since = 0, 0
			i -= again + 1
			continue
		}
		b.WriteString(text)
		used, since = used+tokens, since+1
	}
	if b.Len() > 0 {
		all = append(all, b.String())
	}
	return all
}

// choose has the model name pieces of all texts. Numbers that no piece has are left out.
func (j job) choose(ctx context.Context, texts []string, pieces int) (map[int]bool, error) {
	chosen := map[int]bool{}
	lists, err := llm.Each(ctx, 0, texts, func(ctx context.Context, _ int, text string) ([]int, error) {
		var said struct{ Numbers []int }
		_, err := j.json(ctx, text, &said)
		return said.Numbers, err
	})
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		for _, n := range list {
			if n >= 0 && n < pieces {
				chosen[n] = true
			}
		}
	}
	return chosen, nil
}

// numbers is the form of an answer that names pieces.
func numbers() (*llm.Schema, error) {
	return form(`{"type":"object","properties":{"numbers":{"type":"array","items":{"type":"integer","minimum":-2147483648,"maximum":2147483647}}},
		"required":["numbers"]}`)
}
