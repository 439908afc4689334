package fasttree

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// difference says where a tree is not the one of the other parser; "" where it is.
func difference(got, want *html.Node) string {
	for {
		switch {
		case got == nil && want == nil:
			return ""
		case got == nil || want == nil:
			return fmt.Sprintf("got %s, want %s", show(got), show(want))
		case got.Type != want.Type || got.Data != want.Data || got.DataAtom != want.DataAtom || got.Namespace != want.Namespace ||
			!slices.Equal(got.Attr, want.Attr):
			return fmt.Sprintf("got %s, want %s", show(got), show(want))
		}
		if d := linked(got); d != "" {
			return d
		}
		if d := difference(got.FirstChild, want.FirstChild); d != "" {
			return d + "\n\tin " + show(want)
		}
		got, want = got.NextSibling, want.NextSibling
	}
}

// linked says where the links of a node to its neighbours are wrong.
func linked(n *html.Node) string {
	var last *html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Parent != n || c.PrevSibling != last {
			return "wrong links of " + show(c)
		}
		last = c
	}
	if n.LastChild != last {
		return "wrong last child of " + show(n)
	}
	return ""
}

func show(n *html.Node) string {
	if n == nil {
		return "nothing"
	}
	return fmt.Sprintf("{%d %s:%.60q %.200q}", n.Type, n.Namespace, n.Data, fmt.Sprint(n.Attr))
}

// compare reports why a page is left to the other parser, and fails where its tree is another one.
func compare(t *testing.T, page []byte) (refused string) {
	t.Helper()
	got, refused := build(t.Context(), page, new(nodes.Room))
	if refused != "" {
		return refused
	}
	want, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Errorf("the other parser refuses it: %v", err)
		return ""
	}
	if d := difference(got, want); d != "" {
		t.Errorf("%.300q: %s", page, d)
	}
	return ""
}

func TestTree_pagesOfRandomTags(t *testing.T) {
	seed := rand.Uint64()
	random, made := rand.New(rand.NewPCG(seed, 1)), 0
	for range 20_000 {
		tags := make([]byte, 1+random.IntN(14))
		for i := range tags {
			tags[i] = byte(random.Uint32())
		}
		if compare(t, pageOf(tags)) == "" {
			made++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if made < 10_000 {
		t.Errorf("%d trees of 20,000: the others were left to the other parser", made)
	}
}

func TestTree_randomReferences(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 2))
	parts := strings.Fields(`& & & ; = # x X amp amp; quot; lt gt; nbsp nbsp; copy copy; not notit; fjlig; 38 0 128 x26; a é ? /`)
	for range 20_000 {
		var s strings.Builder
		for range 1 + random.IntN(8) {
			s.WriteString(parts[random.IntN(len(parts))])
		}
		page := fmt.Sprintf("<p>.%s<a href=\"%[1]s\" title='%[1]s' rel=_%[1]s>", s.String())
		if refused := compare(t, []byte(page)); refused != "" || t.Failed() {
			t.Fatalf("seed %d: %q is refused: %q", seed, page, refused)
		}
	}
}

func TestTree_isRefused(t *testing.T) {
	for page, want := range map[string]string{
		"<p>a\x00b":                           "NUL",
		"<table><tr>a":                        "moved out of a table",
		"<table><a href=/x><tr><td>b</table>": "moved out of a table",
		"<p>a<!-- b":                          "breaks off",
		"<p>a<i ":                             "breaks off",
		"<title>a":                            "breaks off",
		"<frameset><frame src=a></frameset>":  "frameset",
		"<svg><p>a":                           "HTML in svg",
		"<svg><title><b>a":                    "HTML in title",
		"<svg><![CDATA[a]]></svg>":            "CDATA",
		"<template>a":                         "template breaks off",
		"<script><!--<script></script>--></script>":                       "script in a comment",
		strings.Repeat("<div>", 600):                                      "deep",
		strings.Repeat("a<d>", 3) + strings.Repeat("long text</x>", 5000): "texts in pieces",
	} {
		if _, refused := build(t.Context(), []byte(page), new(nodes.Room)); refused != want {
			t.Errorf("%.60q: got %q, want %q", page, refused, want)
		}
	}
}

func TestTree_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := Tree(ctx, []byte("<p>a"), new(nodes.Room)); ok {
		t.Error("a tree after the end of its context")
	}
}

// TestTree_keepsNoPage: a text or value that is kept must not keep the bytes of the page.
func TestTree_keepsNoPage(t *testing.T) {
	page := []byte("<p title='some words'>other words")
	doc, ok := Tree(t.Context(), page, new(nodes.Room))
	if !ok {
		t.Fatal("refused")
	}
	for i := range page {
		page[i] = '!'
	}
	for n := range doc.Descendants() {
		if strings.Contains(n.Data, "!") || len(n.Attr) > 0 && n.Attr[0].Val != "some words" {
			t.Errorf("%s has the memory of its page", show(n))
		}
	}
}
