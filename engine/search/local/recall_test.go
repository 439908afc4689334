package local

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"math"
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
			list = append(list, search.Passage{ID: fmt.Sprint(from), Text: text[from:at], From: from, To: at})
			from, sum = at, 0
		}
		at, sum = at+len(word), sum+n
	}
	return append(list, search.Passage{ID: fmt.Sprint(from), Text: text[from:], From: from, To: len(text)})
}

var wordOrSpace = regexp.MustCompile(`\s+|\S+`)

// filledWith is an index of the corpus, cut in a way.
func filledWith(t testing.TB, all map[string]string, cut func(text string) []search.Passage, titled bool, e llm.Embedder) *Index {
	t.Helper()
	s := newFakeCache()
	for name, text := range all {
		p := markdown("https://corpus.example/"+name, text)
		p.Title, p.Language, p.Text = "", languageOf(name), ""
		if titled {
			p.Title = name
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

// answers reports whether a piece of a page has the answer.
func (q question) isIn(page, text string) bool {
	return page == q.page && strings.Contains(plainly(text), plainly(q.answer))
}

// recall is how many questions have their answer in the best pieces that an index finds, and how many tokens those have.
func recall(t testing.TB, x *Index, list []question, pieces int) (hits, size int, missed []question) {
	t.Helper()
	for _, q := range list {
		found, err := x.Passages(t.Context(), search.Query{Text: q.text, Limit: pieces})
		if err != nil {
			t.Fatalf("%s: %v", q.text, err)
		}
		for _, f := range found.List {
			size += tokens.Bound(f.Passage.Text)
		}
		if slices.ContainsFunc(found.List, func(f Found) bool {
			return q.isIn(strings.TrimPrefix(f.URL, "https://corpus.example/"), f.Passage.Text)
		}) {
			hits++
		} else {
			missed = append(missed, q)
		}
	}
	return hits, size, missed
}

// plain is BM25 by the book over windows, by stems and without words that say nothing, and nothing beside it.
type plain struct {
	pages, texts []string
	times        []map[string]float64
	lengths      []float64
	mean         float64
	has          map[string][]int
	stops        stops
}

func plainOf(all map[string]string) *plain {
	p := &plain{has: map[string][]int{}, stops: newStops(words())}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, w := range windows(all[name]) {
			times := map[string]float64{}
			terms := p.terms(w.Text, languageOf(name))
			for _, term := range terms {
				if times[term]++; times[term] == 1 {
					p.has[term] = append(p.has[term], len(p.texts))
				}
			}
			p.pages, p.texts, p.times = append(p.pages, name), append(p.texts, w.Text), append(p.times, times)
			p.lengths, p.mean = append(p.lengths, float64(len(terms))), p.mean+float64(len(terms))
		}
	}
	p.mean /= float64(len(p.texts))
	return p
}

// languageOf is that of a page of the corpus.
func languageOf(name string) string {
	switch {
	case strings.Contains(name, "german") || name == "forum-thread":
		return "de"
	case strings.Contains(name, "french"):
		return "fr"
	}
	return "en"
}

func (p *plain) terms(text, language string) (terms []string) {
	for _, t := range stemmed(language).Analyze([]byte(text)) {
		terms = append(terms, string(t.Term))
	}
	return terms
}

// find are the best windows. The language of the question is known, which the index has to guess.
func (p *plain) find(q question, pieces int) []int {
	language, scores := languageOf(q.page), map[int]float64{}
	for _, t := range words().Analyze([]byte(q.text)) {
		if p.stops[language][string(t.Term)] {
			continue
		}
		term := safeStem(stemmerOf(language), string(t.Term))
		n, documents := float64(len(p.has[term])), float64(len(p.texts))
		for _, i := range p.has[term] {
			times := p.times[i][term]
			scores[i] += math.Log(1+(documents-n+0.5)/(n+0.5)) * times * 2.2 / (times + 1.2*(0.25+0.75*p.lengths[i]/p.mean))
		}
	}
	best := slices.SortedFunc(maps.Keys(scores), func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), a-b) })
	return best[:min(len(best), pieces)]
}

// recallOfPlain is as recall.
func (p *plain) recall(list []question, pieces int) (hits, size int) {
	for _, q := range list {
		best := p.find(q, pieces)
		for _, i := range best {
			size += tokens.Bound(p.texts[i])
		}
		if slices.ContainsFunc(best, func(i int) bool { return q.isIn(p.pages[i], p.texts[i]) }) {
			hits++
		}
	}
	return hits, size
}

// raced: the race detector is on.
var raced bool

// Passages find more than windows, and take a fraction of their tokens.
func TestRecall_ofPassagesAndWindows(t *testing.T) {
	if raced {
		t.Skip("-race: recall is a measurement by one goroutine, in which there is nothing to find")
	}
	if testing.Short() {
		t.Skip("-short: the documentation of Go is indexed twice")
	}
	all, list := corpus(t), questions(t)
	written := len(list)
	list = slices.DeleteFunc(list, func(q question) bool {
		missing := !strings.Contains(plainly(all[q.page]), plainly(q.answer))
		if missing {
			t.Logf("%s: %q isn't in this version of the documentation", q.page, q.answer)
		}
		return missing
	})
	if written != 200 || len(list) < 190 {
		t.Errorf("%d of %d questions can be answered, want 190 of 200", len(list), written)
	}
	const pieces = 8
	log := func(name string, hits, size int) float64 {
		percent := 100 * float64(hits) / float64(len(list))
		t.Logf("%s: %d of %d, %.1f %%, in %d tokens each", name, hits, len(list), percent, size/len(list))
		return percent
	}
	hits, size := plainOf(all).recall(list, pieces)
	byBook := log("BM25 by the book over windows", hits, size)
	if os.Getenv("WINNOW_SOAK") == "1" { // a third of the time, and nothing depends on it
		hits, size, _ = recall(t, filledWith(t, all, windows, false, nil), list, pieces)
		log("our scores over windows", hits, size)
	}
	x := filledWith(t, all, nil, true, nil)
	hits, size, missed := recall(t, x, list, pieces)
	byPassages := log("passages", hits, size)
	hits, size, _ = recall(t, x, list, 13)
	log("13 passages, about the tokens of 8 windows", hits, size)
	for _, q := range missed {
		t.Logf("not among %d passages: %s: %s", pieces, q.page, q.text)
	}
	if byPassages < byBook+5 {
		t.Errorf("passages find %.1f %%, windows %.1f %%: want five points more", byPassages, byBook)
	}
	withEmbedder(t, all, list, pieces, log)
}

// withEmbedder measures the hybrid with the embedder that the environment names.
func withEmbedder(t *testing.T, all map[string]string, list []question, pieces int, log func(name string, hits, size int) float64) {
	t.Helper()
	if os.Getenv(embedderURL) == "" {
		t.Logf("no real embedder was measured: %s and %s are not set", embedderURL, embedderModel)
		return
	}
	e, err := llm.NewOpenAIEmbedder(llm.OpenAIEmbedderOptions{
		BaseURL: os.Getenv(embedderURL), Model: os.Getenv(embedderModel), Local: true,
		QueryPrefix: os.Getenv(embedderQuery), TextPrefix: os.Getenv(embedderPrefix),
	})
	if err != nil {
		t.Fatal(err)
	}
	x := filledWith(t, all, nil, true, e)
	if err := x.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	hits, size, _ := recall(t, x, list, pieces)
	log("passages by words and by the vectors of "+os.Getenv(embedderModel), hits, size)
}
