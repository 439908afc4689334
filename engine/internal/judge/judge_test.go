package judge

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/fetch/filter"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

const site = "http://a.test"

// weigh judges a page of the site, with the scripts that it is given.
func weigh(t testing.TB, l *Library, status int, html string, get Get) Verdict {
	t.Helper()
	e, from := evidence(t, l, site+"/page", status, html)
	return decided(t, l, from, &e, get)
}

// evidence is what a page says by itself.
func evidence(t testing.TB, l *Library, url string, status int, html string) (Evidence, Sources) {
	t.Helper()
	return gathered(t, l.Inline, url, status, html)
}

func gathered(
	t testing.TB, read func(context.Context, Sources, *Evidence) error, url string, status int, html string,
) (Evidence, Sources) {
	t.Helper()
	d, err := formats.Parse(t.Context(), formats.Source{URL: url, MediaType: "text/html", Body: []byte(html)})
	if err != nil {
		t.Fatal(err)
	}
	e, from, err := Look(t.Context(), d, url, status)
	from.Blocked = func(src string) bool {
		blocked, _ := builtin().Match(filter.Request{URL: src, PageHost: weburl.Hostname(url), Type: filter.Script})
		return blocked
	}
	if err == nil {
		err = read(t.Context(), from, &e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e, from
}

// builtin has the built-in rules against trackers.
var builtin = sync.OnceValue(func() *filter.Set {
	set, err := filter.New(filter.Options{Builtin: true})
	if err != nil {
		panic(err)
	}
	return set
})

// decided is the verdict once the scripts have been read.
func decided(t testing.TB, l *Library, from Sources, e *Evidence, get Get) Verdict {
	t.Helper()
	if err := l.Fetch(t.Context(), from, e, get); err != nil {
		t.Fatal(err)
	}
	return Judge(*e)
}

func library() *Library { return NewLibrary(1<<20, time.Now) }

type casePage struct {
	Name, HTML   string
	Status       int
	NeedsBrowser bool
}

func cases(t testing.TB) (pages []casePage, get Get) {
	t.Helper()
	data, err := os.ReadFile("testdata/resources.json")
	if err != nil {
		t.Fatal(err)
	}
	var resources map[string]struct{ Body string }
	if err := json.Unmarshal(data, &resources); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/pages.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 1<<20); lines.Scan(); {
		var p casePage
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	return pages, func(_ context.Context, url string, _ int64) ([]byte, error) {
		r, ok := resources[strings.TrimPrefix(url, site)]
		if !ok {
			return nil, errors.New("404")
		}
		return []byte(r.Body), nil
	}
}

func TestJudge_cases(t *testing.T) {
	pages, get := cases(t)
	if len(pages) == 0 {
		t.Fatal("no cases")
	}
	l := library()
	for _, p := range pages {
		v := weigh(t, l, p.Status, p.HTML, get)
		if (v.Choice != Static) != p.NeedsBrowser {
			t.Errorf("%s: needs a browser: %t, got %s", p.Name, p.NeedsBrowser, v)
		}
	}
}

// Places are those that a verdict goes by, without the main content, which takes longer to find than all else.
func TestLibrary_Places(t *testing.T) {
	pages, _ := cases(t)
	l, places, counted := library(), 0, 0
	for _, p := range pages {
		got, _ := gathered(t, l.Places, site+"/page", p.Status, p.HTML)
		want, _ := evidence(t, l, site+"/page", p.Status, p.HTML)
		places, counted = places+len(want.Places), counted+want.MainWords
		got.dom, want.dom, want.MainWords = nil, nil, 0
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v\nwant %+v", p.Name, got, want)
		}
	}
	if places == 0 || counted == 0 {
		t.Errorf("%d places, %d words of main content", places, counted)
	}
}

// Real builds, on a page with 200 words of its own: the small names of a bundle hide nothing.
func TestJudge_builds(t *testing.T) {
	builds, err := filepath.Glob("testdata/builds/*.js")
	if err != nil || len(builds) == 0 {
		t.Fatal(builds, err)
	}
	words := strings.Repeat("<p>Barley is a cereal grain that has been grown for years in the crescent and beyond it.</p>", 12)
	for _, build := range builds {
		body, err := os.ReadFile(build)
		if err != nil {
			t.Fatal(err)
		}
		get := func(context.Context, string, int64) ([]byte, error) { return body, nil }
		with := `<main><h1>Mill</h1>` + words + `<div id="reviews"></div><post-list></post-list></main><script type=module src=/app.js></script>`
		if v := weigh(t, library(), 200, with, get); v.Choice != Dynamic || len(v.Places) != 1 {
			t.Errorf("%s: got %s", build, v)
		}
		without := `<main><h1>Mill</h1>` + words + `<div id="other"></div></main><script type=module src=/app.js></script>`
		if v := weigh(t, library(), 200, without, get); v.Choice != Static {
			t.Errorf("%s, nowhere to go: got %s", build, v)
		}
	}
}

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		in   Evidence
		want Choice
	}{
		"no scripts at all":         {Evidence{Signals: formats.Signals{TextWords: 3}}, Static},
		"article with trackers":     {Evidence{Signals: formats.Signals{TextWords: 800, Scripts: 6}, MainWords: 600, Foreign: 6}, Static},
		"server-rendered app":       {Evidence{Signals: formats.Signals{TextWords: 500, Scripts: 9, Framework: "next", ServerRendered: true}, MainWords: 400, Unread: 9}, Static},
		"empty shell":               {Evidence{Signals: formats.Signals{TextWords: 2, Scripts: 3, EmptyMount: "root", Framework: "react"}, Unread: 3}, Dynamic},
		"meta refresh":              {Evidence{Signals: formats.Signals{TextWords: 10, MetaRefresh: "/next"}}, Dynamic},
		"challenge":                 {Evidence{Status: 403, Signals: formats.Signals{TextWords: 40, Scripts: 2, Wall: "challenge"}}, Dynamic},
		"framework without text":    {Evidence{Signals: formats.Signals{TextWords: 90, Scripts: 4, Framework: "vue"}, MainWords: 40, Unread: 4}, Unsure},
		"short, its script unread":  {Evidence{Signals: formats.Signals{TextWords: 20, Scripts: 1}, MainWords: 20, Unread: 1}, Unsure},
		"short, its script read":    {Evidence{Signals: formats.Signals{TextWords: 20, Scripts: 1}, MainWords: 20}, Static},
		"marks of a wall, and text": {Evidence{Signals: formats.Signals{TextWords: 900, Scripts: 9, Wall: "perimeterx"}, MainWords: 700}, Static},
	} {
		got := Judge(c.in)
		if got.Choice != c.want || got.Confidence < 0.2 || got.Confidence > 1 || len(got.Reasons) == 0 {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// A function counts where an attribute calls it that no act of a reader runs.
func TestJudge_functionsThatAttributesCall(t *testing.T) {
	const script = `<script>function fill() { fetch("/x").then(a => { list.innerHTML = a }) }</script>`
	for attribute, want := range map[string]Choice{"onload": Dynamic, "onclick": Static} {
		html := `<body ` + attribute + `="fill()">` + strings.Repeat("<p>Barley is a cereal grain.</p>", 40) + `<div id=list></div>` + script
		if v := weigh(t, library(), 200, html, nil); v.Choice != want {
			t.Errorf("%s: got %s", attribute, v)
		}
	}
}

// A page with as many places, and a script with as many writes, as fit is judged in bounded time.
func TestJudge_manyPlacesAndWrites(t *testing.T) {
	var page, script strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&page, "<div class=a%d></div>", i)
		fmt.Fprintf(&script, "document.querySelector('.b%d div .c').innerHTML=x;", i%9000)
	}
	v := weigh(t, library(), 200, page.String()+"<script>"+script.String()[:script.Len()/4]+"</script>", nil)
	if v.Choice != Static {
		t.Errorf("got %s", v)
	}
}

