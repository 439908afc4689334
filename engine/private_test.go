package engine

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// logBuffer collects what an engine logs, on all levels.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func (b *logBuffer) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text.Reset()
}

func (b *logBuffer) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// outbound counts every way out of an engine.
type outbound struct{ lookups, dials, requests atomic.Int64 }

func (o *outbound) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	o.lookups.Add(1)
	return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
}

func (o *outbound) dial(context.Context, string, string) (net.Conn, error) {
	o.dials.Add(1)
	return nil, fmt.Errorf("counted")
}

func (o *outbound) ServeHTTP(w http.ResponseWriter, r *http.Request) { o.requests.Add(1) }

// Lockdown: nothing leaves the process, whatever is asked, hit or miss.
func TestLockdown_nothingLeavesTheProcess(t *testing.T) {
	dir, log, out := t.TempDir(), &logBuffer{}, &outbound{}
	filler := cachingEngine(t, newGranary(barley), func(o *Options) { o.Dir = dir })
	scrapeOK(t, filler, "https://granary.example/", ScrapeOptions{})
	if err := filler.Close(); err != nil {
		t.Fatal(err)
	}
	before := children(t)
	e := newTestEngine(t, Options{
		Dir: dir, Logger: log.logger(), Resolver: out, DialContext: out.dial, Policy: fetch.Policy{AllowPrivate: true},
		Hosts: map[string]http.Handler{"virtual.example": out}, Browser: BrowserOptions{CacheDir: t.TempDir()},
		Proxies: anyProxies,
	})
	steps := map[string]bool{}
	for name, c := range map[string]struct {
		url  string
		o    ScrapeOptions
		want Code
	}{
		"hit":        {"https://granary.example/", ScrapeOptions{}, ""},
		"never":      {"https://granary.example/", ScrapeOptions{Render: RenderNever}, ""},
		"rendered":   {"https://granary.example/", ScrapeOptions{Render: RenderAlways}, CodeLockdownMiss},
		"screenshot": {"https://granary.example/", ScrapeOptions{Formats: shotFormat}, CodeLockdownMiss},
		"waitFor":    {"https://granary.example/", ScrapeOptions{WaitFor: time.Second}, CodeLockdownMiss},
		"mobile":     {"https://granary.example/", ScrapeOptions{Mobile: true}, CodeLockdownMiss},
		"enhanced":   {"https://granary.example/", ScrapeOptions{Proxy: ProxyEnhanced}, CodeLockdownMiss},
		"location":   {"https://granary.example/", ScrapeOptions{Location: &Location{Country: "DE"}}, CodeLockdownMiss},
		"too old":    {"https://granary.example/", ScrapeOptions{MaxAge: new(time.Nanosecond)}, CodeLockdownMiss},
		"miss":       {"https://secret.example/path?q=marker", ScrapeOptions{}, CodeLockdownMiss},
		"virtual":    {"https://virtual.example/marker", ScrapeOptions{}, CodeLockdownMiss},
		"address":    {"http://127.0.0.1:1/marker", ScrapeOptions{}, CodeLockdownMiss},
		"actions":    {"https://secret.example/marker", ScrapeOptions{Actions: []actions.Action{{Type: actions.Wait, Milliseconds: 1}}}, CodeBadRequest},
		"bad URL":    {"ftp://secret.example/marker", ScrapeOptions{}, CodeBadRequest},
	} {
		c.o.Lockdown = true
		c.o.OnStep = func(s Step) { steps[s.Name] = true }
		_, err := e.Scrape(t.Context(), c.url, c.o)
		if CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "marker") || strings.Contains(err.Error(), "secret.example") || strings.Contains(err.Error(), "granary")) {
			t.Errorf("%s: the error tells the URL: %v", name, err)
		}
	}
	if out.lookups.Load()+out.dials.Load()+out.requests.Load() != 0 {
		t.Errorf("%d look-ups, %d dials, %d requests", out.lookups.Load(), out.dials.Load(), out.requests.Load())
	}
	if after := childrenSince(t, before); len(after) != 0 {
		t.Errorf("processes were started: %v", after)
	}
	for _, step := range []string{"fetch", "install", "open", "goto"} {
		if steps[step] {
			t.Errorf("step %s was taken", step)
		}
	}
	if strings.Contains(log.String(), "example") || strings.Contains(log.String(), "marker") {
		t.Errorf("the log tells URLs:\n%s", log.String())
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := foundIn(t, dir, "secret.example", "marker"); len(found) != 0 {
		t.Errorf("found in %v", found)
	}
	if u, err := e.Usage(t.Context(), ""); err != nil || u.Credits != 1+2*5+10 {
		t.Errorf("usage %+v, %v", u, err)
	}
}

