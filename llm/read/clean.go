package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/llm"
)

// maxDropped is the share of a page's letters and digits that cleaning may take away.
const maxDropped = 0.7

const tooLongToClean = "the page is too long for the model to clean; it is returned unchanged"

const shownBlock = 300 // tokens of a block that the model receives

// Clean removes from a page's markdown what a model identifies as remains of its surroundings:
// cookie banners, advertising, share buttons, breadcrumbs, newsletter sign-ups, comments, related
// articles. The rest is unchanged, byte for byte: the model names blocks by number and writes
// no text. A heading goes only with all of its section, and so do a table and a code block. A
// block that isn't in p.Seen goes only with its section. A page isn't cleaned in parts: if it
// is longer than the model's answer may be (Info.Output) or than the model supports it is returned as it
// is, with a warning, and so is one of which the model would remove most of the text.
func Clean(ctx context.Context, m llm.Model, p Page) (string, []string, error) {
	found := blocks(p.Text)
	if len(found) == 0 {
		return p.Text, nil, nil
	}
	s, err := numbers()
	if err != nil {
		return "", nil, err
	}
	j := job{m: m, p: p, task: cleanTask, schema: s, label: "numbered page"}
	unseen := unseenBlocks(p, found)
	shown := numberedBlocks(p.Text, found, unseen)
	if shown == "" {
		return p.Text, nil, nil
	}
	if !cleanable(j, p.Text, shown) {
		return p.Text, []string{tooLongToClean}, nil
	}
	named, err := j.choose(ctx, []string{shown}, len(found))
	if tooLong(err) {
		return p.Text, []string{tooLongToClean}, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("clean: %w", err)
	}
	text, warnings := without(p.Text, found, droppable(found, named, unseen))
	return text, warnings, nil
}

func cleanable(j job, text, shown string) bool {
	input, _ := j.room()
	output := j.m.Info().Output
	return llm.Tokens(shown) <= input && (output <= 0 || llm.Tokens(text) <= output)
}

// unseenBlocks are those that readers of the page don't see, or not as they are.
func unseenBlocks(p Page, found []block) map[int]bool {
	unseen := map[int]bool{}
	if p.Seen == "" {
		return unseen
	}
	has := countBlocks(p.Seen)
	for i, b := range found {
		body := strings.TrimSpace(p.Text[b.start:b.body])
		has[body]--
		unseen[i] = has[body] < 0
	}
	return unseen
}

// numberedBlocks is the page as the model sees it; of a long block the beginning and the end.
func numberedBlocks(text string, found []block, unseen map[int]bool) string {
	var b strings.Builder
	for i, at := range found {
		if unseen[i] {
			continue
		}
		shown := strings.TrimSpace(text[at.start:at.body])
		if parts := llm.Split(shown, shownBlock, 0); len(parts) > 2 {
			shown = parts[0] + "\n…\n" + parts[len(parts)-1]
		}
		b.WriteString(piece{text: shown}.lined(i))
	}
	return b.String()
}

// droppable are those of the named blocks that may go.
func droppable(found []block, named, unseen map[int]bool) map[int]bool {
	gone := map[int]bool{}
	for i, b := range found {
		switch {
		case unseen[i]: // the model didn't receive it
		case b.kind == heading && named[i]:
			if end := sectionEnd(found, i); allNamed(named, unseen, i, end) {
				for n := i; n < end; n++ {
					gone[n] = true
				}
			}
		case b.kind != heading && b.kind != table && b.kind != code && named[i]:
			gone[i] = true
		}
	}
	return gone
}

// sectionEnd is the block after the section that a heading opens.
func sectionEnd(found []block, at int) int {
	end := at + 1
	for end < len(found) && (found[end].kind != heading || found[end].level > found[at].level) {
		end++
	}
	return end
}

func allNamed(named, unseen map[int]bool, from, to int) bool {
	for i := from; i < to; i++ {
		if !named[i] && !unseen[i] {
			return false
		}
	}
	return true
}

// without leaves blocks out, unless too little would stay.
func without(text string, found []block, gone map[int]bool) (string, []string) {
	if len(gone) == 0 {
		return text, nil
	}
	var b strings.Builder
	total, dropped, content := 0, 0, false
	for i, at := range found {
		part := text[at.start:at.end]
		n := weight(part)
		total += n
		if gone[i] {
			dropped += n
			continue
		}
		content = content || at.kind != heading && at.kind != rule
		b.WriteString(part)
	}
	if !content || float64(dropped) > maxDropped*float64(total) {
		return text, []string{"the model would have removed most of the page; it is returned unchanged"}
	}
	return b.String(), nil
}
