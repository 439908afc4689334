package passages

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// check reports what every list of passages has to be.
func check(t *testing.T, md string, o Options, list []Passage) {
	t.Helper()
	at, ids := 0, map[string]bool{}
	for i, p := range list {
		switch {
		case p.From < at || p.To <= p.From || md[p.From:p.To] != p.Text:
			t.Fatalf("passage %d, %d to %d after %d: its text is %q", i, p.From, p.To, at, p.Text)
		case strings.TrimSpace(md[at:p.From]) != "":
			t.Fatalf("%q is in no passage", md[at:p.From])
		case ids[p.ID] || p.ID == "":
			t.Fatalf("passage %d: the id %q is not its own", i, p.ID)
		case p.Tokens != o.Count.Or()(p.Markdown()):
			t.Fatalf("passage %d: %d tokens, want %d", i, p.Tokens, o.Count.Or()(p.Markdown()))
		case p.Kind == "":
			t.Fatalf("passage %d has no kind", i)
		}
		at, ids[p.ID] = p.To, true
	}
	if strings.TrimSpace(md[at:]) != "" {
		t.Fatalf("%q is in no passage", md[at:])
	}
}

// checkSize reports passages that are larger than they need to be, or are headings alone.
func checkSize(t *testing.T, md string, limit int, list []Passage) {
	t.Helper()
	for i, p := range list {
		blocks := Blocks(p.Text)
		body := blocks
		for len(body) > 0 && body[0].Level > 0 {
			body = body[1:]
		}
		if len(body) == 0 && len(list) > 1 && p.Head == "" && blocks[0].Level > 0 && !strings.Contains(p.Text, "\n=") && !strings.Contains(p.Text, "\n-") {
			t.Errorf("passage %d of %d is a heading alone: %q", i, len(list), p.Text)
		}
		if p.Tokens > limit && len(body) > 1 && body[len(body)-1].Level == 0 && p.Kind != Code && p.Kind != Table && i < len(list)-1 {
			t.Errorf("passage %d has %d tokens and %d blocks: %q", i, p.Tokens, len(body), p.Text)
		}
	}
}

func TestSplit_headingsStandWithTheirText(t *testing.T) {
	md := "# Barley\n\n## Sowing\n\nIn March.\n\n### Depth\n\n## Harvest\n\nIn **July**.\n\n## See also\n"
	list := Split(md, Options{Language: "en"})
	check(t, md, Options{}, list)
	var got []string
	for _, p := range list {
		got = append(got, fmt.Sprintf("%q %q %s %s", p.Headings, p.Text, p.Kind, p.Language))
	}
	want := `["Barley" "Sowing"] "# Barley\n\n## Sowing\n\nIn March." prose en
["Barley" "Harvest"] "### Depth\n\n## Harvest\n\nIn **July**.\n\n## See also" prose en`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

func TestSplit_tablesAndCodeAreCutByRowsAndLinesWithTheirHead(t *testing.T) {
	var rows, lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&rows, "| row %d | %d |\n", i, i*i)
		fmt.Fprintf(&lines, "line(%d)\n", i)
	}
	head, fence := "| Name | Square |\n| --- | --- |", "````go"
	md := "## Squares\n\n" + head + "\n" + rows.String() + "\n" + fence + "\n" + lines.String() + "````\n"
	o := Options{MaxTokens: 64, Language: "en"}
	list := Split(md, o)
	check(t, md, o, list)
	var gotRows, gotLines string
	for i, p := range list {
		if p.Tokens > o.MaxTokens {
			t.Errorf("passage %d has %d tokens", i, p.Tokens)
		}
		text := p.Markdown()
		if i == 0 {
			text = strings.TrimPrefix(text, "## Squares\n\n")
		}
		switch p.Kind {
		case Table:
			if !strings.HasPrefix(text, head+"\n") || p.Language != "en" {
				t.Errorf("passage %d: %q in %q", i, text, p.Language)
			}
			gotRows += strings.TrimPrefix(text, head+"\n") + "\n"
		case Code:
			if !strings.HasPrefix(text, fence+"\n") || !strings.HasSuffix(text, "\n````") || p.Language != "go" {
				t.Errorf("passage %d: %q in %q", i, text, p.Language)
			}
			gotLines += strings.TrimSuffix(strings.TrimPrefix(text, fence+"\n"), "````")
		default:
			t.Errorf("passage %d is %s", i, p.Kind)
		}
	}
	if gotRows != rows.String() || gotLines != lines.String() || len(list) < 10 {
		t.Errorf("%d passages: got\n%s\n%s", len(list), gotRows, gotLines)
	}
}

// Space after a heading in an item was counted to the part before the heading too, which was a panic on a page of the corpus.
func TestSplit_spaceAfterAHeadingInAnItem(t *testing.T) {
	for _, n := range []int{1, 3, 10, 30, 80} {
		md := "- one\n- ## Heading\n" + strings.Repeat(" ", n) + strings.Repeat("x", 900) + "\n\n  ## Next\n" + strings.Repeat(" ", n) + strings.Repeat("y ", 900)
		for _, limit := range []int{MinTokens, 100, DefaultTokens} {
			check(t, md, Options{}, Split(md, Options{MaxTokens: limit}))
		}
	}
}

