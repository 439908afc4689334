package tracking

import (
	"context"
	"iter"
	"strings"
)

// BlockKind is what a block of a page is.
type BlockKind uint8

// The kinds of blocks. Code is a line of fenced code, or a fence.
const (
	Paragraph BlockKind = iota
	Heading
	Item
	Row
	Code
)

// Block is a line of the normalised form: with its markers of quotes, lists and headings.
type Block struct {
	Kind BlockKind
	Text string
}

// Blocks returns the blocks of a markdown text in its normalised form, in order: two texts that are [Same] have the same blocks.
func Blocks(text string) (blocks []Block) {
	var open *fence
	for line := range strings.Lines(normal(text)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" && open == nil {
			continue
		}
		blocks = append(blocks, blockOf(line, &open))
	}
	return blocks
}

func blockOf(line string, open **fence) Block {
	_, rest := quotes(line, len(line))
	bare := strings.TrimLeft(rest, " ")
	if *open != nil {
		if (*open).closes(bare) {
			*open = nil
		}
		return Block{Code, line}
	}
	if f, fenced := fenceOf(bare); fenced {
		*open = &f
		return Block{Code, line}
	}
	switch {
	case bare == "":
	case bare[0] == '|':
		return Block{Row, line}
	case heading(bare):
		return Block{Heading, line}
	case markerLength(bare) > 0 && !rule(bare):
		return Block{Item, line}
	}
	return Block{Paragraph, line}
}

// Prose returns the parts of a line in order, and of each whether it is a span of code.
func Prose(line string) iter.Seq2[string, bool] { return spans(line) }

// Region is a place where lines From..FromEnd of one list stand for lines To..ToEnd of another; either may be empty, not both.
type Region struct{ From, FromEnd, To, ToEnd int }

// Align returns the places where two lists of lines differ, in order, as [Diff] finds them. Lines hold no line breaks. The error is the
// context's.
func Align(ctx context.Context, before, after []string) (regions []Region, err error) {
	from, to := joined(before), joined(after)
	if large(from) || large(to) {
		return regionsOf(whole(from, to)), ctx.Err()
	}
	s := anchored(from, to)
	if err := s.refine(ctx); err != nil {
		return nil, err
	}
	return regionsOf(s), nil
}

func joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func regionsOf(s *script) (regions []Region) {
	for r, more := s.next(0, 0); more; r, more = s.next(r.x1, r.y1) {
		regions = append(regions, Region{r.x0, r.x1, r.y0, r.y1})
	}
	return regions
}