// foundIn looks for texts in all files below a folder, names included. Stores compress,
// so their own ways of reading are used as well, by the tests.
func foundIn(t *testing.T, dir string, texts ...string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() && !d.IsDir() {
			return nil // gone meanwhile, or a socket
		}
		var data []byte
		if d.Type().IsRegular() {
			if data, err = os.ReadFile(path); err != nil {
				return nil
			}
		}
		for _, text := range texts {
			if strings.Contains(path, text) || bytes.Contains(data, []byte(text)) {
				found = append(found, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return found
}

// Zero data retention: after scrapes of every kind neither the address nor the text of
// the page is anywhere: not in the engine's folder, the temporary folder, the assets,
// the browser's cache folder, the log, the errors or the records.
func TestZeroDataRetention_leavesNoTrace(t *testing.T) {
	needBrowser(t)
	const marker, host = "kernelmarker", "hushed.example"
	dir, assets, temp, log := t.TempDir(), t.TempDir(), t.TempDir(), &logBuffer{}
	t.Setenv("TMPDIR", temp)
	var reports atomic.Int64
	model := says(`{"a":"` + marker + `"}`)
	model.local = true
	e := hostEngine(t, map[string]http.Handler{
		host:           htmlPage(`<main><h1>` + marker + `</h1><p>A text about ` + marker + `.</p></main><script>localStorage.x = "` + marker + `"; document.cookie = "c=` + marker + `;max-age=9999"</script>`),
		"loud.example": htmlPage(`<main><h1>loudmarker</h1></main>`),
	}, func(o *Options) {
		o.Dir, o.AssetDir, o.Logger, o.AllowZeroDataRetention = dir, assets, log.logger(), true
		o.OnPage = func(PageReport) { reports.Add(1) }
		o.Model = model
	})
	loud := scrapeOK(t, e, "http://loud.example/loudpath", ScrapeOptions{Owner: "o"})
	var ids []string
	for name, c := range map[string]struct {
		url string
		o   ScrapeOptions
	}{
		"plain":      {"/secretpath", ScrapeOptions{Render: RenderNever}},
		"rendered":   {"/secretpath", ScrapeOptions{Render: RenderAlways}},
		"screenshot": {"/secretpath", ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Screenshot}}}},
		"actions": {"/secretpath", ScrapeOptions{Actions: []actions.Action{
			{Type: actions.Screenshot}, {Type: actions.Scrape}, {Type: actions.PDF}}}},
		"profile":  {"/secretpath", ScrapeOptions{Profile: &Profile{Name: "p", SaveChanges: new(false)}}},
		"tracking": {"/secretpath", ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.ChangeTracking}}}},
		"model":    {"/secretpath", asks(markdownFormat, summaryFormat, jsonFormat(`{"type":"object","properties":{"a":{"type":"string"}}}`))},
	} {
		c.o.ZeroDataRetention, c.o.Owner = true, "o"
		credits := 2
		if name == "model" {
			credits += 4
		}
		doc := scrapeOK(t, e, "http://"+host+c.url, c.o)
		if !strings.Contains(doc.Markdown, marker) || doc.Metadata.CacheState != "bypass" || doc.Metadata.CreditsUsed != credits {
			t.Errorf("%s: %+v", name, doc)
		}
		if c.o.Formats != nil && name == "screenshot" && !strings.HasPrefix(doc.Screenshot, "data:") {
			t.Errorf("%s: screenshot %.40q", name, doc.Screenshot)
		}
		if name == "tracking" && (doc.ChangeTracking != nil || !strings.Contains(doc.Warning, "zero data retention")) {
			t.Errorf("tracking: %+v, warning %q", doc.ChangeTracking, doc.Warning)
		}
		ids = append(ids, doc.Metadata.ScrapeID)
	}
	seen := reports.Load()
	for _, url := range []string{"http://unknown-" + host + "/secretpath", "ftp://" + host + "/secretpath"} {
		_, err := e.Scrape(t.Context(), url, ScrapeOptions{ZeroDataRetention: true, Owner: "o"})
		if err == nil || strings.Contains(err.Error(), host) || strings.Contains(fmt.Sprintf("%+v", err), "secretpath") {
			t.Errorf("the error tells the URL, or there is none: %v", err)
		}
	}
	if seen != 0 {
		t.Errorf("%d reports of pages", seen)
	}
	for _, id := range ids {
		if _, err := e.ScrapeByID(t.Context(), id); CodeOf(err) != CodeNotFound {
			t.Errorf("a record: %v", err)
		}
	}
	if v, err := e.Versions(t.Context(), host+"*"); err != nil || len(v) != 0 {
		t.Errorf("versions %+v, %v", v, err)
	}
	if n := e.rendered.Count(); n != 1 {
		t.Errorf("%d outputs are kept in memory, want the loud one", n)
	}
	if err := e.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	traces := []string{marker, host, "secretpath"}
	for _, folder := range []string{dir, assets, temp} { // the browser is alive
		if found := foundIn(t, folder, traces...); len(found) != 0 {
			t.Errorf("found in %v", found)
		}
	}
	if text := log.String(); strings.Contains(text, marker) || strings.Contains(text, host) || strings.Contains(text, "secretpath") {
		t.Errorf("found in the log:\n%s", text)
	}
	// The search would find what is kept.
	if _, err := e.ScrapeByID(t.Context(), loud.Metadata.ScrapeID); err != nil {
		t.Error(err)
	}
	if found := foundIn(t, dir, "loudpath"); len(found) == 0 {
		t.Error("the search doesn't find what was kept")
	}
	if u, err := e.Usage(t.Context(), "o"); err != nil || u.Credits != 1+7*2+4 {
		t.Errorf("usage %+v, %v", u, err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	for _, folder := range []string{dir, assets, temp} {
		if found := foundIn(t, folder, traces...); len(found) != 0 {
			t.Errorf("after Close: found in %v", found)
		}
	}
}
