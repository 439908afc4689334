package engine

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
)

func TestSharedBrowser_refusesWhatItDecides(t *testing.T) {
	b, err := NewSharedBrowser(BrowserOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	for field, o := range map[string]BrowserOptions{
		"Browser.MaxContexts": {Shared: b, MaxContexts: 3},
		"Browser.Args":        {Shared: b, Args: []string{"--lang=de"}},
		"Browser.System":      {Shared: b, System: true},
	} {
		_, err := New(Options{Browser: o})
		if opt, ok := errors.AsType[*OptionError](err); !ok || opt.Field != field {
			t.Errorf("got %v, want %s refused", err, field)
		}
	}
	for field, o := range map[string]BrowserOptions{
		"Browser.Shared": {Shared: b}, "Browser.Install": {Install: "sometimes"}, "Browser.Args": {Args: []string{"--no-sandbox"}},
	} {
		if _, err := NewSharedBrowser(o, nil); err == nil {
			t.Errorf("%s is taken", field)
		} else if opt, ok := errors.AsType[*OptionError](err); !ok || opt.Field != field {
			t.Errorf("got %v, want %s refused", err, field)
		}
	}
}

func TestSharedBrowser_enginesSeeTheirOwnHosts(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	b, err := NewSharedBrowser(BrowserOptions{System: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	engines := map[string]*Engine{}
	for _, name := range []string{"rye", "oats"} {
		page := htmlPage(fmt.Sprintf(`<p id=p></p><script>p.textContent = "%s, " + (document.cookie || "no cookie"); document.cookie = "%s=1"</script>`, name, name))
		engines[name] = newTestEngine(t, Options{
			Hosts: map[string]http.Handler{"shop.example": page}, Browser: BrowserOptions{Shared: b},
		})
	}
	for range 2 {
		for name, e := range engines {
			doc, err := e.Scrape(t.Context(), "https://shop.example/", ScrapeOptions{Render: RenderAlways, MaxAge: fresh})
			if err != nil || doc.Markdown != name+", no cookie" {
				t.Errorf("%s: got %v, %v", name, doc, err)
			}
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	if _, err := engines["rye"].Scrape(t.Context(), "https://shop.example/", ScrapeOptions{Render: RenderAlways, MaxAge: fresh}); err == nil {
		t.Error("a page comes from a browser that is closed")
	}
}
