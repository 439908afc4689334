package formats

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The links of a whole page are the same whether the list of its nodes is made or not, and
// so is the wall that it is.
func TestLinks_areTheSameWithAndWithoutTheList(t *testing.T) {
	files, err := filepath.Glob("testdata/*/*.in.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parse := func() *DOM {
			d, err := Parse(t.Context(), Source{URL: "https://a.example/dir/page", MediaType: "text/html", Body: body})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		short, err := parse().Render(t.Context(), Options{Formats: []Type{Links}})
		if err != nil {
			t.Fatal(err)
		}
		long, err := parse().Render(t.Context(), Options{Formats: []Type{Links, HTML}})
		if err != nil || !slices.Equal(short.Links, long.Links) {
			t.Errorf("%s: %v, with the list %v, %v", file, short.Links, long.Links, err)
		}
		wall, login, _ := parse().Wall(t.Context())
		if s := ask(t, parse().Signals); s.Wall != wall || s.Login != login {
			t.Errorf("%s: wall %q, login %t; by the signals %q, %t", file, wall, login, s.Wall, s.Login)
		}
	}
}

// A page is inert exactly where nothing of it calls for a browser, or hides a frame.
func TestIsInert_agreesWithWhatCallsForABrowser(t *testing.T) {
	for body, want := range map[string]bool{
		`<p>Bees</p>`: true,
		`<script type="application/ld+json">{}</script><noscript>Enable JavaScript</noscript><p onclick="f()">Bees</p>`: true,
		`<p>Bees</p><script>0</script>`:                            false,
		`<p>Bees</p><script src=/a.js async></script>`:             false,
		`<p>Bees</p><iframe src=/a></iframe>`:                      false,
		`<frameset><frame src=/a></frameset>`:                      false,
		`<object data=/a></object>`:                                false,
		`<meta http-equiv=refresh content="3; url=/a"><p>Bees</p>`: false,
		`<title>Just a moment...</title><p>Bees</p>`:               false,
	} {
		d := mustParse(t, body, "text/html")
		if got := ask(t, d.IsInert); got != want {
			t.Errorf("%s: got %t", body, got)
		}
		if s := ask(t, d.Signals); want && (s.Scripts > 0 || s.Wall != "" || s.MetaRefresh != "" || len(ask(t, d.Frames)) > 0 || len(ask(t, d.Scripts)) > 0) {
			t.Errorf("%s: inert, with %+v", body, s)
		}
	}
	if !ask(t, mustParse(t, `{"a": "<script>0</script>"}`, "application/json").IsInert) {
		t.Error("JSON is not inert")
	}
}

func TestLinks_haveRoutesOfScriptsForWhoFollowsThem(t *testing.T) {
	d, err := Parse(t.Context(), Source{URL: "https://a.example/app", MediaType: "text/html", Body: []byte(`<a href="#/one">1</a><a href="#!/two">2</a><a href="#top">3</a><a href="/x#/y">4</a>`)})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ask(t, d.Links), []string{"https://a.example/app#/one", "https://a.example/app#!/two", "https://a.example/x#/y"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if out, err := d.Render(t.Context(), Options{Formats: []Type{Links}}); err != nil || !slices.Equal(out.Links, []string{"https://a.example/x#/y"}) {
		t.Errorf("the format: %v, %v", out, err)
	}
}