// At most four scripts are fetched, those that modules import among them; each once.
func TestLibrary_fetchesLittleAndOnce(t *testing.T) {
	now := time.Unix(0, 0)
	l := NewLibrary(1<<20, func() time.Time { return now })
	var got []string
	get := func(_ context.Context, url string, limit int64) ([]byte, error) {
		got = append(got, strings.TrimPrefix(url, site))
		if limit <= 0 || limit > maxBytes {
			t.Errorf("limit %d", limit)
		}
		return []byte(`import "./part.js"; fetch("/x").then(a => { document.getElementById("list").innerHTML = a })`), nil
	}
	html := `<p>text</p><div id=list></div><script src=/jquery.min.js></script><script src=https://other.test/x.js></script>
		<script src=/1.js></script><script src=/2.js></script><script src=/3.js></script><script src=/4.js></script><script type=module src=/m.js></script>`
	for range 2 {
		if v := weigh(t, l, 200, html, get); v.Choice != Dynamic {
			t.Errorf("got %s", v)
		}
	}
	if want := "/m.js /1.js /2.js /3.js"; strings.Join(got, " ") != want {
		t.Errorf("fetched %v, want %s", got, want)
	}
	now = now.Add(keptFor)
	weigh(t, l, 200, html, get)
	if len(got) != 2*maxScripts {
		t.Errorf("after an hour: %v", got)
	}
}

