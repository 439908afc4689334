//go:build !race

// Recall is a measurement by one goroutine: the race detector finds nothing in it.

package local

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine/search"
	"github.com/winnow-go/winnow/examples/server/demo"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/tokens"
	"github.com/winnow-go/winnow/llm"
)

// The environment of a measurement with an embedder: a base URL such as http://127.0.0.1:11434/v1, the model, and its prefixes.
const (
	embedderURL    = "WINNOW_EMBEDDER_URL"
	embedderModel  = "WINNOW_EMBEDDER_MODEL"
	embedderQuery  = "WINNOW_EMBEDDER_QUERY_PREFIX"
	embedderPrefix = "WINNOW_EMBEDDER_TEXT_PREFIX"
)

// question has the answer in a passage of a page.
type question struct{ page, text, answer string }

// questions reads the file that they are in. They were written before anything was measured, from the pages and from knowledge of
// Go, in other words than the documentation's where that could be.
func questions(t testing.TB) (list []question) {
	t.Helper()
	data, err := os.ReadFile("testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		parts := strings.SplitN(strings.TrimSpace(line), " | ", 3)
		if len(parts) == 3 && !strings.HasPrefix(line, "#") {
			list = append(list, question{parts[0], parts[1], parts[2]})
		}
	}
	return list
}

// corpus is the carried pages, and a page for each package of the standard library: their Markdown by name.
func corpus(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	files, err := filepath.Glob("../../../formats/testdata/main/*.out.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".out.md")] = string(body)
	}
	demoPages(t, all)
	goPages(t, all)
	return all
}

// demoPages are some of the carried sites.
func demoPages(t testing.TB, all map[string]string) {
	t.Helper()
	hosts := demo.Hosts()
	read := func(name, href string) {
		host, _, _ := strings.Cut(strings.TrimPrefix(href, "https://"), "/")
		w := httptest.NewRecorder()
		hosts[host].ServeHTTP(w, httptest.NewRequest("GET", href, nil))
		dom, err := formats.Parse(t.Context(), formats.Source{URL: href, MediaType: "text/html", Body: w.Body.Bytes(), Raw: w.Body.Bytes()})
		if err != nil {
			t.Fatal(err)
		}
		out, err := dom.Render(t.Context(), formats.Options{Formats: []formats.Type{formats.Markdown}, OnlyMainContent: true, OnlyVisible: true})
		if err != nil || w.Code != 200 {
			t.Fatalf("%s: %d, %v", href, w.Code, err)
		}
		all[name] = out.Markdown
	}
	for _, slug := range strings.Fields("the-east-wind two-sieves the-sound-of-threshing counting-sacks mice a-new-stone first-rye why-a-blog spring-cleaning") {
		read("blog/"+slug, "https://blog.example/articles/"+slug)
	}
	read("shop/terms", "https://shop.example/terms")
	read("shop/about", "https://shop.example/about")
	read("cafe/visit", "https://cafe.example/visit")
}

// goPages are the packages of the standard library of the toolchain at hand.
func goPages(t testing.TB, all map[string]string) {
	t.Helper()
	root := filepath.Join(build.Default.GOROOT, "src")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch d.Name() {
		case "internal", "testdata", "vendor", "cmd", "builtin":
			return fs.SkipDir
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if text := packagePage(t, path, filepath.ToSlash(name)); text != "" {
			all[filepath.ToSlash(name)] = text
		}
		return nil
	})
	if err != nil || all["net/http"] == "" {
		t.Fatalf("no documentation in %s: %v", root, err)
	}
}

// packagePage is a package's documentation as a page: a section for each name, in the order that sites show.
func packagePage(t testing.TB, dir, name string) string {
	t.Helper()
	pkg, err := build.ImportDir(dir, 0)
	if err != nil || pkg.Name == "main" {
		return ""
	}
	set, files := token.NewFileSet(), []*ast.File{}
	for _, file := range pkg.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(dir, file), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	d, err := doc.NewFromFiles(set, files, name)
	if err != nil {
		t.Fatal(err)
	}
	p := &printed{set: set, pkg: d}
	p.section("# package "+d.Name, nil, d.Doc)
	for _, v := range slices.Concat(d.Consts, d.Vars) {
		p.section("## "+strings.Join(v.Names[:min(4, len(v.Names))], ", "), v.Decl, v.Doc)
	}
	for _, f := range d.Funcs {
		p.section("## func "+f.Name, f.Decl, f.Doc)
	}
	for _, typ := range d.Types {
		p.section("## type "+typ.Name, typ.Decl, typ.Doc)
		for _, v := range slices.Concat(typ.Consts, typ.Vars) {
			p.section("### "+strings.Join(v.Names[:min(4, len(v.Names))], ", "), v.Decl, v.Doc)
		}
		for _, f := range slices.Concat(typ.Funcs, typ.Methods) {
			p.section("### func "+f.Name, f.Decl, f.Doc)
		}
	}
	return p.text.String()
}

