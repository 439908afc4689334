package engine

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/formats"
)

func TestVersions_areTheNewestFive(t *testing.T) {
	g, c := newGranary(barley), newClock()
	e := cachingEngine(t, g, func(o *Options) { o.Now = c.now })
	for i := range 7 {
		g.shows(fmt.Sprintf("<p>Day %d</p>", i))
		scrapeOK(t, e, "https://granary.example/", ScrapeOptions{MaxAge: fresh})
		c.pass(24 * time.Hour)
	}
	scrapeOK(t, e, "https://granary.example/", ScrapeOptions{MaxAge: fresh, BlockAds: new(false)})
	versions, err := e.Versions(t.Context(), "granary.example")
	if err != nil || len(versions) != 6 {
		t.Fatalf("%d versions, %v", len(versions), err)
	}
	for i, v := range versions[:5] {
		want := c.now().Add(-time.Duration(i+1) * 24 * time.Hour)
		if !v.StoredAt.Equal(want) || v.URL != "https://granary.example/" || v.StatusCode != 200 || v.RenderedBy != "http" || v.Size == 0 || strings.Contains(v.Variant, "ads") {
			t.Errorf("%d: %+v, want it stored at %s", i, v, want)
		}
	}
	if !strings.Contains(versions[5].Variant, "ads") {
		t.Errorf("the last: %+v", versions[5])
	}
	if none, err := e.Versions(t.Context(), "https://other.example/"); err != nil || len(none) != 0 {
		t.Errorf("of another URL: %v, %v", none, err)
	}
	_, err = e.Versions(t.Context(), "ftp://x/")
	wantRefusal(t, err, "url", CodeBadRequest)
}

func TestForget_leavesNothingOfAPage(t *testing.T) {
	dir := t.TempDir()
	e := cachingEngine(t, newGranary(barley), func(o *Options) { o.Dir = dir })
	track := ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.ChangeTracking}}}
	ids := map[string]string{}
	for _, path := range []string{"/", "/docs", "/docs/a", "/docs/b?x=1", "/doctor"} {
		ids[path] = scrapeOK(t, e, "https://granary.example"+path, track).Metadata.ScrapeID
	}
	n, err := e.Forget(t.Context(), "http://www.granary.example/docs/*")
	if err != nil || n != 3 {
		t.Errorf("forgot %d, %v", n, err)
	}
	for path, id := range ids {
		gone := strings.HasPrefix(path, "/docs")
		_, lookup := e.Scrape(t.Context(), "https://granary.example"+path, ScrapeOptions{Lockdown: true})
		_, record := e.ScrapeByID(t.Context(), id)
		status := scrapeOK(t, e, "https://granary.example"+path, track).ChangeTracking.ChangeStatus
		if (lookup != nil) != gone || (record != nil) != gone || (status == "new") != gone {
			t.Errorf("%s: lookup %v, record %v, status %s", path, lookup, record, status)
		}
	}
	if n, err := e.Forget(t.Context(), "https://granary.example/"); err != nil || n == 0 {
		t.Errorf("forgot %d, %v", n, err)
	}
	if _, err := e.Scrape(t.Context(), "https://granary.example/doctor", ScrapeOptions{Lockdown: true}); err != nil {
		t.Error("a page below went with its root:", err)
	}
}

func TestCompact_givesRoomBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := cachingEngine(t, newGranary(""), func(o *Options) { o.Dir = dir })
	for i := range 50 {
		e.options.Hosts["granary.example"].(*granary).shows(fmt.Sprintf("<p>%s</p>", noise(i, 100_000)))
		scrapeOK(t, e, fmt.Sprintf("https://granary.example/%d", i), ScrapeOptions{})
	}
	if _, err := e.Forget(t.Context(), "https://granary.example/*"); err != nil {
		t.Fatal(err)
	}
	before, err := e.CacheStats(t.Context())
	if err != nil || before.FreeBytes < 1<<20 || before.Versions != 0 || before.Pages != 0 {
		t.Errorf("before: %+v, %v", before, err)
	}
	if err := e.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	after, err := e.CacheStats(t.Context())
	if err != nil || after.FileBytes >= before.FileBytes/4 || after.StateBytes >= before.StateBytes {
		t.Errorf("after: %+v, before: %+v, %v", after, before, err)
	}
	scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
	scrapeOK(t, e, "https://granary.example/", ScrapeOptions{Lockdown: true})
}

// noise is text that doesn't compress well.
func noise(seed, n int) string {
	var b strings.Builder
	x := uint64(seed)*2862933555777941757 + 3037000493
	for b.Len() < n {
		x = x*6364136223846793005 + 1442695040888963407
		b.WriteString(strconv.FormatUint(x>>16, 16) + " ")
	}
	return b.String()
}

