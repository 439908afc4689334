package crawling

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/since"
)

// secondNight is a crawl that comes again, whose known pages are still being queued.
func secondNight(t *testing.T) *night {
	t.Helper()
	db := cache.NewMap()
	for _, again := range []bool{false, true} {
		book, err := since.Open(db, since.Options{Job: map[bool]string{false: "first", true: "second"}[again], Series: "s", Again: again})
		if err != nil {
			t.Fatal(err)
		}
		if again {
			return &night{book: book, fed: make(chan struct{}), inHand: inHand{by: map[string]int{}, changed: make(chan struct{})}}
		}
		if err := book.End(time.Unix(9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	return nil
}

// A page that no earlier crawl had goes back into line where known pages were still being queued when its turn came: it may be another
// address of one of them, and all workers may have such pages.
func TestNight_newPagesComeAfterKnownOnes(t *testing.T) {
	n := secondNight(t)
	item := crawl.Item{Found: crawl.Found{URL: "https://a.example/new", From: "https://a.example/", Hops: 1}, Host: "a.example"}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := n.afterKnown(ended, item); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v while known pages are being queued", err)
	}
	var early bool
	var err error
	for tries := 0; !early && err == nil && tries < 1000; tries++ { // they may all be queued before it has looked
		n.fed = make(chan struct{})
		go close(n.fed)
		early, err = n.afterKnown(t.Context(), item)
	}
	if !early || err != nil {
		t.Errorf("early %v, %v; want it to go back", early, err)
	}
	end := n.begin(item)
	if _, err := n.afterKnown(ended, item); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v while a known page is being fetched", err)
	}
	go end()
	if early, err := n.afterKnown(t.Context(), item); early || err != nil {
		t.Errorf("early %v, %v; want it to be fetched", early, err)
	}
}
