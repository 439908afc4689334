package crawl_test

import (
	"testing"

	"github.com/winnow-go/winnow/crawl"
)

// Pages that were fetched elsewhere are counted and listed as those of a frontier of its own, once for each call.
func TestEnter_countsAndLists(t *testing.T) {
	t.Parallel()
	f, ctx := openMap(t, crawl.Options{Limit: 1}), t.Context()
	var sequences []uint64
	enter := func(url string, page crawl.Page) {
		t.Helper()
		page.InTx = func(_ crawl.Tx, n uint64) error {
			sequences = append(sequences, n)
			return nil
		}
		if err := f.Enter(ctx, crawl.Found{URL: url, Hops: 2}, 3, page); err != nil {
			t.Fatal(err)
		}
	}
	enter("http://a/1", crawl.Page{Result: []byte("one"), More: [][]byte{[]byte("two")}, Denied: []crawl.Denied{{Reason: "R", URL: "http://a/x"}}})
	enter("http://a/2", crawl.Page{Failed: true, Code: "C", Result: []byte("why")})
	enter("http://a/3", crawl.Page{Silent: true, Denied: []crawl.Denied{{Reason: "R", URL: "http://a/x"}, {Reason: "R", URL: "http://a/y"}}})
	enter("http://a/4", crawl.Page{Kept: true})
	enter("http://a/5", crawl.Page{Result: []byte("three")})
	s, err := f.Stats(ctx)
	if err != nil || s.Done != 3 || s.Failed != 1 || s.Kept != 1 || s.Known != 5 || s.Queued != 0 || s.Denied["R"] != 2 {
		t.Errorf("stats %+v, %v", s, err)
	}
	list, err := f.Results(ctx, 0, 10)
	if err != nil || len(list) != 3 || string(list[1].Data) != "two" || list[2].URL != "http://a/5" || list[2].Attempts != 3 || list[2].Hops != 2 {
		t.Errorf("results %+v, %v", list, err)
	}
	if errs, err := f.Errors(ctx, 0, 10); err != nil || len(errs) != 1 || errs[0].Code != "C" || string(errs[0].Data) != "why" {
		t.Errorf("errors %+v, %v", errs, err)
	}
	if want := []uint64{1, 1, 0, 0, 3}; len(sequences) != len(want) || sequences[4] != 3 || sequences[1] != 1 {
		t.Errorf("sequences %v, want %v", sequences, want)
	}
	err = f.Admit(ctx, []crawl.Denied{{Reason: "R", URL: "http://a/x"}, {Reason: "other", URL: "http://a/z"}}, func(crawl.Tx) error { return nil })
	if urls, read := f.DeniedURLs(ctx, "R"); err != nil || read != nil || len(urls) != 1 || urls[0] != "http://a/y" {
		t.Errorf("denied %q, %v, %v", urls, err, read)
	}
}
