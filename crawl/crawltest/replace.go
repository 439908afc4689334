package crawltest

import (
	"errors"
	"strings"

	"github.com/winnow-go/winnow/crawl"
)

var replaceChecks = []check{
	{"a result that is replaced keeps its number and all counts, and its links are taken up", func(r *rig) {
		r.put(crawl.Found{URL: "http://a/", Key: "k"})
		r.complete(r.one(), crawl.Page{Result: []byte("plain"), More: [][]byte{[]byte("copy")}, Code: "OK"})
		before, old := r.stats(), r.results()
		r.restart()
		r.clock.Advance(1)
		seen := uint64(0)
		r.replace(1, crawl.Page{
			Result: []byte("rendered"), More: [][]byte{[]byte("rendered copy")}, Found: []crawl.Found{{URL: "http://a/", Key: "k"}, {URL: "http://a/new"}},
			InTx: func(_ crawl.Tx, first uint64) error { seen = first; return nil },
		})
		r.restart()
		got := r.results()
		if len(got) != 2 || string(got[0].Data) != "rendered" || string(got[1].Data) != "rendered copy" || seen != 1 {
			r.Fatalf("got %+v, %d", got, seen)
		}
		old[0].Data, old[0].Code = got[0].Data, ""
		if got[0].Sequence != 1 || got[0].Key != "k" || !got[0].Completed.Equal(old[0].Completed) || got[0].ID != old[0].ID || got[0].Code != "" {
			r.Errorf("got %+v, want %+v", got[0], old[0])
		}
		after := r.stats()
		if after.Done != before.Done || after.Known != before.Known+1 || after.Queued != 1 || after.Bytes != int64(len("renderedrendered copy")) {
			r.Errorf("got %+v after %+v", after, before)
		}
		r.wantURLs("line", []string{r.one().URL}, "http://a/new")
	}},
	{"what isn't there can't be replaced, and an error of the caller undoes it", func(r *rig) {
		r.put(urls("http://a/")...)
		r.complete(r.one(), crawl.Page{Result: []byte("plain")})
		failed := errors.New("failed")
		for want, page := range map[error]crawl.Page{
			crawl.ErrNoResult: {Result: []byte("new"), More: [][]byte{[]byte("of a second that isn't there")}, Found: urls("http://a/1")},
			failed:            {Result: []byte("new"), Found: urls("http://a/1"), InTx: func(crawl.Tx, uint64) error { return failed }},
		} {
			if err := r.f.Replace(r.Context(), 1, page); !errors.Is(err, want) {
				r.Errorf("got %v, want %v", err, want)
			}
		}
		if got, s := r.results(), r.stats(); string(got[0].Data) != "plain" || s.Known != 1 || s.Bytes != 5 {
			r.Errorf("got %s, %+v", got[0].Data, s)
		}
	}},
	{"a result that is replaced may lead to many URLs, within the limit", func(r *rig) {
		r.open(crawl.Options{Limit: 1500})
		r.put(urls("http://a/")...)
		r.complete(r.one(), crawl.Page{Result: []byte("plain")})
		r.replace(1, crawl.Page{Result: []byte(strings.Repeat("x", 100)), Found: numbered(2000)})
		if s := r.stats(); s.Known != 1500 || s.Queued != 1499 || s.Bytes != 100 {
			r.Errorf("got %+v", s)
		}
	}},
}

func (r *rig) replace(first uint64, page crawl.Page) {
	r.Helper()
	if err := r.f.Replace(r.Context(), first, page); err != nil {
		r.Fatal(err)
	}
}