func TestSplit_aHeadTooLongIsNotRepeated(t *testing.T) {
	md := "| " + strings.Repeat("name ", 500) + "|\n| --- |\n" + strings.Repeat("| a |\n", 500)
	list := Split(md, Options{MaxTokens: 64})
	check(t, md, Options{}, list)
	for _, p := range list {
		if p.Head != "" {
			t.Fatalf("a head of %d bytes", len(p.Head))
		}
	}
}

func TestBlocks(t *testing.T) {
	for md, want := range map[string]string{
		"":                                  "",
		" \n\n":                             "",
		"a\nb\n\nc":                         "prose a\nb|prose c",
		"Title\n===\ntext":                  "h1 Title|prose text",
		"Two\nlines\n---\n":                 "h2 Two lines",
		"# A #\n#nosharp":                   "h1 A|prose #nosharp",
		"- a\n\n  b\n\n- c\n\nd":            "list - a\n\n  b\n\n- c|prose d",
		"1. a\n   ```\n\n   x\n   ```\nb":   "list 1. a\n   ```\n\n   x\n   ```\nb",
		"> q\nlazy\n\n    code\n\n    more": "quote > q\nlazy|code     code\n\n    more",
		"~~~ go x\n\n~~\n~~~~\nafter":       "code ~~~ go x\n\n~~\n~~~~|prose after",
		"```\nopen":                         "code ```\nopen",
		"p\n| a |\n|---|\n| 1 |\nx\n\ny":    "prose p|table | a |\n|---|\n| 1 |\nx|prose y",
		"<!-- a\n\nb --> c\nd":              "html <!-- a\n\nb --> c|prose d",
		"<div>\nx\n\ny":                     "html <div>\nx|prose y",
		"<https://a.example/> x":            "prose <https://a.example/> x",
		"***\n* * *\n- - -":                 "prose ***|prose * * *|prose - - -",
		"a\r\n\r\nb\r\n":                    "prose a|prose b",
		"[Link](/a_(b)) *x* \\# `c`\n---":   "h2 Link x # c",
	} {
		var got []string
		for _, b := range Blocks(md) {
			if b.Level > 0 {
				got = append(got, fmt.Sprintf("h%d %s", b.Level, b.Title))
				continue
			}
			got = append(got, fmt.Sprintf("%s %s", b.Kind, md[b.From:b.To]))
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: got\n%s\nwant\n%s", md, s, want)
		}
	}
}

// texts are the Markdown files of this package's and of the formats' golden pairs.
func texts(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"../testdata/markdown/*.out.md", "../testdata/main/*.out.md", "testdata/*.in.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			body, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			all[f] = string(body)
		}
	}
	return all
}

func TestSplit_ofAllTexts(t *testing.T) {
	for name, md := range texts(t) {
		for _, limit := range []int{MinTokens, 100, DefaultTokens} {
			t.Run(fmt.Sprint(filepath.Base(name), limit), func(t *testing.T) {
				list := Split(md, Options{MaxTokens: limit})
				check(t, md, Options{}, list)
				checkSize(t, md, limit, list)
			})
		}
	}
}

// No block that another parser sees is cut by the edge of a block here, in our own Markdown.
func TestBlocks_agreeWithAnotherParser(t *testing.T) {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	for name, md := range texts(t) {
		edges := map[int]bool{}
		for _, b := range Blocks(md) {
			edges[b.From] = true
		}
		last := -1
		for n := parser.Parse(text.NewReader([]byte(md))).FirstChild(); n != nil; n = n.NextSibling() {
			from, to := extent(n)
			if from < 0 {
				continue
			}
			for at := from + 1; at < to; at++ {
				if edges[at] && md[at-1] == '\n' && at > last {
					t.Errorf("%s: a block begins at %d, within %s %q", name, at, n.Kind(), md[from:to])
				}
			}
			last = to
		}
	}
}

// extent is about where the text of a block is; -1: it has none.
func extent(n ast.Node) (from, to int) {
	from = -1
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() == ast.TypeInline {
			return ast.WalkContinue, nil
		}
		for i := range n.Lines().Len() {
			seg := n.Lines().At(i)
			if from < 0 || seg.Start < from {
				from = seg.Start
			}
			to = max(to, seg.Stop)
		}
		return ast.WalkContinue, nil
	})
	return from, to
}

// page makes the Markdown of a page: sections of all kinds, some of them equal.
func page(r *rand.Rand) []string {
	var sections []string
	for i := range 30 + r.IntN(40) {
		level := 2 + r.IntN(2)
		body := []string{strings.Repeat("#", level) + " " + sentence(r, 3)}
		for range 1 + r.IntN(8) {
			body = append(body, block(r))
		}
		if i > 0 && r.IntN(20) == 0 {
			body = []string{"### See also", "None."}
		}
		sections = append(sections, strings.Join(body, "\n\n"))
	}
	return sections
}

