package enginetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

func needBrowser(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: this test renders in a real browser")
	}
}

// wants checks the failures of a test, or, without any text, that it has none.
func wants(t *testing.T, failures string, texts ...string) {
	t.Helper()
	if len(texts) == 0 && failures != "" {
		t.Errorf("failures:\n%s\nwant none", failures)
	}
	for _, text := range texts {
		if !strings.Contains(failures, text) {
			t.Errorf("failures:\n%s\nwant %q in them", failures, text)
		}
	}
}

const counter = `<title>Counter</title><h1>Sacks</h1><input id=who><button id=more>More</button><p id=n>0</p><a id=next href="/next">on</a>
<script>
more.onclick = () => { n.textContent = Number(n.textContent) + 1; console.info("counted for " + who.value); fetch("/count", {method: "POST"}) }
</script>`

// strict is a page whose policy allows no code but its own.
func strict(body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'sha256-0'; require-trusted-types-for 'script'")
		fmt.Fprint(w, body)
	})
}

func TestOpen_givesALivePageUntilTheTestEnds(t *testing.T) {
	needBrowser(t)
	r := &recorder{TB: t}
	var page *Page
	var e *engine.Engine
	wants(t, r.run(func(t testing.TB) {
		e = New(t, map[string]http.Handler{"app.example": serve(counter)})
		page = Open(t, e, "https://app.example/")
		other := Open(t, e, "https://app.example") // the same page, another visit
		page.Type("#who", "Ann")
		page.Click("#more")
		page.Click("#more")
		page.Do(actions.Action{Type: actions.Click, Selector: "#more"})
		if got := page.Text("#n") + other.Text("#n"); got != "30" {
			t.Errorf("got %q", got)
		}
		if got := page.Console().Matching("^counted for Ann$"); len(got) != 3 || got[0].Kind != "info" {
			t.Errorf("console %+v", page.Console())
		}
		if got := page.Requests().Matching("POST https://app.example/c*"); len(got) != 3 || got[0].Status != 200 {
			t.Errorf("requests %+v", page.Requests())
		}
		other.Close()
		other.Close()
		page.Click("#next")
		if page.WaitFor("#more"); page.URL() != "https://app.example/next" {
			t.Errorf("at %s", page.URL())
		}
		if got := len(Requests(t, e).Matching("GET https://app.example/*")); got < 3 {
			t.Errorf("requests %+v", Requests(t, e))
		}
	}))
	if _, err := e.Scrape(t.Context(), "https://app.example/", always); err == nil {
		t.Error("the engine outlived its test")
	}
}

func TestOpen_saysWhyThereIsNoPage(t *testing.T) {
	needBrowser(t)
	hosts := map[string]http.Handler{"app.example": serve(counter)}
	for want, test := range map[string]func(testing.TB){
		`"elsewhere.example"`:     func(t testing.TB) { Open(t, New(t, hosts), "https://elsewhere.example/") },
		`open "::"`:               func(t testing.TB) { Open(t, New(t, hosts), "::") },
		`nothing matches "#gone"`: func(t testing.TB) { Open(t, New(t, hosts), "https://app.example/").Text("#gone") },
		"not made by New":         func(t testing.TB) { Open(t, &engine.Engine{}, "https://app.example/") },
		"has an OnLivePage of its own": func(t testing.TB) {
			Open(t, New(t, hosts, func(o *engine.Options) { o.OnLivePage = nil }), "https://app.example/")
		},
		"click \"#gone\"": func(t testing.TB) {
			_, err := Open(t, New(t, hosts), "https://app.example/").do(t.Context(), []actions.Action{{Type: actions.Click, Selector: "#gone"}})
			t.Error(err)
		},
	} {
		wants(t, (&recorder{TB: t}).run(test), want)
	}
}

func TestCleanConsole_failsTheTestOnErrors(t *testing.T) {
	needBrowser(t)
	hosts := map[string]http.Handler{"app.example": serve(`<p>x</p><script>console.log("fine"); console.error("out of flour"); null.x</script>`)}
	r := &recorder{TB: t}
	wants(t, r.run(func(t testing.TB) {
		e := New(t, hosts)
		CleanConsole(t, e)
		Open(t, e, "https://app.example/")
	}), "console of https://app.example/: error: out of flour", "uncaught: Cannot read")
	wants(t, (&recorder{TB: t}).run(func(t testing.TB) {
		e := New(t, hosts)
		CleanConsole(t, e, "^out of", "of null")
		if _, err := e.Scrape(t.Context(), "https://app.example/", always); err != nil {
			t.Error(err)
		}
	}))
}

func TestRequestList_patterns(t *testing.T) {
	list := requestsOf("p", []string{"GET https://a.example/x?y 200", "POST https://a.example/x 404", "GET https://b.example/ blocked"})
	for pattern, want := range map[string]int{
		"*": 3, "GET *": 2, "https://a.example/x": 1, "POST https://a.example/x": 1, "https://?.example/*": 0, "https://a.example/x?*": 1, "PUT *": 0,
	} {
		if got := list.Matching(pattern); len(got) != want {
			t.Errorf("%s: %+v, want %d", pattern, got, want)
		}
	}
	if list[1].Status != 404 || list[2].Failure != "blocked" {
		t.Errorf("%+v", list)
	}
}
