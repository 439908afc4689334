package formats

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// prose is a text of n sentences of our own, each different.
func prose(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "In winter number %d the bees keep to the hive and the keeper leaves them alone until the first warm morning. ", i)
	}
	return strings.TrimSpace(b.String())
}

func quoted(t testing.TB, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const shellHead = `<title>Bees in winter | The Hive</title><nav><a href=/>Home</a></nav><div id=root></div>`

func mainMarkdown(t testing.TB, body string) string {
	t.Helper()
	return render(t, mustParse(t, body, "text/html"), Options{OnlyMainContent: true, RemoveBase64Images: true}, Markdown).Markdown
}

func TestRender_anEmptyShellIsFilledFromItsData(t *testing.T) {
	text := prose(10)
	markup := "<p>" + prose(4) + "</p><h2>Then</h2><ul><li>" + prose(4) + ` <a href="/more">more</a></li></ul><script>x()</script>`
	next := `{"props":{"pageProps":{"messages":{"cookies":` + quoted(t, strings.ReplaceAll(prose(3), "bees", "cookies")) + `},"post":{"title":"Bees","slug":"bees-in-winter","body":`
	for name, c := range map[string]struct {
		body, want, not string
	}{
		"articleBody":         {shellHead + linkedPage(`{"@type":"NewsArticle","headline":"Bees in winter","articleBody":`+quoted(t, text+"\n\nSecond paragraph.")+`}`), "# Bees in winter\n\n" + text + "\n\nSecond paragraph.", ""},
		"a state with HTML":   {shellHead + `<script id=__NEXT_DATA__ type=application/json>` + next + quoted(t, markup) + `}}}}</script>`, "## Then\n\n- In winter number 0", "cookies"},
		"links are absolute":  {shellHead + `<script type=application/json>` + next + quoted(t, markup) + `}}}}</script>`, "[more](https://example.com/more)", "x()"},
		"a state of a script": {shellHead + `<script>window.__STATE__ = {"post":{"text":` + quoted(t, text) + `}};</script>`, text, ""},
		"JSON.parse":          {shellHead + `<script>window.__STATE__ = JSON.parse(` + quoted(t, `{"post":{"text":`+quoted(t, text)+`}}`) + `);</script>`, text, ""},
		"an attribute":        {shellHead + `<div data-page='{"post":{"text":` + quoted(t, text) + `}}'></div>`, text, ""},
		"JSON in JSON":        {shellHead + `<script type=application/json>{"a":` + quoted(t, `{"text":`+quoted(t, text)+`}`) + `}</script>`, text, ""},
		"parts of one text":   {shellHead + `<script type=application/json>[{"t":` + quoted(t, text) + `},{"t":"Then"},{"t":` + quoted(t, prose(12)) + `}]</script>`, text + "\n\nThen\n\n" + prose(12), ""},
		"a thread":            {shellHead + linkedPage(`{"@type":"DiscussionForumPosting","headline":"Bees?","text":`+quoted(t, text)+`,"comment":[{"@type":"Comment","text":"Leave them."}]}`), text + "\n\nLeave them.", ""},
		"a product":           {shellHead + linkedPage(`{"@type":"Product","name":"Hive","description":`+quoted(t, text)+`}`), "# Hive\n\n" + text, ""},
		"the surer of two":    {shellHead + linkedPage(`{"@type":"Article","articleBody":`+quoted(t, text)+`}`) + `<script type=application/json>{"x":` + quoted(t, "Also: "+text) + `}</script>`, text, "Also"},
	} {
		got := mainMarkdown(t, c.body)
		if !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestRender_dataDoesNotFill(t *testing.T) {
	text := prose(10)
	article := linkedPage(`{"@type":"Article","headline":"Bees","articleBody":` + quoted(t, text) + `}`)
	state := func(s string) string { return shellHead + `<script type=application/json>` + s + `</script>` }
	for name, body := range map[string]string{
		"a page with content":      `<title>T</title><main><p>` + strings.Repeat("Some words that stand here. ", 40) + `</main>` + article,
		"a listing of links":       `<title>T</title>` + strings.Repeat(`<a href=/x>One of the entries</a> `, 60) + article,
		"little more than is seen": `<title>Bees</title><p>` + strings.Repeat("Some words that stand here. ", 10) + linkedPage(`{"@type":"Article","articleBody":`+quoted(t, prose(3))+`}`),
		"something else":           state(`{"text":` + quoted(t, strings.Repeat("Terms of the service apply to each visitor without any exception. ", 30)) + `}`),
		"program text":             state(`{"winter":` + quoted(t, strings.Repeat("function bees(hive) { return hive.winter; } ", 60)) + `}`),
		"addresses":                state(`{"winter":` + quoted(t, strings.Repeat("/bees/winter?hive=1&keeper=2.3.", 60)) + `}`),
		"a drawing":                state(`{"winter":` + quoted(t, `<svg>`+strings.Repeat(`<path d="M 1 2 3 4 5 6"></path>`, 90)+`</svg>`) + `}`),
		"no JSON":                  state(`"`),
		"a short description":      shellHead + linkedPage(`{"@type":"Product","name":"Hive","description":"A hive of oak."}`),
	} {
		if got := mainMarkdown(t, body); strings.Contains(got, "keeper") || strings.Contains(got, "visitor") || strings.Contains(got, "oak") || strings.Contains(got, "M 1") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestRender_fillingLeavesSignalsAndRawHTMLAsTheyAre(t *testing.T) {
	body := shellHead + `<h1>Bees</h1>` + linkedPage(`{"@type":"Article","headline":"Bees","articleBody":`+quoted(t, prose(8))+`}`)
	d := mustParse(t, body, "text/html")
	before := ask(t, mustParse(t, body, "text/html").Signals)
	whole := render(t, d, Options{}, Markdown, RawHTML, HTML)
	if after := ask(t, d.Signals); after != before || ask(t, d.MainWords) > 5 {
		t.Errorf("signals: got %+v and %d words of main content, want %+v and at most 5", after, ask(t, d.MainWords), before)
	}
	if whole.RawHTML != body {
		t.Error("rawHtml is not the body")
	}
	if strings.Count(whole.Markdown, "# Bees") != 1 || !strings.Contains(whole.Markdown, "[Home]") || !strings.Contains(whole.Markdown, "winter number 7") {
		t.Errorf("whole page: got %q", whole.Markdown)
	}
	if got := render(t, d, Options{OnlyMainContent: true, ExcludeTags: []string{"p"}}, Markdown).Markdown; got != "# Bees" {
		t.Errorf("excludeTags: got %q", got)
	}
}

func FuzzFill(f *testing.F) {
	f.Add(`{"a":"` + prose(6) + `"}`)
	f.Add(`{"@type":"Article","articleBody":"<p>` + prose(6) + `</p><table><td>"}`)
	f.Add(`window.x={"a":"\u003cp>x\\","b":["` + prose(3))
	f.Add(`{"@type":"Question","text":"x","acceptedAnswer":{"text":["x"]},"comment":[7]}`)
	f.Fuzz(func(t *testing.T, data string) {
		for _, kind := range []string{"application/ld+json", "application/json", ""} {
			body := shellHead + `<script type="` + kind + `">` + data + `</script>`
			o := Options{Formats: []Type{Markdown, HTML}, OnlyMainContent: true}
			var first *Output
			for range 2 {
				out, err := mustParse(t, body, "text/html").Render(context.Background(), o)
				if err != nil {
					t.Fatal(err)
				}
				if first != nil && (out.Markdown != first.Markdown || out.HTML != first.HTML) {
					t.Errorf("the same bytes gave another output")
				}
				first = out
			}
		}
	})
}
