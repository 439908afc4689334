package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/toolloop"
	"github.com/winnow-go/winnow/llm"
)

// Note is something that was found.
type Note struct {
	// URL of the page that it is from.
	URL  string `json:"url"`
	Text string `json:"text"`
}

// Bounds of what is noted: of all notes and of one, in bytes, and of pages that are remembered as read.
const (
	maxNotes   = 200_000
	maxNote    = 8_000
	maxVisited = 1000
)

// note keeps a text; false: there is no room any more.
func (a *agent) note(address, text string) bool {
	size := len(text)
	for _, n := range a.state.Notes {
		size += len(n.Text)
	}
	if size > maxNotes {
		return false
	}
	a.state.Notes = append(a.state.Notes[:len(a.state.Notes):len(a.state.Notes)], Note{address, toolloop.Clip(text, maxNote)})
	return true
}

// visit remembers a page as read.
func (a *agent) visit(address string) {
	if !slices.Contains(a.state.Visited, address) && len(a.state.Visited) < maxVisited {
		a.state.Visited = append(a.state.Visited[:len(a.state.Visited):len(a.state.Visited)], address)
	}
}

func (a *agent) visited(address string) bool {
	return slices.ContainsFunc(a.state.Visited, func(v string) bool { return samePage(v, address) })
}

// notesText is all notes with their sources.
func notesText(notes []Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "From %s:\n%s\n\n", n.URL, n.Text)
	}
	return strings.TrimSpace(b.String())
}

// fencedNotes are the notes for a model, cut to at most so many tokens.
func (a *agent) fencedNotes(tokens int) string {
	text := notesText(a.state.Notes)
	if text == "" {
		return ""
	}
	if parts := llm.Split(text, tokens, 0); len(parts) > 1 {
		text = parts[0] + "\n[cut]"
	}
	return llm.Fence("notes", text)
}
