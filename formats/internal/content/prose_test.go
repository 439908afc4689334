package content

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// article is a page with so many paragraphs in one element, each different; inside goes between the second and the third.
func article(paragraphs int, before, inside, after string) string {
	var b strings.Builder
	b.WriteString(`<body><div class="menu-links"><a href="/1">Home</a> <a href="/2">News</a> <a href="/3">Sport</a></div><div id="story"><h1>The long winter</h1>` + before)
	for i := range paragraphs {
		if i == 2 {
			b.WriteString(inside)
		}
		fmt.Fprintf(&b, "<p>Paragraph number %d says in a few words what happened on day %d, and why nobody at the lake was surprised by it.</p>", i, i)
	}
	b.WriteString(after + `</div></body>`)
	return b.String()
}

func mainText(t testing.TB, in string) string {
	tr := tree(t, in)
	return tr.Text(tr.Main(tr.NewMask()))
}

func TestMain_trimsInsideAnArticle(t *testing.T) {
	cases := []struct{ name, before, inside, after, keeps, drops string }{
		{name: "short line", before: `<p>By Jo Doe, Lakeside</p>`, keeps: "Jo Doe"},
		{name: "byline by name, however long", before: `<p class="byline">By ` + strings.Repeat("Jo Doe and ", 20) + `</p>`, drops: "Jo Doe"},
		{name: "the way through the site", before: `<div><a href="/">Home</a> <a href="/lake">Lake</a></div>`, drops: "Lake"},
		{name: "a line that leads over", before: `<p>What we saw:</p>`, keeps: "What we saw:"},
		{name: "author and date by markup", inside: `<div class="byline">Jo Doe, correspondent at the lake for many years and a swimmer</div>`, drops: "correspondent"},
		{name: "many dates are a list", inside: strings.Repeat(`<div><time>1 May</time> Swim across the bay</div>`, 8), keeps: "Swim across"},
		{name: "caption", inside: `<figure><img src="/a.jpg" alt="A lake"><figcaption>The lake. Photo: Jo Doe</figcaption></figure>`, drops: "Photo"},
		{name: "caption by name", inside: `<div><img src="/a.jpg"><p class="wp-caption-text">The lake in May</p></div>`, drops: "in May"},
		{name: "paragraph that is a link", inside: `<p><a href="/x">What to pack for a swim in cold water</a></p>`, keeps: "pack"},
		{name: "paragraph of links", inside: `<p><a href="/x">Lakes</a> <a href="/y">Ice</a> <a href="/z">Shores</a></p>`, drops: "Shores"},
		{name: "the rest of a text below a heading to open it", inside: `<div><h5>Read more</h5><div><p>What to pack was not known to any of them, and it was cold.</p></div></div>`, keeps: "pack"},
		{name: "paragraph with a link", inside: `<p>They had read <a href="/x">what to pack for a swim in cold water</a> the day before.</p>`, keeps: "pack"},
		{name: "button", inside: `<div><a href="/buy">Get the guide</a></div>`, drops: "guide"},
		{name: "list of links", inside: `<ul><li><a href="/a">The guide to the northern shore</a></li><li>The <a href="/b">guide</a> to the southern shore</li></ul>`, keeps: "northern"},
		{name: "pointer", inside: `<p>Read also: <a href="/x">Ice on the bay</a> and more of it</p>`, drops: "Ice"},
		{name: "pointer in German", inside: `<p>Lesen Sie auch: <a href="/x">Eis in der Bucht</a> am Abend</p>`, drops: "Eis"},
		{name: "pointer in Chinese", inside: `<p>相关阅读：<a href="/x">湖上的冰</a>更多</p>`, drops: "湖上的冰"},
		{name: "a long paragraph that begins like a pointer", inside: `<p>Read more slowly, the old log of the harbour master tells another story: that of a man who counted the days of ice for forty years, and of the people who came to him with questions.</p>`, keeps: "harbour"},
		{name: "tags", after: `<p>Tags: <a href="/t/1">winter</a>, <a href="/t/2">lakes</a> and places</p>`, drops: "lakes"},
		{name: "about the author", after: `<div><h3>About the author</h3><p>Jo Doe lives by the lake. She has written four books on it.</p></div>`, drops: "four books"},
		{name: "in many languages", after: `<div><h3>Über den Autor</h3><p>Jo Doe lebt am See. Sie hat vier Bücher darüber geschrieben.</p></div>`, drops: "Bücher"},
		{name: "last link", after: `<div>Back to <a href="/n">all news from the lake</a></div>`, drops: "Back to"},
		{name: "last sentence", after: `<p>It was over.</p>`, keeps: "It was over."},
		{name: "headings", inside: `<h2>Ice</h2>`, keeps: "Ice"},
		{name: "tables", inside: `<table><tr><th>Day</th><td>Ice</td></tr><tr><th>One</th><td>12 cm</td></tr></table>`, keeps: "12 cm"},
		{name: "code", inside: `<pre>swim --far</pre>`, keeps: "swim --far"},
		{name: "quotes", inside: `<blockquote>Cold is a teacher</blockquote>`, keeps: "teacher"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := mainText(t, article(8, c.before, c.inside, c.after))
			if !strings.Contains(got, c.keeps) || c.drops != "" && strings.Contains(got, c.drops) {
				t.Errorf("got %q, want %q kept and %q dropped", got, c.keeps, c.drops)
			}
			for i := range 8 {
				if want := fmt.Sprintf("Paragraph number %d ", i); !strings.Contains(got, want) {
					t.Errorf("got %q, want %q kept", got, want)
				}
			}
			if !strings.HasPrefix(got, "The long winter") {
				t.Errorf("got %q, want the title first", got)
			}
		})
	}
}

