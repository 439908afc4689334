package engine

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

func newTestEngine(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error("close:", err)
		}
	})
	return e
}

// busyPatience is what a scrape without a timeout of its own has in tests: a minute is little on a machine with much else to do.
const busyPatience = maxTimeout

func TestResolve_defaults(t *testing.T) {
	e := newTestEngine(t, Options{})
	e.patience = defaultTimeout
	p, err := e.resolve("example.com", ScrapeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p.URL != "http://example.com/" || p.source != "example.com" {
		t.Errorf("url %q, source %q", p.URL, p.source)
	}
	if p.timeout != time.Minute || p.WaitFor != 0 || p.Mobile || !p.SkipTLS || p.Mode != page.ModeAuto || p.BrowserFor != "" {
		t.Errorf("got %+v", p)
	}
	if r := p.Rendering.Options; !r.OnlyMainContent || !r.RemoveBase64Images || len(r.Formats) != 1 || r.Formats[0] != formats.Markdown {
		t.Errorf("rendering %+v", r)
	}
	if p.Location.Tag != "en-US" || p.Timezone != "" {
		t.Errorf("location %+v, timezone %q", p.Location, p.Timezone)
	}
}

func TestResolve_secretsTurnTLSVerificationOn(t *testing.T) {
	e := newTestEngine(t, Options{})
	for name, c := range map[string]struct {
		o    ScrapeOptions
		want bool
	}{
		"default":             {ScrapeOptions{}, true},
		"explicit":            {ScrapeOptions{SkipTLSVerification: new(false)}, false},
		"headers":             {ScrapeOptions{Headers: map[string]string{"Cookie": "a=b"}}, false},
		"headers but asked":   {ScrapeOptions{Headers: map[string]string{"Cookie": "a=b"}, SkipTLSVerification: new(true)}, true},
		"empty map of header": {ScrapeOptions{Headers: map[string]string{}}, true},
	} {
		p, err := e.resolve("https://example.com", c.o)
		if err != nil || p.SkipTLS != c.want {
			t.Errorf("%s: skipTLS %v, %v; want %v", name, p.SkipTLS, err, c.want)
		}
	}
}

// What can't be honoured is refused with the field's name; nothing is ignored.
func TestResolve_refusesByFieldAndRange(t *testing.T) {
	e := newTestEngine(t, Options{})
	e.patience = defaultTimeout
	shot := formats.Format{Type: formats.Screenshot}
	raw := []formats.Format{{Type: formats.RawBase64}}
	for _, c := range []struct {
		field string
		o     ScrapeOptions
	}{
		{"timeout", ScrapeOptions{Timeout: time.Second - 1}},
		{"timeout", ScrapeOptions{Timeout: 300*time.Second + 1}},
		{"timeout", ScrapeOptions{Timeout: -time.Second}},
		{"waitFor", ScrapeOptions{WaitFor: -1}},
		{"waitFor", ScrapeOptions{WaitFor: 31 * time.Second}},
		{"waitFor", ScrapeOptions{WaitFor: 61 * time.Second, Timeout: 300 * time.Second}},
		{"headers", ScrapeOptions{Headers: map[string]string{"Host": "x"}}},
		{"headers", ScrapeOptions{Headers: map[string]string{"Proxy-Authorization": "x"}}},
		{"headers", ScrapeOptions{Headers: map[string]string{"Connection": "close"}}},
		{"headers", ScrapeOptions{Headers: map[string]string{"A b": "x"}}},
		{"headers", ScrapeOptions{Headers: map[string]string{"A": "x\r\nB: y"}}},
		{"headers", ScrapeOptions{Headers: map[string]string{"cookie": "a", "Cookie": "b"}}},
		{"location.country", ScrapeOptions{Location: &Location{Country: "Mars"}}},
		{"location.languages[0]", ScrapeOptions{Location: &Location{Languages: []string{"??"}}}},
		{"render", ScrapeOptions{Render: "sometimes"}},
		{"render", ScrapeOptions{Render: RenderNever, WaitFor: time.Second}},
		{"render", ScrapeOptions{Render: RenderNever, Mobile: true}},
		{"render", ScrapeOptions{Render: RenderNever, Location: &Location{}}},
		{"render", ScrapeOptions{Render: RenderNever, Formats: []formats.Format{shot}}},
		{"render", ScrapeOptions{Render: RenderAlways, Formats: raw}},
		{"waitFor", ScrapeOptions{WaitFor: time.Second, Formats: raw}},
		{"mobile", ScrapeOptions{Mobile: true, Formats: raw}},
		{"proxyURL", ScrapeOptions{ProxyURL: "ftp://proxy.example"}},
		{"proxyURL", ScrapeOptions{ProxyURL: "http://"}},
		{"proxy", ScrapeOptions{ProxyURL: "http://p.example", Proxy: ProxyBasic}},
		{"proxy", ScrapeOptions{Proxy: "teapot"}},
		{"profile.name", ScrapeOptions{Profile: &Profile{}}},
		{"profile.name", ScrapeOptions{Profile: &Profile{Name: strings.Repeat("x", 129)}}},
		{"actions[0].selector", ScrapeOptions{Actions: []actions.Action{{Type: actions.Click}}}},
		{"actions", ScrapeOptions{Actions: slices.Repeat([]actions.Action{{Type: actions.Scrape}}, 51)}},
		{"actions", ScrapeOptions{WaitFor: 30 * time.Second, Actions: []actions.Action{{Type: actions.Wait, Milliseconds: 30_001}}}},
		{"render", ScrapeOptions{Render: RenderNever, Profile: &Profile{Name: "x"}}},
		{"render", ScrapeOptions{Render: RenderNever, Actions: []actions.Action{{Type: actions.Scrape}}}},
		{"includeTags", ScrapeOptions{IncludeTags: []string{"div["}}},
		{"excludeTags", ScrapeOptions{ExcludeTags: []string{"p", ":nope("}}},
		{"formats", ScrapeOptions{Formats: []formats.Format{{Type: "pigeon"}}}},
		{"formats", ScrapeOptions{Formats: []formats.Format{shot, shot}}},
		{"formats", ScrapeOptions{Formats: append(raw, formats.Format{Type: formats.Markdown})}},
		{"quality", ScrapeOptions{Formats: []formats.Format{{Type: formats.Screenshot, Quality: 101}}}},
		{"viewport", ScrapeOptions{Formats: []formats.Format{{Type: formats.Screenshot, Viewport: &formats.Viewport{Width: 7681, Height: 1}}}}},
		{"selectors", ScrapeOptions{Formats: []formats.Format{{Type: formats.Attributes}}}},
	} {
		_, err := e.Scrape(t.Context(), "https://example.com", c.o)
		wantRefusal(t, err, c.field, CodeBadRequest)
	}
}

func wantRefusal(t *testing.T, err error, field string, code Code) {
	t.Helper()
	var opt *OptionError
	if !errors.As(err, &opt) || !strings.Contains(opt.Field, field) || CodeOf(err) != code {
		t.Errorf("got %v, want %s for %s", err, code, field)
	}
}

func TestResolve_acceptsTheDefaultsWhenGivenExplicitly(t *testing.T) {
	e := newTestEngine(t, Options{})
	o := ScrapeOptions{
		Formats: []formats.Format{{Type: formats.Markdown}}, OnlyMainContent: new(true), MaxAge: new(pagestore.DefaultMaxAge),
		SkipTLSVerification: new(true), Timeout: time.Minute, RemoveBase64Images: new(true), BlockAds: new(false),
		Proxy: ProxyAuto, StoreInCache: new(true), Render: RenderAuto, IncludeTags: []string{""},
	}
	if _, err := e.resolve("https://example.com", o); err != nil {
		t.Error(err)
	}
}

func TestNew_refusesByFieldAndRange(t *testing.T) {
	for field, o := range map[string]Options{
		"UserAgent":          {UserAgent: "two\r\nlines"},
		"Policy.AllowHosts":  {Policy: fetch.Policy{AllowHosts: []string{"a b"}}},
		"Hosts":              {Hosts: map[string]http.Handler{"UPPER": http.NotFoundHandler()}},
		"Render":             {Render: "sometimes"},
		"MaxPages":           {MaxPages: -1},
		"MaxBytes":           {MaxBytes: -1},
		"MaxFileMemory":      {MaxFileMemory: -1},
		"JobMemory":          {JobMemory: -1},
		"Proxies[0].URL":     {Proxies: []Proxy{{URL: "ftp://x"}}},
		"Proxies[1].Tier":    {Proxies: []Proxy{{URL: "http://x"}, {URL: "http://x", Tier: "auto"}}},
		"Proxies[0].Country": {Proxies: []Proxy{{URL: "http://x", Country: "XX"}}},
		"Browser.Install":    {Browser: BrowserOptions{Install: "perhaps"}},
		"Headless":           {Browser: BrowserOptions{Headless: "half"}},
		"MaxAge":             {Browser: BrowserOptions{MaxAge: -1}},
		"ConnectURL":         {Browser: BrowserOptions{ConnectURL: "ftp://x"}},
		"args":               {Browser: BrowserOptions{Args: []string{"--ignore-certificate-errors"}}},
	} {
		_, err := New(o)
		if CodeOf(err) != CodeBadRequest || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(field)) {
			t.Errorf("%s: got %v", field, err)
		}
	}
}
