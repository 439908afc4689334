package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/formats"
)

var (
	anyProxies = []Proxy{{URL: "http://basic.example"}, {URL: "http://enhanced.example", Tier: ProxyEnhanced}}
	shotFormat = []formats.Format{{Type: formats.Screenshot}}
	fullFormat = []formats.Format{{Type: formats.Screenshot, FullPage: true}}
)

func resolved(t *testing.T, o ScrapeOptions) *plan {
	t.Helper()
	e := newTestEngine(t, Options{Proxies: anyProxies, AllowZeroDataRetention: true})
	p, err := e.resolve("https://a.example/x", o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCaching_onlyWhatChangesWhatIsFetchedIsInTheKey(t *testing.T) {
	plain := resolved(t, ScrapeOptions{}).Caching.Key
	for name, o := range map[string]ScrapeOptions{
		"formats":     {Formats: []formats.Format{{Type: formats.HTML}, {Type: formats.Links}}},
		"screenshot":  {Formats: shotFormat},
		"tags":        {IncludeTags: []string{"main"}, ExcludeTags: []string{".ad"}},
		"main":        {OnlyMainContent: new(false)},
		"waitFor":     {WaitFor: time.Second},
		"timeout":     {Timeout: 5 * time.Second},
		"maxAge":      {MaxAge: new(time.Hour)},
		"minAge":      {MinAge: new(time.Hour)},
		"render":      {Render: RenderAlways},
		"tls":         {SkipTLSVerification: new(false)},
		"owner":       {Owner: "somebody"},
		"proxy basic": {Proxy: ProxyBasic},
	} {
		if key := resolved(t, o).Caching.Key; key != plain {
			t.Errorf("%s: key %q, without %q", name, key, plain)
		}
	}
	seen := map[string]string{plain: "nothing"}
	for name, o := range map[string]ScrapeOptions{
		"mobile":    {Mobile: true},
		"ads":       {BlockAds: new(false)},
		"enhanced":  {Proxy: ProxyEnhanced},
		"country":   {Location: &Location{Country: "DE"}},
		"languages": {Location: &Location{Country: "DE", Languages: []string{"fr"}}},
		"proxy URL": {ProxyURL: "http://user:secret@p.example"},
		"another":   {ProxyURL: "http://q.example"},
	} {
		key := resolved(t, o).Caching.Key
		if other, ok := seen[key]; ok {
			t.Errorf("%s has the key of %s: %q", name, other, key)
		}
		if strings.Contains(key, "secret") {
			t.Errorf("%s: a password in the key %q", name, key)
		}
		seen[key] = name
	}
}

func TestCaching_bypasses(t *testing.T) {
	for name, c := range map[string]struct {
		o           ScrapeOptions
		read, write bool
	}{
		"plain":             {ScrapeOptions{}, true, true},
		"maxAge 0":          {ScrapeOptions{MaxAge: fresh}, false, true},
		"storeInCache":      {ScrapeOptions{StoreInCache: new(false)}, true, false},
		"headers":           {ScrapeOptions{Headers: map[string]string{"A": "b"}}, false, false},
		"headers, asked":    {ScrapeOptions{Headers: map[string]string{"A": "b"}, StoreInCache: new(true)}, false, false},
		"actions":           {ScrapeOptions{Actions: []actions.Action{{Type: actions.Wait, Milliseconds: 1}}}, false, false},
		"profile":           {ScrapeOptions{Profile: &Profile{Name: "p"}}, false, false},
		"zero retention":    {ScrapeOptions{ZeroDataRetention: true}, false, false},
		"screenshot":        {ScrapeOptions{Formats: shotFormat}, true, true},
		"viewport":          {ScrapeOptions{Formats: []formats.Format{{Type: formats.Screenshot, Viewport: &formats.Viewport{Width: 1, Height: 1}}}}, false, false},
		"quality":           {ScrapeOptions{Formats: []formats.Format{{Type: formats.Screenshot, Quality: 1}}}, false, false},
		"revalidate":        {ScrapeOptions{Revalidate: true}, false, true},
		"change tracking":   {ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.ChangeTracking}}}, false, true},
		"lockdown":          {ScrapeOptions{Lockdown: true}, true, false},
		"minAge":            {ScrapeOptions{MinAge: new(time.Hour)}, true, false},
		"lockdown, storing": {ScrapeOptions{Lockdown: true, StoreInCache: new(true)}, true, false},
	} {
		p := resolved(t, c.o)
		if read := !p.Caching.Fresh(); read != c.read || p.Caching.Write != c.write {
			t.Errorf("%s: read %t, write %t", name, read, p.Caching.Write)
		}
	}
	e := newTestEngine(t, Options{})
	p, err := e.resolve("https://user:pass@a.example/", ScrapeOptions{})
	if err != nil || p.Caching.Read || p.Caching.Write {
		t.Errorf("credentials: %+v, %v", p.Caching, err)
	}
}

