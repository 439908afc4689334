package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine"
)

// row is a page in the index.
type row struct {
	file, title, url string
	status           int
}

// index holds the pages of a crawl. The crawl's limit bounds it.
type index struct {
	rows   map[string]row // by file
	failed []engine.JobError
	denied []engine.Denied

	changes int // of a crawl that comes again
}

func newIndex() *index { return &index{rows: map[string]row{}} }

func (x *index) add(r row) {
	r.title = short(cmp.Or(r.title, r.url))
	x.rows[r.file] = r
}

// summary is the index in one line.
func (x *index) summary() string {
	left := 0
	for _, d := range x.denied {
		left += d.Count
	}
	return fmt.Sprintf("%d pages, %d failed, %d left out", len(x.rows), len(x.failed), left)
}

// render returns the index as markdown. Everything is sorted, and no time is written:
// the same site gives the same index.
func (x *index) render(status engine.JobStatus) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\n%s: %s.\n", escaped(status.URL), status.State, x.summary())
	if status.Error != "" {
		fmt.Fprintf(&b, "\n%s\n", escaped(short(status.Error)))
	}
	fmt.Fprint(&b, "\n| Page | URL | Status |\n|---|---|---|\n")
	for _, r := range slices.SortedFunc(maps.Values(x.rows), func(a, b row) int { return cmp.Compare(a.url, b.url) }) {
		fmt.Fprintf(&b, "| [%s](%s) | %s | %d |\n", escaped(r.title), r.file, link(r.url), r.status)
	}
	x.renderFailed(&b)
	x.renderDenied(&b)
	return b.Bytes()
}

func (x *index) renderFailed(b *bytes.Buffer) {
	if len(x.failed) > 0 {
		fmt.Fprint(b, "\n## Failed\n\n")
	}
	for _, f := range slices.SortedFunc(slices.Values(x.failed), func(a, b engine.JobError) int { return cmp.Compare(a.URL, b.URL) }) {
		why := strings.TrimPrefix(f.Error, "scrape "+f.URL+": ")
		fmt.Fprintf(b, "- %s: %s\n", link(f.URL), escaped(short(why)))
	}
}

// maxDenied bounds the URLs that are listed for one reason.
const maxDenied = 100

func (x *index) renderDenied(b *bytes.Buffer) {
	if len(x.denied) > 0 {
		fmt.Fprint(b, "\n## Left out\n")
	}
	for _, d := range x.denied {
		fmt.Fprintf(b, "\n`%s` (%d):\n\n", d.Reason, d.Count)
		urls := slices.Sorted(slices.Values(d.URLs))
		for _, u := range urls[:min(len(urls), maxDenied)] {
			fmt.Fprintf(b, "- %s\n", link(u))
		}
		if more := d.Count - min(len(urls), maxDenied); more > 0 {
			fmt.Fprintf(b, "- and %d more\n", more)
		}
	}
}