// printed is a page that is being written.
type printed struct {
	set  *token.FileSet
	pkg  *doc.Package
	text strings.Builder
}

func (p *printed) section(heading string, decl ast.Node, comment string) {
	p.text.WriteString(heading + "\n\n")
	if fn, ok := decl.(*ast.FuncDecl); ok {
		fn.Body = nil
	}
	if decl != nil {
		p.text.WriteString("```go\n")
		_ = format.Node(&p.text, p.set, decl)
		p.text.WriteString("\n```\n\n")
	}
	printer := p.pkg.Printer()
	printer.HeadingLevel = 4
	p.text.Write(printer.Markdown(p.pkg.Parser().Parse(comment)))
	p.text.WriteString("\n")
}

// windows are runs of at most 512 tokens, cut at white space, that know of no headings.
func windows(text string) (list []search.Passage) {
	const size = 512
	from, at, sum := 0, 0, 0
	for _, word := range wordOrSpace.FindAllString(text, -1) {
		n := tokens.Bound(word)
		if sum+n > size && at > from {
			list = append(list, search.Passage{Text: text[from:at], From: from, To: at})
			from, sum = at, 0
		}
		at, sum = at+len(word), sum+n
	}
	return append(list, search.Passage{Text: text[from:], From: from, To: len(text)})
}

var wordOrSpace = regexp.MustCompile(`\s+|\S+`)

// filledWith is an index of the corpus, cut in a way.
func filledWith(t testing.TB, all map[string]string, cut func(text string) []search.Passage, titled bool, e llm.Embedder) *Index {
	t.Helper()
	s := newFakeCache()
	for name, text := range all {
		p := markdown("https://corpus.example/"+name, text)
		p.Title, p.Language, p.Text = "", "en", ""
		if titled {
			p.Title = name
		}
		switch {
		case strings.Contains(name, "german") || name == "forum-thread":
			p.Language = "de"
		case strings.Contains(name, "french"):
			p.Language = "fr"
		}
		if cut != nil {
			p.Passages = cut(text)
		}
		s.put(p)
	}
	x := New(Options{Embedder: e, Patience: 1 << 40})
	if err := x.Attach(s, search.Setup{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

// plainly is a text without escapes, in single spaces and small letters.
func plainly(text string) string {
	text = plainer.Replace(linked.ReplaceAllString(text, "$1"))
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

var plainer = strings.NewReplacer("\\", "", "[", "", "]", "", "**", "")

var linked = regexp.MustCompile(`\[([^\[\]]*)\]\([^()]*\)`)

// recall is how many questions have their answer in the best eight pieces, and which have it not.
func recall(t testing.TB, x *Index, list []question) (hits int, missed []question) {
	t.Helper()
	for _, q := range list {
		found, err := x.Passages(context.Background(), search.Query{Text: q.text, Limit: 8})
		if err != nil {
			t.Fatalf("%s: %v", q.text, err)
		}
		if slices.ContainsFunc(found.List, func(f Found) bool {
			return f.URL == "https://corpus.example/"+q.page && strings.Contains(plainly(f.Passage.Text), plainly(q.answer))
		}) {
			hits++
		} else {
			missed = append(missed, q)
		}
	}
	return hits, missed
}

func TestRecall_ofPassagesAndWindows(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: a thousand sections are indexed twice")
	}
	all := corpus(t)
	list := questions(t)
	list = slices.DeleteFunc(list, func(q question) bool {
		missing := !strings.Contains(plainly(all[q.page]), plainly(q.answer))
		if missing {
			t.Logf("%s: %q isn't in this version of the documentation", q.page, q.answer)
		}
		return missing
	})
	byWindows, missed := recall(t, filledWith(t, all, windows, false, nil), list)
	for _, q := range missed {
		t.Log("windows: ", q)
	}
	byPassages, missed := recall(t, filledWith(t, all, nil, true, nil), list)
	for _, q := range missed {
		t.Log("passages: ", q)
	}
	percent := func(n int) string { return fmt.Sprintf("%d of %d, %.1f %%", n, len(list), 100*float64(n)/float64(len(list))) }
	t.Logf("recall@8: windows %s; passages %s", percent(byWindows), percent(byPassages))
}