func TestCaching_refusesWhatContradictsItself(t *testing.T) {
	e := newTestEngine(t, Options{AllowZeroDataRetention: true})
	tracking := []formats.Format{{Type: formats.Markdown}, {Type: formats.ChangeTracking}}
	for _, c := range []struct {
		field string
		o     ScrapeOptions
	}{
		{"maxAge", ScrapeOptions{MaxAge: new(time.Duration(-1))}},
		{"minAge", ScrapeOptions{MinAge: new(time.Duration(-1))}},
		{"maxAge", ScrapeOptions{MaxAge: new(time.Minute), MinAge: new(time.Hour)}},
		{"maxAge", ScrapeOptions{MaxAge: fresh, MinAge: new(time.Duration(0))}},
		{"maxAge", ScrapeOptions{MaxAge: fresh, Lockdown: true}},
		{"headers", ScrapeOptions{Headers: map[string]string{"A": "b"}, Lockdown: true}},
		{"headers", ScrapeOptions{Headers: map[string]string{"A": "b"}, MinAge: new(time.Hour)}},
		{"actions", ScrapeOptions{Actions: []actions.Action{{Type: actions.Wait, Milliseconds: 1}}, Lockdown: true}},
		{"profile", ScrapeOptions{Profile: &Profile{Name: "p"}, Lockdown: true}},
		{"changeTracking", ScrapeOptions{Formats: tracking, Lockdown: true}},
		{"changeTracking", ScrapeOptions{Formats: tracking, MinAge: new(time.Hour)}},
		{"zeroDataRetention", ScrapeOptions{ZeroDataRetention: true, MinAge: new(time.Hour)}},
		{"profile.saveChanges", ScrapeOptions{ZeroDataRetention: true, Profile: &Profile{Name: "p"}}},
		{"owner", ScrapeOptions{Owner: "a\x00b"}},
		{"owner", ScrapeOptions{Owner: strings.Repeat("x", 257)}},
	} {
		_, err := e.Scrape(t.Context(), "https://example.com", c.o)
		wantRefusal(t, err, c.field, CodeBadRequest)
	}
	_, err := newTestEngine(t, Options{}).Scrape(t.Context(), "https://example.com", ScrapeOptions{ZeroDataRetention: true})
	wantRefusal(t, err, "zeroDataRetention", CodeBadRequest)
}

func TestCaching_defaultAges(t *testing.T) {
	for name, c := range map[string]struct {
		o        ScrapeOptions
		min, max time.Duration
	}{
		"plain":           {ScrapeOptions{}, 0, 48 * time.Hour},
		"lockdown":        {ScrapeOptions{Lockdown: true}, 0, 2 * 365 * 24 * time.Hour},
		"lockdown, given": {ScrapeOptions{Lockdown: true, MaxAge: new(time.Hour)}, 0, time.Hour},
		"minAge":          {ScrapeOptions{MinAge: new(time.Hour)}, time.Hour, pagestore.AnyAge},
		"minAge 1":        {ScrapeOptions{MinAge: new(time.Millisecond)}, 0, pagestore.AnyAge},
		"both":            {ScrapeOptions{MinAge: new(time.Hour), MaxAge: new(2 * time.Hour)}, time.Hour, 2 * time.Hour},
	} {
		if got := resolved(t, c.o).Caching; got.MinAge != c.min || got.MaxAge != c.max {
			t.Errorf("%s: %s to %s", name, got.MinAge, got.MaxAge)
		}
	}
}

