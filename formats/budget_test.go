package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// budget is what one page may take, some 15 % more than it did when this was written: allocations, and bytes for each byte of it.
type budget struct{ allocations, bytes float64 }

// TestBudget holds speed by figures that don't depend on the machine. Where a change makes one of them smaller, its budget follows.
func TestBudget(t *testing.T) {
	if raced {
		t.Skip("-race: the race detector allocates as well")
	}
	src := Source{URL: goldenURL, MediaType: "text/html", Body: budgetPage()}
	markdown := Options{Formats: []Type{Markdown}, OnlyMainContent: true}
	for _, c := range []struct {
		name string
		of   func(ctx context.Context, d *DOM) error
		budget
	}{
		{"parse", func(context.Context, *DOM) error { return nil }, budget{1200, 1.1}},
		{"metadata", func(ctx context.Context, d *DOM) error { _, err := d.Render(ctx, Options{}); return err }, budget{1210, 1.15}},
		{"signals", func(ctx context.Context, d *DOM) error { _, err := d.Signals(ctx); return err }, budget{1410, 1.3}},
		{"links", func(ctx context.Context, d *DOM) error {
			_, err := d.Render(ctx, Options{Formats: []Type{Links}})
			return err
		}, budget{1440, 1.95}},
		{"main content", func(ctx context.Context, d *DOM) error { _, err := d.IsArticle(ctx); d.mainMask(); return err }, budget{2040, 7.2}},
		{"markdown", func(ctx context.Context, d *DOM) error { _, err := d.Render(ctx, markdown); return err }, budget{5300, 11}},
	} {
		allocations, size := spent(t, func() error {
			d, err := Parse(t.Context(), src)
			if err != nil {
				return err
			}
			defer d.Free()
			return c.of(t.Context(), d)
		})
		size /= float64(len(src.Body))
		t.Logf("%s: %.0f allocations, %.2f bytes for each byte of %d", c.name, allocations, size, len(src.Body))
		if allocations > c.allocations || size > c.bytes {
			t.Errorf("%s: %.0f allocations and %.2f bytes for each byte, want at most %.0f and %.2f", c.name, allocations, size, c.allocations, c.bytes)
		}
	}
}

// budgetPage is an article of 43 kB with links, lists, tables and code, and with navigation around it.
func budgetPage() []byte {
	var b bytes.Buffer
	b.WriteString(`<!doctype html><html lang=en><head><title>The mill</title><meta name=description content="A page of the tests"></head><body><nav><ul>`)
	for i := range 20 {
		fmt.Fprintf(&b, `<li class=entry><a href="/part/%d">Part %[1]d</a>`, i)
	}
	b.WriteString(`</ul></nav><main class="content wide"><h1>The mill</h1>`)
	for i := 0; b.Len() < 43<<10; i++ {
		fmt.Fprintf(&b, `<p>The miller weighs <em>%d</em> sacks of barley before noon, and writes down what each of them brought; a clerk reads the list `+
			`aloud, <a href="/line/%[1]d?of=%[1]d">line %[1]d</a>, while others carry the grain to the upper floor, where it stays dry.</p>`, i)
		if i%8 == 7 {
			fmt.Fprintf(&b, `<h2 id=h%d>Grain &amp; sacks</h2><ul><li>one sack<li>two sacks</ul><table><tr><th>Grain<th>Sacks<tr><td>Barley<td>%[1]d</table>`+
				`<pre><code class=language-go>sacks := %[1]d</code></pre><img src="/sack.png" alt="A sack">`, i)
		}
	}
	b.WriteString(`</main><footer><p>Printed on recycled electrons.</footer></body></html>`)
	return b.Bytes()
}

// spent is what one of several runs allocates on the mean, the first one aside, and the smallest number of bytes that one does. The garbage
// collector is held off: it empties the pools of memory that pages pass on.
func spent(t *testing.T, run func() error) (allocations, size float64) {
	t.Helper()
	const runs = 10
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	allocations = testing.AllocsPerRun(runs, func() {
		if err := run(); err != nil {
			t.Fatal(err)
		}
	})
	size = math.Inf(1)
	for range runs {
		runtime.ReadMemStats(&before)
		if err := run(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		size = min(size, float64(after.TotalAlloc-before.TotalAlloc))
	}
	return allocations, size
}

// What came of a page that was freed stays, and the next page, in the same memory, is as it would be by itself.
func TestDOM_Free(t *testing.T) {
	o := Options{Formats: []Type{Markdown, HTML, RawHTML, Links, Images, Audio, Video, Product, Menu}, OnlyMainContent: true, LeftOut: true}
	files := corpusFiles(t)
	want, got := make([]reading, len(files)), make([]reading, len(files))
	for i, file := range files {
		body := corpusPage(t, strings.TrimPrefix(file, "testdata/"))
		want[i], _ = made(t, body, o)
		var d *DOM
		got[i], d = made(t, body, o)
		d.Free()
	}
	for i := range files {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("%s: got %+v\nwant %+v", files[i], got[i], want[i])
		}
	}
}

// reading is what is read of a page.
type reading struct {
	out     *Output
	blocks  []Block
	links   []string
	signals Signals
	text    string
	frames  []Frame
}

func made(t *testing.T, body string, o Options) (p reading, d *DOM) {
	t.Helper()
	d = mustParse(t, body, "text/html")
	var errs [6]error
	p.signals, errs[0] = d.Signals(t.Context())
	p.out, errs[1] = d.Render(t.Context(), o)
	p.blocks, errs[2] = d.Blocks(t.Context())
	p.links, errs[3] = d.Links(t.Context())
	p.text, errs[4] = d.VisibleText(t.Context())
	p.frames, errs[5] = d.Frames(t.Context())
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return p, d
}

// Links of the whole page need neither a list of its nodes nor its main content, and signals mostly no list either.
func TestRender_linksDoNotPayForMainContent(t *testing.T) {
	d := mustParse(t, string(budgetPage()), "text/html")
	mustSignals(t, d)
	out, err := d.Render(t.Context(), Options{Formats: []Type{Links}})
	if err != nil || len(out.Links) < 100 {
		t.Fatalf("%d links, %v", len(out.Links), err)
	}
	if d.tree != nil || d.found != nil {
		t.Error("a list was made, or main content found")
	}
	if out, err = d.Render(t.Context(), Options{Formats: []Type{Links}, OnlyMainContent: true}); err != nil || len(out.Links) < 100 || d.found == nil {
		t.Errorf("of the main content: %d links, %v, found: %t", len(out.Links), err, d.found != nil)
	}
}

// FuzzSignals compares the signals of a page with those of the same page of which there is a list.
func FuzzSignals(f *testing.F) {
	for _, name := range corpusFiles(f) {
		f.Add([]byte(corpusPage(f, strings.TrimPrefix(name, "testdata/"))))
	}
	f.Add([]byte(`<template><p>a</template><noscript>please enable JavaScript</noscript><svg><title>b</title></svg><input type=password><p>c`))
	f.Add([]byte(`<div id=root></div><p>beside it`))
	f.Fuzz(func(t *testing.T, page []byte) {
		bare, listed := mustParse(t, string(page), "text/html"), mustParse(t, string(page), "text/html")
		listed.list()
		if got, want := mustSignals(t, bare), mustSignals(t, listed); got != want {
			t.Errorf("got %+v\nwant %+v", got, want)
		}
	})
}

func mustSignals(t *testing.T, d *DOM) Signals {
	t.Helper()
	s, err := d.Signals(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