func TestMain_leavesManualsAlone(t *testing.T) {
	code := `<h2><a href="#x">Use</a></h2><pre>tool run --all --fast now</pre><p>With <code>a</code>, <code>b</code>, <code>c</code> and <code>d</code> it does more of the same, and faster.</p>`
	for _, keeps := range []string{`<p><a href="/api">The reference of all calls</a></p>`, `<figure><img src="/x.png"><figcaption>The reference of all calls</figcaption></figure>`} {
		if got := mainText(t, article(6, "", code+keeps, "")); !strings.Contains(got, "reference of all calls") {
			t.Errorf("%s: got %q, want it kept", keeps, got)
		}
	}
}

func TestMain_standfirst(t *testing.T) {
	lead := "The ice came early, and it stayed longer than anybody at the lake could remember."
	body := article(8, "", "", "")
	body = strings.Replace(body, "<h1>The long winter</h1>", "", 1)
	near := strings.Replace(body, `<div id="story">`, `<div class="head"><div><h1>The long winter</h1></div><div>`+lead+`</div></div><div id="story">`, 1)
	if got := mainText(t, near); !strings.Contains(got, lead) || !strings.Contains(got, "The long winter") {
		t.Errorf("below the title: got %q, want %q kept", got, lead)
	}
	far := strings.Replace(body, `<div id="story">`, `<div class="head"><div><h1>The long winter</h1></div></div><div class="note"><div>`+lead+`</div></div><div id="story">`, 1)
	if got := mainText(t, far); strings.Contains(got, lead) || !strings.Contains(got, "The long winter") {
		t.Errorf("elsewhere: got %q, want %q dropped", got, lead)
	}
}

func TestMain_sectionsThatStandTwice(t *testing.T) {
	offer := `<div class="%s"><h3>Swimming lessons</h3><div>Every day at the northern shore of the lake, from May to late September, for everybody.</div></div>`
	page := func(parts ...string) string {
		return "<body><h1>The lake</h1><div>" + strings.Join(parts, "") + "</div></body>"
	}
	once := func(text, part string) bool { return strings.Count(text, part) == 1 }
	got := mainText(t, page(fmt.Sprintf(offer, "wide"), "<p>Boats can be had at the pier.</p>", fmt.Sprintf(offer, "narrow")))
	if !once(got, "Swimming lessons") || !once(got, "northern shore") {
		t.Errorf("got %q, want the section once", got)
	}
	short := "<div><h3>Open</h3><div>All day</div></div>"
	if got := mainText(t, page(short, "<p>Boats can be had at the pier.</p>", short)); strings.Count(got, "All day") != 2 {
		t.Errorf("got %q, want short parts kept", got)
	}
	other := strings.Replace(fmt.Sprintf(offer, "b"), "northern", "southern", 1)
	if got := mainText(t, page(fmt.Sprintf(offer, "a"), other)); strings.Count(got, "Swimming lessons") != 2 {
		t.Errorf("got %q, want both sections", got)
	}
}

func TestSentences(t *testing.T) {
	cases := map[string]int{
		"": 0, "no mark": 0, "One. Two!": 2, "3.5 or 1.2.3": 0, "example.com is a name": 0, "Really?": 1, `He said "no." Then`: 1, "“Yes.” she said": 1,
		"句子。": 1, "真的？没有！": 2, "هل؟ نعم.": 2, "یہ ہے۔": 1, "यह है।": 1, "and so on…": 1, "ចប់។": 1, "Он сказал. Всё.": 2,
	}
	for s, want := range cases {
		if got := sentences(s); got != want {
			t.Errorf("%q: got %d, want %d", s, got, want)
		}
	}
}

func TestPhrases_canBeFound(t *testing.T) {
	for start, list := range openers {
		for _, o := range list {
			if len(start) != 3 || o != strings.ToLower(o) || strings.TrimLeft(o, " ") != o || len(o) > longLine || !opens(o+" x") {
				t.Errorf("%q can't be found at the start of a line", o)
			}
		}
	}
	for h := range foreignHeadings {
		if h != strings.ToLower(h) || strings.Trim(h, " :.!?…") != h || len(h) > longLine {
			t.Errorf("%q can't be the text of a heading", h)
		}
	}
}