func TestFits(t *testing.T) {
	http, rendered := pagestore.Facts{By: page.ByHTTP, Static: true}, pagestore.Facts{By: page.ByBrowser}
	with := func(m pagestore.Facts, change func(*pagestore.Facts)) pagestore.Facts { change(&m); return m }
	for name, c := range map[string]struct {
		o    ScrapeOptions
		m    pagestore.Facts
		want bool
	}{
		"HTTP for auto":                    {ScrapeOptions{}, http, true},
		"HTTP for auto, not sure":          {ScrapeOptions{}, pagestore.Facts{By: page.ByHTTP}, false},
		"HTTP for lockdown, not sure":      {ScrapeOptions{Lockdown: true}, pagestore.Facts{By: page.ByHTTP}, true},
		"HTTP for lockdown with a waitFor": {ScrapeOptions{Lockdown: true, WaitFor: time.Second}, pagestore.Facts{By: page.ByHTTP, WaitFor: time.Second}, false},
		"browser for auto":                 {ScrapeOptions{}, rendered, true},
		"HTTP for always":                  {ScrapeOptions{Render: RenderAlways}, http, false},
		"browser for always":               {ScrapeOptions{Render: RenderAlways}, rendered, true},
		"HTTP for never":                   {ScrapeOptions{Render: RenderNever}, http, true},
		"browser for never":                {ScrapeOptions{Render: RenderNever}, rendered, false},
		"browser for the body as it is":    {ScrapeOptions{Formats: []formats.Format{{Type: formats.RawBase64}}}, rendered, false},
		"HTTP for mobile":                  {ScrapeOptions{Mobile: true}, http, false},
		"unverified":                       {ScrapeOptions{SkipTLSVerification: new(false)}, http, false},
		"verified":                         {ScrapeOptions{SkipTLSVerification: new(false)}, with(http, func(m *pagestore.Facts) { m.Verified = true }), true},
		"no screenshot":                    {ScrapeOptions{Formats: shotFormat}, rendered, false},
		"viewport":                         {ScrapeOptions{Formats: shotFormat}, with(rendered, func(m *pagestore.Facts) { m.Shot = pagestore.ViewportShot }), true},
		"full for viewport":                {ScrapeOptions{Formats: shotFormat}, with(rendered, func(m *pagestore.Facts) { m.Shot = pagestore.FullShot }), false},
		"viewport for full":                {ScrapeOptions{Formats: fullFormat}, with(rendered, func(m *pagestore.Facts) { m.Shot = pagestore.ViewportShot }), false},
		"screenshot not asked":             {ScrapeOptions{}, with(rendered, func(m *pagestore.Facts) { m.Shot = pagestore.FullShot }), true},
		"waited less":                      {ScrapeOptions{WaitFor: 2 * time.Second}, with(rendered, func(m *pagestore.Facts) { m.WaitFor = time.Second }), false},
		"waited as long":                   {ScrapeOptions{WaitFor: 2 * time.Second}, with(rendered, func(m *pagestore.Facts) { m.WaitFor = 2 * time.Second }), true},
		"waited without need":              {ScrapeOptions{}, with(rendered, func(m *pagestore.Facts) { m.WaitFor = time.Minute }), true},
	} {
		if got := resolved(t, c.o).Caching.Fits(&c.m); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// Versions are written newest first, an hour apart, the newest an hour old.
func TestChoose(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	hours := func(n int) *time.Duration { return new(time.Duration(n) * time.Hour) }
	for name, c := range map[string]struct {
		o        ScrapeOptions
		statuses []int
		want     string // hours of age, best first
	}{
		"none":                           {ScrapeOptions{}, nil, ""},
		"the newest good one":            {ScrapeOptions{}, []int{200, 200}, "1 2"},
		"an error is passed over":        {ScrapeOptions{}, []int{500, 204, 200}, "2 3"},
		"so are two":                     {ScrapeOptions{}, []int{404, 500, 200}, "3"},
		"three are the state of affairs": {ScrapeOptions{}, []int{404, 404, 404, 200}, "1 2 3"},
		"errors between don't count":     {ScrapeOptions{}, []int{404, 200, 404, 404, 404}, "2"},
		"one error alone is no answer":   {ScrapeOptions{}, []int{404}, ""},
		"but in lockdown":                {ScrapeOptions{Lockdown: true}, []int{404}, "1"},
		"and under minAge":               {ScrapeOptions{MinAge: hours(2)}, []int{404, 503}, "2"},
		"too old":                        {ScrapeOptions{MaxAge: hours(1)}, []int{0, 200, 200}, ""},
		"as old as may be":               {ScrapeOptions{MaxAge: hours(2)}, []int{0, 200, 200}, "2"},
		"too young":                      {ScrapeOptions{MinAge: hours(2)}, []int{200, 200, 200}, "2 3"},
		"between":                        {ScrapeOptions{MinAge: hours(2), MaxAge: hours(2)}, []int{200, 200, 200}, "2"},
		"nothing between":                {ScrapeOptions{MinAge: hours(9)}, []int{200, 200}, ""},
	} {
		var all []pagestore.Version
		for i, status := range c.statuses {
			all = append(all, pagestore.Version{Version: cache.Version{Stored: now.Add(-time.Duration(i+1) * time.Hour)}, Facts: &pagestore.Facts{Status: status}})
		}
		var got []string
		for _, chosen := range resolved(t, c.o).Caching.Choose(all, now) {
			got = append(got, fmt.Sprint(int(now.Sub(chosen.Stored).Hours())))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestChoose_aWallIsNotThePage(t *testing.T) {
	now := time.Now()
	walled := pagestore.Version{Version: cache.Version{Stored: now}, Facts: &pagestore.Facts{Status: 200, Wall: "captcha"}}
	if got := resolved(t, ScrapeOptions{}).Caching.Choose([]pagestore.Version{walled}, now); len(got) != 0 {
		t.Error("a wall is served")
	}
}

func TestExpired(t *testing.T) {
	now := time.Now()
	at := func(age time.Duration, change func(*pagestore.Facts)) pagestore.Version {
		m := &pagestore.Facts{Status: 200, By: page.ByHTTP, ETag: `"1"`}
		change(m)
		return pagestore.Version{Version: cache.Version{Stored: now.Add(-age)}, Facts: m}
	}
	same := func(*pagestore.Facts) {}
	for name, c := range map[string]struct {
		o    ScrapeOptions
		all  []pagestore.Version
		want bool
	}{
		"old with a tag":        {ScrapeOptions{}, []pagestore.Version{at(72*time.Hour, same)}, true},
		"old with a date":       {ScrapeOptions{}, []pagestore.Version{at(72*time.Hour, func(m *pagestore.Facts) { m.ETag, m.LastModified = "", "x" })}, true},
		"old with neither":      {ScrapeOptions{}, []pagestore.Version{at(72*time.Hour, func(m *pagestore.Facts) { m.ETag = "" })}, true},
		"rendered":              {ScrapeOptions{}, []pagestore.Version{at(72*time.Hour, func(m *pagestore.Facts) { m.By = page.ByBrowser })}, false},
		"not old":               {ScrapeOptions{}, []pagestore.Version{at(time.Hour, same)}, false},
		"after an error":        {ScrapeOptions{}, []pagestore.Version{at(60*time.Hour, func(m *pagestore.Facts) { m.Status = 500 }), at(72*time.Hour, same)}, true},
		"only the newest":       {ScrapeOptions{}, []pagestore.Version{at(60*time.Hour, func(m *pagestore.Facts) { m.ETag = "" }), at(72*time.Hour, same)}, true},
		"nothing to be fetched": {ScrapeOptions{Lockdown: true, MaxAge: new(time.Hour)}, []pagestore.Version{at(72*time.Hour, same)}, false},
	} {
		got := resolved(t, c.o).Caching.Expired(c.all, now)
		if (got != nil) != c.want {
			t.Errorf("%s: %v", name, got)
		}
		newest := slices.IndexFunc(c.all, func(v pagestore.Version) bool { return v.Status == 200 })
		if got != nil && got.Stored != c.all[newest].Stored {
			t.Errorf("%s: got the version of %s, want the newest good one", name, got.Stored)
		}
	}
}
