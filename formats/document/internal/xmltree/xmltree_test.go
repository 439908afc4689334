package xmltree

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

const wNS = `xmlns:q="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`

func TestParse_namesHaveOnePrefixANamespace(t *testing.T) {
	n, err := Parse(t.Context(), []byte(`<q:a `+wNS+` q:val="1" plain="2" xmlns:z="urn:other" z:x="3"><q:b>t</q:b><z:c/><d xmlns="http://purl.oclc.org/ooxml/wordprocessingml/main"/></q:a>`))
	if err != nil {
		t.Fatal(err)
	}
	if n.Name != "w:a" || n.Kids[0].Name != "w:b" || n.Kids[1].Name != "?:c" || n.Kids[2].Name != "w:d" {
		t.Errorf("got %s %v", n.Name, n.Kids)
	}
	for name, want := range map[string]string{"w:val": "1", "val": "1", "plain": "2", "x": "3", "none": "", "w:x": ""} {
		if got := n.Attr(name); got != want {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if got := n.Find("w:b").Content(); got != "t" {
		t.Errorf("got %q", got)
	}
}

func TestNode_nilHasNothing(t *testing.T) {
	var n *Node
	n.All(func(*Node) { t.Error("visited") }, "x")
	if n.Attr("a") != "" || n.Find("a", "b") != nil || n.Content() != "" {
		t.Error("something")
	}
}

func TestParse_encodings(t *testing.T) {
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte("<a>ä</a>"))
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string][]byte{
		"utf-8":             []byte("<a>ä</a>"),
		"with a mark":       []byte("\xEF\xBB\xBF<a>ä</a>"),
		"declared":          []byte("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE4</a>"),
		"utf-16":            utf16,
		"declared wrongly":  []byte("<?xml version='1.0' encoding='UTF-16'?><a>ä</a>"),
		"unknown":           []byte("<?xml version='1.0' encoding='nothing'?><a>ä</a>"),
		"control character": []byte("<a>ä\x01</a>"),
	} {
		n, err := Parse(t.Context(), in)
		if err != nil || strings.TrimSpace(n.Content()) != "ä" {
			t.Errorf("%s: got %q, %v", name, n.Content(), err)
		}
	}
}

func TestParse_whatBreaksOffIsKept(t *testing.T) {
	n, err := Parse(t.Context(), []byte("<a><b>one</b><b>tw"))
	if err == nil || n.Content() != "onetw" {
		t.Errorf("got %q, %v", n.Content(), err)
	}
	if _, err := Parse(t.Context(), nil); err == nil {
		t.Error("no error for nothing")
	}
}

func TestParse_bounds(t *testing.T) {
	if _, err := Parse(t.Context(), []byte(strings.Repeat("<a>", maxDepth+1))); !errors.Is(err, ErrLimit) {
		t.Errorf("depth: got %v", err)
	}
	if _, err := New(t.Context(), []byte("<a>"+strings.Repeat("<b/>", 1000))).Within(100_000).Root(); !errors.As(err, new(*MemoryError)) {
		t.Errorf("nodes: got %v", err)
	}
	n, err := Parse(t.Context(), []byte("<a "+strings.Repeat(`b="c" `, maxAttrs+10)+"/>"))
	if err != nil || len(n.Attrs) != maxAttrs {
		t.Errorf("attributes: got %d, %v", len(n.Attrs), err)
	}
}

func TestReader_skipAndTreeLeadToTheNextElement(t *testing.T) {
	r := New(t.Context(), []byte("<a><b><c/></b><d>x<e/></d><f/></a>"))
	var seen []string
	for {
		n, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, n.Name)
		switch n.Name {
		case "b":
			err = r.Skip()
		case "d":
			err = r.Tree(n)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(seen, ""); got != "abdf" {
		t.Errorf("got %s", got)
	}
}

func TestReader_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Parse(ctx, []byte("<a>"+strings.Repeat("<b/>", 5000)+"</a>")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0" encoding="utf-16"?><!DOCTYPE a [<!ENTITY x "y">]><q:a ` + wNS + ` b="&x;"><![CDATA[z]]><c/></q:a>`))
	f.Add([]byte("\xFF\xFE<\x00a\x00>\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		n, err := Parse(t.Context(), in)
		if n == nil {
			t.Error("no node", err)
		}
		n.All(func(*Node) {}, "none")
		_ = n.Content()
	})
}
