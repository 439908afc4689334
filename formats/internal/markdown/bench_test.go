package markdown

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// benchTree is the tree of a page made of all inputs of the golden pairs, four times over.
func benchTree(tb testing.TB) (tree *html.Node, size int) {
	tb.Helper()
	files, err := filepath.Glob("../../testdata/markdown/*.in.html")
	if err != nil || len(files) == 0 {
		tb.Fatal("no pages", err)
	}
	var b strings.Builder
	for range 4 {
		for _, file := range files {
			if strings.Contains(file, "deep-") {
				continue // made to be bad for a converter without limits
			}
			page, err := os.ReadFile(file)
			if err != nil {
				tb.Fatal(err)
			}
			b.Write(page)
		}
	}
	tree, err = html.Parse(strings.NewReader(b.String()))
	if err != nil {
		tb.Fatal(err)
	}
	return tree, b.Len()
}

func cloneTree(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: append([]html.Attribute(nil), n.Attr...)}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.AppendChild(cloneTree(k))
	}
	return c
}

func benchmarkTree(b *testing.B, convert func(*html.Node) error) {
	tree, size := benchTree(b)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		mine := cloneTree(tree) // both change what they are given
		b.StartTimer()
		if err := convert(mine); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConvert(b *testing.B) {
	benchmarkTree(b, func(n *html.Node) error {
		_, err := Convert(b.Context(), n, Options{})
		return err
	})
}

// BenchmarkBare is html-to-markdown with its own renderers on the same tree: the measure for BenchmarkConvert.
func BenchmarkBare(b *testing.B) {
	conv := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))
	benchmarkTree(b, func(n *html.Node) error {
		_, err := conv.ConvertNode(n)
		return err
	})
}
