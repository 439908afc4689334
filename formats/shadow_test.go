package formats

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse_declaredShadowTreesAreFlattened(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"slots": {`<x-card><template shadowrootmode="open"><style>b{}</style><b><slot name="title">none</slot></b><slot></slot><i><slot name="x">fallback</slot></i></template><span slot="title">T</span>rest <a href="/a">a</a></x-card><p>after</p>`,
			`<x-card><b><slot name="title"><span slot="title">T</span></slot></b><slot>rest <a href="https://example.com/a">a</a></slot><i><slot name="x">fallback</slot></i></x-card><p>after</p>`},
		"what has no slot is not shown": {`<x-a><template shadowrootmode="open">shown</template>hidden</x-a>`, `<x-a>shown</x-a>`},
		"a slot of the outer tree in an inner host": {`<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="closed"><em><slot></slot></em></template><slot></slot></x-b></template>deep</x-a>`,
			`<x-a><x-b><em><slot><slot>deep</slot></slot></em></x-b></x-a>`},
		"a host in a slot":          {`<x-a><template shadowrootmode="open"><slot></slot></template><x-b><template shadowrootmode="open">in b</template></x-b></x-a>`, `<x-a><slot><x-b>in b</x-b></slot></x-a>`},
		"the first of two slots":    {`<x-a><template shadowrootmode="open"><slot></slot>|<slot>other</slot></template>x</x-a>`, `<x-a><slot>x</slot>|<slot>other</slot></x-a>`},
		"other templates are not":   {`<div><template>t</template><template shadowrootmode="x">t</template>d</div>`, `<div>d</div>`},
		"blanks leave what's there": {`<x-a><template shadowrootmode="open"><slot>there</slot></template>  </x-a>`, `<x-a><slot>there</slot></x-a>`},
	} {
		out := render(t, mustParse(t, c.body, "text/html"), Options{}, HTML, RawHTML)
		if got := strings.TrimSuffix(strings.TrimPrefix(out.HTML, "<html><body>"), "</body></html>"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
		if out.RawHTML != c.body {
			t.Errorf("%s: rawHtml is not the body", name)
		}
	}
}

func TestParse_shadowTreesInShadowTreesStayBounded(t *testing.T) {
	const open = `<x-a><template shadowrootmode="open"><b><b><b><slot></slot></b></b></b></template>`
	d := mustParse(t, strings.Repeat(open, 20_000)+"core", "text/html")
	if deepest := depthOf(d); deepest > 3*512 {
		t.Errorf("%d deep", deepest)
	}
}

func TestSelectors_iframeMeansInlinedFramesToo(t *testing.T) {
	for in, want := range map[string]string{
		"iframe":                       `div[data-original-tag="iframe"]`,
		"p, main > IFRAME.wide:not(x)": `p, main > div[data-original-tag="iframe"].wide:not(x)`,
		`iframe[src*="a"] a`:           `div[data-original-tag="iframe"][data-src*="a"] a`,
		":not(iframe)":                 `:not(div[data-original-tag="iframe"])`,
		`[title="iframe x"]`:           `[title="iframe x"]`,
		".iframe":                      ".iframe",
		"#iframe":                      "#iframe",
		"x-iframe":                     "x-iframe",
		"iframes":                      "iframes",
		"p":                            "p",
	} {
		if got := inlinedFrames(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	const body = `<p>top</p><iframe src="/kept"></iframe><div data-original-tag="iframe" data-src="https://f.example/x"><p>in the frame</p></div><div>other</div>`
	d := mustParse(t, body, "text/html")
	o := Options{ExcludeTags: []string{"iframe"}, Selectors: []Selector{{"iframe", "src"}}}
	if got := render(t, d, o, HTML).HTML; got != "<html><body><p>top</p><div>other</div></body></html>" {
		t.Errorf("excluded: got %s", got)
	}
	if got := render(t, d, Options{IncludeTags: []string{`iframe[src*="f.example"] p`}}, HTML).HTML; got != "<html><body><p>in the frame</p></body></html>" {
		t.Errorf("included: got %s", got)
	}
	o.ExcludeTags = nil
	if got := lines(render(t, d, o, Attributes).Attributes[0].Values); got != "https://example.com/kept\nhttps://f.example/x\n" {
		t.Errorf("attributes: got %s", got)
	}
}

// depthOf is how deep a page nests.
func depthOf(d *DOM) int {
	tree, _ := d.list()
	deepest := 0
	var ends []int // of the nodes that are open
	for i := range tree.Len() {
		for len(ends) > 0 && ends[len(ends)-1] <= i {
			ends = ends[:len(ends)-1]
		}
		ends = append(ends, tree.End(i))
		deepest = max(deepest, len(ends))
	}
	return deepest
}

func FuzzShadow(f *testing.F) {
	const open = `<template shadowrootmode="open">`
	f.Add(`<x-a>` + open + `<slot name=a>x</slot><x-b>` + open + `<slot></slot></template><slot></slot></x-b></template><i slot=a>l</i>rest</x-a>`)
	f.Add(`<table><x-a>` + open + `<tr><td><slot>` + open + `</table></template></x-a><iframe src=x>`)
	f.Add(strings.Repeat(`<x-a>`+open+`<b><slot>`, 50))
	f.Fuzz(func(t *testing.T, body string) {
		o := Options{Selectors: []Selector{{"iframe", "src"}, {body, "x"}}}
		first := render(t, mustParse(t, body, "text/html"), o, HTML, Links, Images, Attributes)
		d := mustParse(t, body, "text/html")
		if again := render(t, d, o, HTML, Links, Images, Attributes); !reflect.DeepEqual(again, first) {
			t.Errorf("got %+v, then %+v", first, again)
		}
		if n := depthOf(d); n > 3*512 {
			t.Errorf("%d deep", n)
		}
	})
}
