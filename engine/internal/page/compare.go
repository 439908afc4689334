package page

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/judge"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// Comparison is how much more of a page a browser showed than HTTP gave.
type Comparison struct {
	// Words of the rendered page's main content, and how many of them HTTP's page has nowhere.
	Words, Missed int
	// Filled is how many of the places were filled that the scripts of the page fill.
	Filled int
	// Links of the rendered page to its own site, and how many of them HTTP's page doesn't have.
	Links, NewLinks int
	// Changed is how many words of the main content the browser's page doesn't have: clocks and counters.
	Changed int
}

// Bounds of what is no content: clocks, counters, labels that scripts put on buttons.
const (
	fewMissed      = 2     // words
	littleMissed   = 0.005 // of the words
	littleNewLinks = 0.02  // of the links
)

// More reports whether the browser showed more.
func (c Comparison) More() bool {
	if c.Filled > 0 && c.Missed > 0 {
		return true
	}
	if added := c.Missed - c.Changed; float64(added) > max(fewMissed, littleMissed*float64(c.Words)) {
		return true
	}
	return float64(c.NewLinks) > max(1, littleNewLinks*float64(c.Links))
}

// String says how much of the page HTTP had.
func (c Comparison) String() string {
	return fmt.Sprintf("HTTP had %.2f of the text and %.2f of the links", share(c.Words-c.Missed, c.Words), share(c.Links-c.NewLinks, c.Links))
}

// texts are what two versions of a page are compared by.
type texts struct {
	main, all map[string]int // words
	links     []string
	holes     []formats.Hole
}

func textsOf(ctx context.Context, p *Page) (t texts, err error) {
	d, err := p.Parse(ctx)
	if err != nil {
		return t, err
	}
	main, errMain := d.MainText(ctx)
	all, errAll := d.Text(ctx)
	links, errLinks := d.Links(ctx)
	holes, errHoles := d.Holes(ctx)
	return texts{words(main), words(all), links, holes}, errors.Join(errMain, errAll, errLinks, errHoles)
}

func words(s string) map[string]int {
	n := map[string]int{}
	for w := range strings.FieldsSeq(s) {
		n[w]++
	}
	return n
}

// Compare compares the two versions of a page. places are those that its scripts fill.
func Compare(ctx context.Context, plain, rendered *Page, places []judge.Place) (c Comparison, err error) {
	had, err := textsOf(ctx, plain)
	if err != nil {
		return c, err
	}
	shown, err := textsOf(ctx, rendered)
	if err != nil {
		return c, err
	}
	c.Words, c.Missed = missing(shown.main, had.all)
	_, c.Changed = missing(had.main, shown.all)
	c.Filled = filled(places, shown.holes)
	if _, anywhere := missing(shown.all, had.all); c.Filled > 0 {
		c.Missed = max(c.Missed, anywhere) // a place may be beside the main content
	}
	c.Links, c.NewLinks = newLinks(rendered.URL, shown.links, had.links)
	return c, nil
}

// missing counts words, and those of them that others don't have.
func missing(words, others map[string]int) (all, gone int) {
	for w, n := range words {
		all, gone = all+n, gone+max(0, n-others[w])
	}
	return all, gone
}

// filled counts the places that are no holes of the rendered page.
func filled(places []judge.Place, left []formats.Hole) (n int) {
	for _, p := range places {
		if !slices.ContainsFunc(left, func(h formats.Hole) bool { return h.Name == p.Name }) {
			n++
		}
	}
	return n
}

// newLinks counts the links to a page's own site, and those of them that others don't have.
func newLinks(page string, links, others []string) (all, added int) {
	site, known := weburl.Registrable(weburl.Hostname(page)), make(map[string]bool, len(others))
	for _, href := range others {
		known[href] = true
	}
	for _, href := range links {
		if weburl.Registrable(weburl.Hostname(href)) != site {
			continue
		}
		if all++; !known[href] {
			added++
		}
	}
	return all, added
}

func share(found, total int) float64 {
	if total == 0 {
		return 1
	}
	return float64(found) / float64(total)
}
