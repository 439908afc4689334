package crawl_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// A site whose pages all redirect to others that are known would go on for ever.
func TestFrontier_silentPagesWithoutEndComeToAnEnd(t *testing.T) {
	db := cache.NewMap()
	defer db.Close()
	f, err := crawl.Open(store{db}, "job", crawl.Options{Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	url := func(n int) crawl.Found { return crawl.Found{URL: fmt.Sprintf("http://a/%d", n)} }
	if _, err := f.Put(t.Context(), []crawl.Found{url(1)}); err != nil {
		t.Fatal(err)
	}
	fetched := 0
	for ; fetched < 20_000; fetched++ {
		items, _, err := f.Lease(t.Context(), 1, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if len(items) == 0 {
			break
		}
		more := []crawl.Found{url(2*fetched + 2), url(2*fetched + 3)}
		if err := f.Complete(t.Context(), items[0], crawl.Page{Silent: true, Found: more}); err != nil {
			t.Fatal(err)
		}
	}
	if s, err := f.Stats(t.Context()); err != nil || s.Queued != 0 || fetched != 10_010 {
		t.Errorf("%d fetched, %+v, %v; want 10 000 and twice the limit", fetched, s, err)
	}
}