func TestCacheOptions_bound(t *testing.T) {
	c := newClock()
	e := cachingEngine(t, newGranary(barley), func(o *Options) {
		o.Now, o.Cache = c.now, CacheOptions{Versions: 2, MaxAge: 24 * time.Hour}
	})
	for range 4 {
		scrapeOK(t, e, "https://granary.example/", ScrapeOptions{MaxAge: fresh})
		c.pass(time.Hour)
	}
	if v, err := e.Versions(t.Context(), "granary.example"); err != nil || len(v) != 2 {
		t.Errorf("%d versions, %v", len(v), err)
	}
	c.pass(48 * time.Hour)
	if err := e.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := e.Versions(t.Context(), "granary.example"); err != nil || len(v) != 0 {
		t.Errorf("%d versions after their time, %v", len(v), err)
	}
}

func TestNew_aFileThatCantBeUsedIsAClearError(t *testing.T) {
	t.Parallel()
	write := func(name string, data []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		prepare func(t *testing.T, dir string)
		want    string
	}{
		"open elsewhere":     {func(t *testing.T, dir string) { newTestEngine(t, Options{Dir: dir}) }, "cache.db"},
		"pages not bbolt":    {write("cache.db", []byte(strings.Repeat("not a database ", 1000))), "cache.db"},
		"state not bbolt":    {write("state.db", []byte(strings.Repeat("not a database ", 1000))), "state.db"},
		"a folder in place":  {func(t *testing.T, dir string) { _ = os.Mkdir(filepath.Join(dir, "cache.db"), 0o700) }, "cache.db"},
		"truncated":          {truncated, "cache.db"},
		"pages are no state": {swapped, "cache.db"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.prepare(t, dir)
			before := contents(t, dir)
			_, err := New(Options{Dir: dir})
			wantRefusal(t, err, "Dir", CodeBadRequest)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want it to name %s", err, c.want)
			}
			for file, data := range before {
				if now, err := os.ReadFile(filepath.Join(dir, file)); err != nil || string(now) != data {
					t.Errorf("%s was changed, %v", file, err)
				}
			}
		})
	}
}

func truncated(t *testing.T, dir string) {
	filled(t, dir)
	if err := os.Truncate(filepath.Join(dir, "cache.db"), 64<<10); err != nil {
		t.Fatal(err)
	}
}

func swapped(t *testing.T, dir string) {
	filled(t, dir)
	if err := os.Rename(filepath.Join(dir, "state.db"), filepath.Join(dir, "cache.db")); err != nil {
		t.Fatal(err)
	}
}

// filled leaves a folder that an engine has used.
func filled(t *testing.T, dir string) {
	t.Helper()
	e, err := New(Options{Dir: dir, Render: RenderNever, Hosts: map[string]http.Handler{"a.example": htmlPage(barley + noise(1, 1<<20))}})
	if err != nil {
		t.Fatal(err)
	}
	scrapeOK(t, e, "http://a.example/", ScrapeOptions{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"cache.db", "state.db"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			all[name] = string(data)
		}
	}
	return all
}

func TestNew_saysThatAnotherHasTheFolderOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newTestEngine(t, Options{Dir: dir})
	if _, err := New(Options{Dir: dir}); !errors.Is(err, cache.ErrLocked) {
		t.Errorf("got %v", err)
	}
}

// What can't be read is a miss with a logged reason, and the page is fetched again.
func TestCache_aCorruptPageIsAMiss(t *testing.T) {
	var log logBuffer
	g := newGranary(barley)
	e := cachingEngine(t, g, func(o *Options) { o.Logger = log.logger() })
	scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
	p, err := e.resolve("https://granary.example/", ScrapeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	versions, err := e.stores.Pages.Versions(t.Context(), p.Caching.Key)
	if err != nil || len(versions) != 1 {
		t.Fatal(versions, err)
	}
	for _, broken := range []cache.Entry{
		{Key: p.Caching.Key, Stored: e.now(), Meta: versions[0].Meta, Value: []byte("not a page")},
		{Key: p.Caching.Key, Stored: e.now(), Meta: []byte("{"), Value: []byte{1}},
	} {
		if _, err := e.Forget(t.Context(), "granary.example"); err != nil {
			t.Fatal(err)
		}
		if err := e.stores.Pages.Put(t.Context(), broken, nil); err != nil {
			t.Fatal(err)
		}
		log.reset()
		doc := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{})
		if doc.Metadata.CacheState != "miss" || !strings.Contains(log.String(), "can't be read") {
			t.Errorf("%+v\nlog %s", doc.Metadata, log.String())
		}
	}
}