func TestFingerprint_ofPartsIsThatOfTheWhole(t *testing.T) {
	whole := fingerprintOf("one two three")
	for _, parts := range [][]string{{"one", " two three"}, {"one two\n", "three"}, {"o", "ne", "\ttwo", "three"}, {"", "one two three", ""}} {
		sum := fingerprint{shift: 1}
		for _, p := range parts {
			sum = sum.then(fingerprintOf(p))
		}
		if sum != whole {
			t.Errorf("%q: got %v, want %v", parts, sum, whole)
		}
	}
	if fingerprintOf("one two three") == fingerprintOf("one three two") {
		t.Error("another order has the same fingerprint")
	}
}

// Main's work grows with the page, not faster: a page ten times as long takes about ten times the allocations.
func TestMain_isLinear(t *testing.T) {
	allocs := func(paragraphs int) float64 {
		tr := tree(t, article(paragraphs, "", "", ""))
		return testing.AllocsPerRun(2, func() { tr.Main(tr.NewMask()) })
	}
	if small, large := allocs(200), allocs(2000); large > 30*small {
		t.Errorf("got %.0f allocations for 2000 paragraphs and %.0f for 200", large, small)
	}
}

func FuzzMain_keepsArticles(f *testing.F) {
	f.Add("<p>x</p>", "<div>y</div>", uint8(9))
	f.Add("</div></div><table><tr>", "<h1>", uint8(30))
	f.Fuzz(func(t *testing.T, before, after string, n uint8) {
		doc, err := html.Parse(strings.NewReader(article(int(n), before, "", after)))
		if err != nil {
			return
		}
		tr := NewTree(nil, doc)
		tr.Main(tr.NewMask())
	})
}

func TestMain_commentsThatOutweighTheArticle(t *testing.T) {
	var comments strings.Builder
	for i := range 60 {
		fmt.Fprintf(&comments, `<li class="comment"><b>reader%d</b><p>I was there on day %d, and what I saw was quite another thing than what this text says about it.</p></li>`, i, i)
	}
	in := `<html><head><meta property="og:type" content="article"></head>` +
		article(14, "", "", `<div id="comments"><ol class="comment-list">`+comments.String()+`</ol></div>`)
	got := mainText(t, in)
	if !strings.Contains(got, "Paragraph number 13 ") || strings.Contains(got, "reader7") {
		t.Errorf("got %q, want the text without the comments", got)
	}
}

func TestMain_articleInLayoutTables(t *testing.T) {
	in := `<body><table><tr><td><a href="/1">Home</a><br><a href="/2">News</a><br><a href="/3">Sport</a><br><a href="/4">Archive</a></td><td>` +
		strings.TrimSuffix(strings.TrimPrefix(article(10, "", `<p>Read also: <a href="/x">Ice</a> now</p>`, ""), "<body>"), "</body>") + `</td></tr></table></body>`
	got := mainText(t, in)
	if !strings.Contains(got, "Paragraph number 9 ") || strings.Contains(got, "Archive") || strings.Contains(got, "Ice") {
		t.Errorf("got %q, want the text without the menu", got)
	}
}

// A page that says it is an article is one, however short it is beside the cards and comments around it.
func TestMain_declaredArticles(t *testing.T) {
	text := `<h1>Bridge to be rebuilt</h1><p>The council agreed on Monday to rebuild the bridge over the river, which was closed in spring after the flood.</p>` +
		`<p>The work is to begin in May, said the mayor, and will take two years at least.</p><p>Until then buses take a detour.</p>`
	cards := `<div>` + times(12, `<div class="c"><a href="/s%d"><img src="/i%d.jpg"><h3>Another story with a title of its own %d</h3></a><span>Sport</span></div>`) + `</div>`
	comments := `<div>` + times(6, `<div class="comment"><b>Ann%d</b><p>I think that it should be built of wood, as it was in the time of our grandparents.</p></div>`) + `</div>`
	for name, head := range map[string]string{
		"JSON-LD":    `<script type="application/ld+json">{"@type":"NewsArticle"}</script>`,
		"Open Graph": `<meta property="og:type" content="article">`,
	} {
		checkRules(t, []rule{
			{name + " with comments", head + `<main>` + text + `</main>` + comments, "council|detour", "wood"},
			{name + " with comments in one box", head + `<div>` + text + comments + `</div>`, "council|detour", "wood"},
		})
	}
	ld := `<script type="application/ld+json">{"@type":"NewsArticle"}</script>`
	checkRules(t, []rule{
		{"with cards", ld + `<div>` + text + cards + `</div>`, "council|detour", "Another"},
		{"with both", ld + `<div>` + text + cards + comments + `</div>`, "council|detour", "Another|wood"},
	})
}