var vocabulary = strings.Fields("barley oats rye wheat mill stone water wheel sack cart road field farmer price market winter spring harvest grain flour bread oven yeast salt")

func sentence(r *rand.Rand, n int) string {
	var words []string
	for range n {
		words = append(words, vocabulary[r.IntN(len(vocabulary))]+strconv.Itoa(r.IntN(100)))
	}
	return strings.Join(words, " ")
}

func block(r *rand.Rand) string {
	var lines []string
	n := 2 + r.IntN(30)
	switch r.IntN(5) {
	case 0:
		for range n {
			lines = append(lines, "- "+sentence(r, 6))
		}
	case 1:
		lines = []string{"| a | b |", "| --- | --- |"}
		for range n {
			lines = append(lines, "| "+sentence(r, 2)+" | "+sentence(r, 3)+" |")
		}
	case 2:
		lines = []string{"```go"}
		for range n {
			lines = append(lines, "\t"+sentence(r, 4))
		}
		lines = append(lines, "```")
	default:
		for range n / 4 {
			lines = append(lines, sentence(r, 12)+".")
		}
		return strings.Join(append(lines, sentence(r, 5)+"."), " ")
	}
	return strings.Join(lines, "\n")
}

// edit changes, adds, removes or moves one section, and returns the numbers, by place in the old page, of those it left alone.
func edit(r *rand.Rand, old []string) (edited []string, same []bool) {
	same = make([]bool, len(old))
	for i := range same {
		same[i] = true
	}
	edited = append(edited, old...)
	i := r.IntN(len(old))
	switch r.IntN(4) {
	case 0:
		edited[i] += "\n\n" + sentence(r, 9)
		same[i] = false
	case 1:
		edited = append(edited[:i:i], append([]string{"## " + sentence(r, 2) + "\n\n" + block(r)}, edited[i:]...)...)
	case 2:
		edited, same[i] = append(edited[:i:i], edited[i+1:]...), false
	case 3:
		head, rest, _ := strings.Cut(edited[i], "\n")
		edited[i], same[i] = head+" now\n"+rest, false
	}
	return edited, same
}

// Sections that an edit leaves alone keep the ids of all their passages.
func TestSplit_idsStayThroughEditsElsewhere(t *testing.T) {
	kept, all := 0, 0
	for seed := range uint64(soak(300)) {
		r := rand.New(rand.NewPCG(seed, 1))
		old := page(r)
		edited, same := edit(r, old)
		after := map[string]bool{}
		for _, p := range Split("# Mill\n\n"+strings.Join(edited, "\n\n"), Options{}) {
			after[p.ID] = true
		}
		const first = len("# Mill\n\n")
		at, list := first, Split("# Mill\n\n"+strings.Join(old, "\n\n"), Options{})
		for i, text := range old {
			for _, p := range list {
				if p.From >= at && p.From < at+len(text) && same[i] && i > 0 {
					all++
					if after[p.ID] {
						kept++
					}
				}
			}
			at += len(text) + 2
		}
	}
	if t.Logf("%d of %d ids stay", kept, all); all < soak(10_000) || kept*1000 < all*999 {
		t.Errorf("%d of %d ids stay, want 99.9 %%", kept, all)
	}
}

// In a text without headings an edit changes the passages near it.
func TestSplit_idsStayInLongSections(t *testing.T) {
	kept, all := 0, 0
	for seed := range uint64(soak(100)) {
		r := rand.New(rand.NewPCG(seed, 2))
		var blocks []string
		for range 300 {
			blocks = append(blocks, sentence(r, 20+r.IntN(60))+".")
		}
		before := Split(strings.Join(blocks, "\n\n"), Options{})
		i := r.IntN(len(blocks))
		blocks[i] = blocks[i][:r.IntN(len(blocks[i])-20)] + " changed"
		after := map[string]bool{}
		for _, p := range Split(strings.Join(blocks, "\n\n"), Options{}) {
			after[p.ID] = true
		}
		for _, p := range before {
			if all++; after[p.ID] {
				kept++
			}
		}
	}
	if t.Logf("%d of %d ids stay", kept, all); kept*100 < all*96 {
		t.Errorf("%d of %d ids stay, want 96 %%", kept, all)
	}
}

func FuzzSplit(f *testing.F) {
	for _, md := range texts(f) {
		f.Add(md, 64)
	}
	f.Add("| a |\n|---|\n"+strings.Repeat("| b |\n", 99), 32)
	f.Add("```\n\xff\x00\n# ", 1)
	f.Add("- one\n- ## Heading\n"+strings.Repeat(" ", 30)+strings.Repeat("x", 900)+"\n> # a\n> b", 32)
	f.Fuzz(func(t *testing.T, md string, limit int) {
		o := Options{MaxTokens: limit}
		list := Split(md, o)
		check(t, md, o, list)
		n := 0
		for _, p := range list {
			n += len(p.Head) + len(p.Foot)
		}
		if n > 8*len(md)+1024 {
			t.Errorf("%d bytes are repeated of %d", n, len(md))
		}
	})
}
