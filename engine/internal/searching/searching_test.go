package searching

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/engine/search"
)

// finder is a provider that gives what find does; nil never answers.
type finder struct {
	name  string
	local bool
	can   search.Capabilities
	find  func(search.Query) (search.Results, error)
}

func (f *finder) Name() string             { return f.name }
func (f *finder) Local() bool              { return f.local }
func (f *finder) Can() search.Capabilities { return f.can }

func (f *finder) Search(ctx context.Context, q search.Query) (search.Results, error) {
	if f.find == nil {
		<-ctx.Done()
		return search.Results{}, ctx.Err()
	}
	return f.find(q)
}

func gives(urls ...string) func(search.Query) (search.Results, error) {
	return func(search.Query) (search.Results, error) {
		var r search.Results
		for _, u := range urls {
			r.List = append(r.List, search.Result{URL: u})
		}
		return r, nil
	}
}

var errDown = errors.New("down")

func fails(search.Query) (search.Results, error) { return search.Results{}, errDown }

// asked is a request for the web.
func asked(providers ...search.Provider) Request {
	q := Query{Query: search.Query{Text: "barley", Limit: 20, Source: search.Web}, Providers: providers}
	return Request{Queries: []Query{q}, Limit: 10, Timeout: time.Minute}
}

var silent = slog.New(slog.DiscardHandler)

func urlsOf(a Answer) string {
	var urls []string
	for _, r := range a.List {
		urls = append(urls, r.URL)
	}
	return strings.Join(urls, " ")
}

func TestRun_theNextProviderStepsIn(t *testing.T) {
	panics := &finder{name: "panics", find: func(search.Query) (search.Results, error) { panic("no") }}
	got, err := Run(t.Context(), asked(&finder{name: "fails", find: fails}, panics, &finder{name: "works", find: gives("https://a.example/")}), silent)
	if err != nil || urlsOf(got[0]) != "https://a.example/" || got[0].Provider != "works" || got[0].Failed || !errors.Is(got[0].Err, errDown) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRun_whenAllFailTheErrorIsTheFirstProviders(t *testing.T) {
	panics := &finder{name: "panics", find: func(search.Query) (search.Results, error) { panic("no") }}
	_, err := Run(t.Context(), asked(panics, &finder{name: "fails", find: fails}), silent)
	if _, ok := errors.AsType[*ProviderError](err); !ok || !strings.Contains(err.Error(), "panic: no") {
		t.Errorf("got %v", err)
	}
}

func TestRun_oneQueryMayFail(t *testing.T) {
	r := asked(&finder{name: "works", find: gives("https://a.example/")})
	r.Queries = append(r.Queries, Query{Query: search.Query{Source: search.News}, Providers: []search.Provider{&finder{name: "fails", find: fails}}})
	got, err := Run(t.Context(), r, silent)
	if err != nil || got[0].Failed || !got[1].Failed || got[1].Source != search.News || !errors.Is(got[1].Err, errDown) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRun_eachPageOnceAndNotTooMany(t *testing.T) {
	f := &finder{name: "finder", find: gives("https://a.example/x", "http://www.a.example/x/", "", "ftp://a.example/", "https://b.example/", "https://c.example/")}
	for _, c := range []struct {
		limit int
		web   bool
		want  string
	}{
		{10, false, "https://a.example/x ftp://a.example/ https://b.example/ https://c.example/"},
		{2, true, "https://a.example/x https://b.example/"},
	} {
		r := asked(f)
		r.Limit, r.Web = c.limit, c.web
		got, err := Run(t.Context(), r, silent)
		if err != nil || urlsOf(got[0]) != c.want {
			t.Errorf("limit %d: got %+v, %v", c.limit, got, err)
		}
	}
}

// A picture may be on a page more than once.
func TestRun_picturesAreToldApartByTheirOwnURL(t *testing.T) {
	f := &finder{name: "finder", find: func(search.Query) (search.Results, error) {
		return search.Results{List: []search.Result{{URL: "https://a.example/", ImageURL: "1"}, {URL: "https://a.example/", ImageURL: "2"}, {URL: "https://a.example/", ImageURL: "1"}}}, nil
	}}
	r := asked(f)
	r.Queries[0].Source = search.Images
	got, err := Run(t.Context(), r, silent)
	if err != nil || len(got[0].List) != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestRun_endsWithItsTimeAndItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		_, err := Run(t.Context(), asked(&finder{name: "slow"}), silent)
		if _, ok := errors.AsType[*TimeoutError](err); !ok || !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Minute {
			t.Errorf("got %v after %s", err, time.Since(begin))
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errDown)
		if _, err := Run(ctx, asked(&finder{name: "slow"}), silent); !errors.Is(err, errDown) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRun_nothingOfAPrivateSearchIsLogged(t *testing.T) {
	for _, private := range []bool{false, true} {
		var log bytes.Buffer
		r := asked(&finder{name: "fails", find: fails})
		r.Private = private
		if _, err := Run(t.Context(), r, slog.New(slog.NewTextHandler(&log, nil))); err == nil || log.Len() == 0 != private {
			t.Errorf("private %t: %v, log %q", private, err, log.String())
		}
	}
}

func TestPlan_asksOnlyThoseWhoCan(t *testing.T) {
	plain, dated := &finder{name: "plain"}, &finder{name: "dated", can: search.Capabilities{ByDate: true}}
	providers := []search.Provider{plain, dated}
	q := search.Query{Text: "x", Limit: 10, Source: search.Web}
	if got, err := Plan(q, providers); err != nil || len(got.Providers) != 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	q.Span.ByDate = true
	if got, err := Plan(q, providers); err != nil || len(got.Providers) != 1 || got.Providers[0] != search.Provider(dated) {
		t.Errorf("by date: %+v, %v", got, err)
	}
	_, err := Plan(q, providers[:1])
	if refused, ok := errors.AsType[*search.OptionError](err); !ok || refused.Field != "tbs" {
		t.Errorf("nobody: %v", err)
	}
}

func TestQueryTo_theInternetHasDefaults(t *testing.T) {
	can := search.Capabilities{Language: true, Country: true}
	for name, c := range map[string]struct {
		p    *finder
		q    search.Query
		want string
	}{
		"internet":     {&finder{can: can}, search.Query{}, "en us"},
		"chosen":       {&finder{can: can}, search.Query{Language: "de", Country: "at"}, "de at"},
		"at a place":   {&finder{can: can}, search.Query{Location: "Vienna"}, "en "},
		"can't choose": {&finder{}, search.Query{}, " "},
		"local":        {&finder{can: can, local: true}, search.Query{}, " "},
	} {
		got := Query{Query: c.q}.to(c.p)
		if text := got.Language + " " + got.Country; text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

func TestPages_readsEachPageOnceAndNotTooManyAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		got := Pages([]string{"a", "b", "a", "c", "d", "b"}, 2, func(url string) string {
			time.Sleep(time.Second)
			return "page " + url
		})
		if fmt.Sprint(got) != "map[a:page a b:page b c:page c d:page d]" || time.Since(begin) != 2*time.Second {
			t.Errorf("got %v after %s", got, time.Since(begin))
		}
		if got := Pages(nil, 2, func(string) int { return 1 }); len(got) != 0 {
			t.Errorf("got %v", got)
		}
	})
}
