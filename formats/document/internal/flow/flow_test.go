package flow

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func text(s string) *Inline {
	p := &Inline{}
	p.Text(s, Style{})
	return p
}

func newFlow() *Flow { return New(NewBudget(1 << 20)) }

func squeeze(f *Flow) string { return strings.ReplaceAll(string(f.HTML()), "\n", "") }

func TestFlow_listsNestAsTheirLevelsSay(t *testing.T) {
	for name, c := range map[string]struct {
		levels string // a digit an item; letters are other lists, upper case ordered
		want   string
	}{
		"flat":             {"00", "<ul><li>x</li><li>x</li></ul>"},
		"down and up":      {"0110", "<ul><li>x<ul><li>x</li><li>x</li></ul></li><li>x</li></ul>"},
		"a level left out": {"020", "<ul><li>x<ul><li>x</li></ul></li><li>x</li></ul>"},
		"begins deep":      {"20", "<ul><li>x</li></ul><ul><li>x</li></ul>"},
		"up between":       {"021", "<ul><li>x<ul><li>x</li></ul><ul><li>x</li></ul></li></ul>"},
		"another list":     {"0a", "<ul><li>x</li></ul><ul><li>x</li></ul>"},
		"ordered":          {"0A", "<ul><li>x</li></ul><ol><li>x</li></ol>"},
	} {
		f := newFlow()
		for _, r := range c.levels {
			it := Item{Level: int(r - '0')}
			if r >= 'A' {
				it = Item{List: string(r), Ordered: r < 'a'}
			}
			f.Item(it, text("x"))
		}
		if got := squeeze(f); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestFlow_numbersOfItemsAreToldWhereTheyJump(t *testing.T) {
	f := newFlow()
	for _, n := range []int{3, 4, 7, 0, 9} {
		f.Item(Item{Ordered: true, Number: n}, text("x"))
	}
	want := `<ol start="3"><li>x</li><li>x</li><li value="7">x</li><li>x</li><li>x</li></ol>`
	if got := squeeze(f); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFlow_emptyPartsWriteNothing(t *testing.T) {
	f := newFlow()
	f.Para(text(" \n"))
	f.Heading(1, &Inline{})
	f.Item(Item{}, text(""))
	f.Quote(text(""))
	f.Pre("")
	f.Text("")
	f.Table(&Table{Rows: [][]Cell{{{}, {}}}})
	f.Markup([]byte("  "))
	f.Add(f.Sub())
	if got := squeeze(f); got != "" || !f.Empty() {
		t.Errorf("got %s", got)
	}
}

func TestFlow_aCellWithOneParagraphHasNoParagraph(t *testing.T) {
	f := newFlow()
	one, two := f.Sub(), f.Sub()
	one.Text("a")
	two.Text("b")
	two.Text("c")
	f.Table(&Table{Rows: [][]Cell{{{Content: one}, {Content: two}}}})
	if got := squeeze(f); got != "<table><tr><td>a</td><td><p>b</p><p>c</p></td></tr></table>" {
		t.Errorf("got %s", got)
	}
}

func TestFlow_theBudgetHoldsForAllPartsTogetherAndTagsStayBalanced(t *testing.T) {
	if whole := filled(1 << 20); !strings.Contains(string(whole.HTML()), "in a cell") || whole.Full() {
		t.Errorf("got %s", whole.HTML())
	}
	for size := range int64(400) {
		f := filled(size)
		out := f.HTML()
		const endTags = 200
		if int64(len(out)) > size+endTags {
			t.Fatalf("budget %d: %d bytes", size, len(out))
		}
		if err := unbalanced(out); err != "" {
			t.Fatalf("budget %d: %s in %s", size, err, out)
		}
	}
}

// filled is a Flow with a block of every kind, as far as the budget reaches.
func filled(size int64) *Flow {
	f := New(NewBudget(size))
	f.Title(1, "Title")
	f.Item(Item{}, text("item"))
	f.Item(Item{Level: 1, Ordered: true}, text("item"))
	f.Quote(text("quote"))
	f.Pre("code")
	cell := f.Sub()
	cell.Item(Item{}, text("in a cell"))
	f.Table(&Table{Caption: "c", Rows: [][]Cell{{{Content: cell}, {Inline: text("x")}}, {{}, {}}}})
	note := f.Sub()
	note.Text("note")
	notes := f.Sub()
	notes.Note(1, note)
	f.Notes(notes)
	return f
}

// unbalanced reports what is wrong with the nesting of tags, "" when nothing is.
func unbalanced(b []byte) string {
	z := html.NewTokenizer(bytes.NewReader(b))
	var open []string
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.Join(open, " ")
		case html.StartTagToken:
			if name := z.Token().Data; name != "br" && name != "hr" && name != "img" {
				open = append(open, name)
			}
		case html.EndTagToken:
			name := z.Token().Data
			if len(open) == 0 || open[len(open)-1] != name {
				return "</" + name + ">"
			}
			open = open[:len(open)-1]
		}
	}
}

func TestInline_linksGoAroundTextsOfSeveralLooks(t *testing.T) {
	p := &Inline{}
	p.Text("a ", Style{Href: "https://x/"})
	p.Text("b", Style{Href: "https://x/", Bold: true})
	p.Text(" c", Style{})
	f := newFlow()
	f.Para(p)
	if got := squeeze(f); got != `<p><a href="https://x/">a <strong>b</strong></a> c</p>` {
		t.Errorf("got %s", got)
	}
}

func TestInline_marksThatWereTyped(t *testing.T) {
	for in, want := range map[string]string{"•\ta": "•", "1.\ta": "1.", "12)\ta": "12)", "a)\tb": "a)", "Name\tvalue": "", "a\tb": "", "1234.\tx": "", "1. a": "", "\ta": ""} {
		p := text(in)
		if got := p.CutMark(); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestSafeHref(t *testing.T) {
	for in, want := range map[string]string{
		" https://x/ ": "https://x/", "mailto:a@b": "mailto:a@b", "TEL:1": "TEL:1", "javascript:x": "", "JAVASCRIPT:x": "", "java\nscript:x": "", "data:text/html,x": "",
		"file:///x": "", "//x/y": "", "/x": "", "#x": "", "": "", "http://" + strings.Repeat("x", 5000): "",
	} {
		if got := SafeHref(in); got != want {
			t.Errorf("%.40q: got %q", in, got)
		}
	}
}

func TestFragment_keepsStructureOnly(t *testing.T) {
	base, err := url.Parse("https://example.org/dir/page")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		`<p class="x" style="y" onclick="z">a</p>`: `<p>a</p>`,
		`<p>a<b>c</p>d`: `<p>a<b>c</b></p>d`,
		`</p>a</div>`:   `a`,
		`<script>x</script><style>y</style><iframe src="z">w</iframe>a`:                                                     `a`,
		`<object><object>x</object>y</object>z`:                                                                             `z`,
		`<custom-tag>a</custom-tag>`:                                                                                        `a`,
		`<a href="../b">c</a><a href="javascript:x">d</a><a href="#e">f</a>`:                                                `<a href="https://example.org/b">c</a><a>d</a><a>f</a>`,
		`<img src="p.png" alt="A  b" onerror="x"><img src="data:x" alt="C">`:                                                `<img src="https://example.org/dir/p.png" alt="A b"><span role="img">C</span>`,
		`<td colspan="2" id="i">&lt;x&gt;</td>`:                                                                             `<td colspan="2">&lt;x&gt;</td>`,
		`<math display="block"><semantics><mfrac><mi>a</mi><mn>2</mn></mfrac><annotation>x</annotation></semantics></math>`: `<math display="block"><mfrac><mi>a</mi><mn>2</mn></mfrac></math>`,
		`<mi>x</mi>`:                              `x`,
		`<pre class="lang-go">a</pre>`:            `<pre class="lang-go">a</pre>`,
		`<br/><hr/><p/>x`:                         `<br><hr><p></p>x`,
		`<!-- c --><!DOCTYPE x><?pi?>a`:           `a`,
		`<title>x</title><textarea>y</textarea>z`: `z`,
	} {
		if got := string(Fragment([]byte(in), Links{Base: base})); got != want {
			t.Errorf("%s: got  %s\nwant %s", in, got, want)
		}
	}
}

func TestFragment_deepNestingLosesItsTags(t *testing.T) {
	out := Fragment([]byte(strings.Repeat("<div>", 10_000)+"x"), Links{})
	if got := strings.Count(string(out), "<div>"); got != maxFragmentDepth || !strings.Contains(string(out), "x") {
		t.Errorf("got %d", got)
	}
}

func TestParseTime(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-01T10:00:00Z": "2024-05-01T10:00:00Z", "2024-05-01": "2024-05-01T00:00:00Z", "2024": "2024-01-01T00:00:00Z",
		"Wed, 01 May 2024 10:00:00 +0200": "2024-05-01T10:00:00+02:00", "1 May 2024 10:00:00 +0000": "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.5": "2024-05-01T10:00:00.5Z",
		"yesterday": "0001-01-01T00:00:00Z", "": "0001-01-01T00:00:00Z",
	} {
		if got := ParseTime(in).Format("2006-01-02T15:04:05.999Z07:00"); got != want {
			t.Errorf("%q: got %s", in, got)
		}
	}
}

func FuzzFragment(f *testing.F) {
	f.Add([]byte(`<p>a<b>c</p><script>x</script><math><mi>y</math><a href="javascript:x">d<img src=x alt=y>`))
	f.Add([]byte(`<svg><style><!--</style></svg><a epub:type="noteref" href="#x" id="y">1</a><table><tr><td`))
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, links := range []Links{{}, {Anchor: func(ref string) string { return strings.TrimPrefix(ref, "#") }}} {
			out := Fragment(in, links)
			if err := unbalanced(out); err != "" {
				t.Errorf("%s in %q of %q", err, out, in)
			}
			low := strings.ToLower(string(out))
			for _, bad := range []string{"<script", "<style", "<iframe", `href="javascript`, " onclick="} {
				if strings.Contains(low, bad) {
					t.Errorf("%s in %q of %q", bad, out, in)
				}
			}
		}
	})
}
