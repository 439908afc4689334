package trapsite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// crawls are the options that Want is compared with a crawler by.
func crawls() map[string]Want {
	old, docs := "https://old.example/", "https://"+Main+"/docs/"
	return map[string]Want{
		"default":            {},
		"skip":               {Sitemap: "skip"},
		"only":               {Sitemap: "only"},
		"not deduplicated":   {DeduplicateSimilarURLs: new(false)},
		"ignore query":       {IgnoreQueryParameters: true},
		"subdomains":         {AllowSubdomains: true},
		"external":           {AllowExternalLinks: true},
		"both":               {AllowSubdomains: true, AllowExternalLinks: true},
		"ignore robots":      {IgnoreRobotsTxt: true},
		"ignore robots, all": {IgnoreRobotsTxt: true, AllowSubdomains: true, AllowExternalLinks: true},
		"trapbot":            {RobotsUserAgent: "trapbot"},
		"max depth 0":        {MaxDepth: new(0)},
		"max depth 2":        {MaxDepth: new(2)},
		"hops 0":             {MaxDiscoveryDepth: new(0)},
		"hops 1":             {MaxDiscoveryDepth: new(1)},
		"hops 2":             {MaxDiscoveryDepth: new(2)},
		"hops 4":             {MaxDiscoveryDepth: new(4)},
		"no slash":           {Seed: "https://" + Main},
		"hops 4, external":   {MaxDiscoveryDepth: new(4), AllowExternalLinks: true, AllowSubdomains: true},
		"include":            {IncludePaths: []string{`^/docs/`, `one$`}},
		"include, external":  {IncludePaths: []string{`^/docs/`, `first`}, AllowExternalLinks: true, AllowSubdomains: true},
		"exclude":            {ExcludePaths: []string{`^/redirect/`, `other`, `Zürich`}, AllowExternalLinks: true, AllowSubdomains: true},
		"full URL":           {ExcludePaths: []string{`^http:`, `\?`}, RegexOnFullURL: true, DeduplicateSimilarURLs: new(false)},
		"docs":               {Seed: docs},
		"docs, hops":         {Seed: docs, MaxDiscoveryDepth: new(2)},
		"docs, depth":        {Seed: docs, MaxDepth: new(1)},
		"docs, entire":       {Seed: docs, CrawlEntireDomain: true},
		"docs without slash": {Seed: "https://" + Main + "/docs"},
		"page":               {Seed: "https://" + Main + "/similar/index"},
		"http":               {Seed: "http://" + Main + "/"},
		"www":                {Seed: "https://www." + Main + "/"},
		"http, not dedup":    {Seed: "http://" + Main + "/", DeduplicateSimilarURLs: new(false)},
		"blog":               {Seed: "https://" + blogHost + "/"},
		"blog, subdomains":   {Seed: "https://" + blogHost + "/", AllowSubdomains: true},
		"moved":              {Seed: old},
		"forbidden":          {Seed: "https://" + Main + "/private/page"},
	}
}

// soak is how often something long is done.
func soak(short, full int) int {
	if os.Getenv("WINNOW_SOAK") != "" {
		return full
	}
	return short
}

func fast(o Options) Options {
	o.SlowDelay, o.HugeBytes = 1, 1
	return o
}

func TestWant_isWhatACrawlerGets(t *testing.T) {
	leftToUnraced(t)
	for name, w := range crawls() {
		for seed := range uint64(soak(1, 20)) {
			site := New(fast(Options{Seed: seed, Pages: 25, Without: append(Endless(), "many")}))
			got := crawl(t, site.Hosts(), w)
			if diff := site.Diff(w, got); diff != "" {
				t.Errorf("%s, seed %d: %d pages:\n%s", name, seed, len(got), diff)
			}
			if seed == 0 {
				t.Logf("%s: %d pages", name, len(got))
			}
		}
	}
}

// A crawl with many workers takes pages in an order of their own. The site is made so that only "shortcut" is sensitive to that.
func TestWant_isWhateverTheOrderOfWork(t *testing.T) {
	leftToUnraced(t)
	crawls := crawls()
	sensitive := false
	for seed := range uint64(soak(3, 100)) {
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		for _, name := range []string{"hops 1", "hops 2", "hops 4, external", "docs, hops", "ignore query"} {
			site := New(fast(Options{Seed: seed, Pages: 40, Without: append(Endless(), "shortcut", "many")}))
			if diff := site.Diff(crawls[name], crawlBy(t, inProcess(site.Hosts()), crawls[name], random)); diff != "" {
				t.Errorf("%s:\n%s", name, diff)
			}
		}
	}
	for seed := range uint64(100) {
		site, w := New(fast(Options{Only: []string{"shortcut"}})), Want{MaxDiscoveryDepth: new(4)}
		random := rand.New(rand.NewPCG(seed, 0))
		sensitive = sensitive || site.Diff(w, crawlBy(t, inProcess(site.Hosts()), w, random)) == "missing: https://trap.example/shortcut/goal\n"
	}
	if !sensitive {
		t.Error("no crawl missed the goal of the shortcut")
	}
}

func TestWant_eachTrapAlone(t *testing.T) {
	leftToUnraced(t)
	for _, trap := range Names() {
		for _, w := range []Want{{MaxDiscoveryDepth: new(5)}, {MaxDiscoveryDepth: new(5), AllowExternalLinks: true, AllowSubdomains: true}} {
			site := New(fast(Options{Only: []string{trap}}))
			got := crawl(t, site.Hosts(), w)
			if diff := site.Diff(w, got); diff != "" {
				t.Errorf("%s:\n%s", trap, diff)
			}
			if twice := site.Twice(); twice != nil {
				t.Errorf("%s: twice: %q", trap, twice)
			}
		}
	}
}

func TestWant_endlessTrapsHaveBounds(t *testing.T) {
	leftToUnraced(t)
	for i, w := range []Want{
		{MaxDiscoveryDepth: new(4)},
		{MaxDepth: new(3), MaxDiscoveryDepth: new(5)},
		{MaxDepth: new(0)},
		{IgnoreQueryParameters: true, MaxDepth: new(2)},
		{ExcludePaths: Endless()},
	} {
		site := New(fast(Options{Pages: 5}))
		if diff := site.Diff(w, crawl(t, site.Hosts(), w)); diff != "" {
			t.Errorf("%d:\n%s", i, diff)
		}
	}
	for _, trap := range Endless() {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: Want has an end", trap)
				}
			}()
			New(Options{Only: []string{trap}}).Want(Want{})
		}()
		if got := len(New(Options{Only: []string{trap}}).Want(Want{Limit: 50})); got != 50 {
			t.Errorf("%s: %d pages, want 50", trap, got)
		}
	}
}

func ExampleSite_Want() {
	site := New(Options{Only: []string{"canonical", "spiral"}})
	for _, page := range site.Want(Want{MaxDepth: new(3)}) {
		fmt.Println(page)
	}
	// Output:
	// https://trap.example/
	// https://trap.example/canonical/copy
	// https://trap.example/canonical/original
	// https://trap.example/canonical/second
	// https://trap.example/spiral/
	// https://trap.example/spiral/deeper/
	// https://trap.example/spiral/deeper/deeper/
}