// A script that can't be fetched stays unread, which a short page is unsure by.
func TestLibrary_whatFailsIsUnread(t *testing.T) {
	get := func(context.Context, string, int64) ([]byte, error) { return nil, errors.New("refused") }
	if v := weigh(t, library(), 200, `<p>few words</p><script src=/1.js></script>`, get); v.Choice != Unsure || !strings.Contains(v.String(), "1 script could not be read") {
		t.Errorf("got %s", v)
	}
}

// What libraries fill by themselves is known by its attributes; what React has streamed is there.
func TestJudge_islands(t *testing.T) {
	words := strings.Repeat("<p>Barley is a cereal grain that people grow.</p>", 30)
	const app = `<script type=module src=https://cdn.example/app.js></script>`
	for name, c := range map[string]struct {
		html string
		want Choice
	}{
		"a controller":            {words + `<div data-controller=reviews></div>` + app, Dynamic},
		"a controller of toasts":  {words + `<div data-controller=toast></div>` + app, Static},
		"a controller of content": {`<div data-controller=reviews>` + words + `</div>` + app, Static},
		"react-rails":             {words + `<div data-react-class=Reviews data-react-props="{}"></div>` + app, Dynamic},
		"an island, no script":    {words + `<div data-react-class=Reviews></div>`, Static},
		"left to the client by Next": {
			words + `<div><!--$!--><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><p>Loading…</p><!--/$--></div>` + app, Dynamic,
		},
		"streamed by React": {
			`<div id=root><!--$?--><template id="B:0"></template><p>Loading…</p><!--/$--></div><div hidden id="S:0">` + words + `</div><script>$RC("B:0","S:0")</script>`, Static,
		},
	} {
		if v := weigh(t, library(), 200, "<body><main>"+c.html+"</main>", nil); v.Choice != c.want {
			t.Errorf("%s: got %s, want %s", name, v, c.want)
		}
	}
}

// More evidence never makes a browser less probable, and verdicts are as sure as the table says.
func TestProbability(t *testing.T) {
	last := 0.0
	for score := -40; score <= 60; score++ {
		p := probability(score)
		if p < last || p < 0 || p > 1 {
			t.Errorf("score %d: %v after %v", score, p, last)
		}
		last = p
	}
	for _, r := range reliability {
		if got := probability(r.score); got != r.needs {
			t.Errorf("score %d: got %v, want %v", r.score, got, r.needs)
		}
	}
}
