package crawl_test

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// A whole crawl: four workers, and a site that is a map.
func ExampleFrontier() {
	ctx := context.Background()
	site := map[string][]string{
		"http://shop.example/":     {"http://shop.example/tea", "http://shop.example/cups"},
		"http://shop.example/tea":  {"http://shop.example/", "http://shop.example/cups"},
		"http://shop.example/cups": {"http://shop.example/tea", "http://shop.example/pots"},
		"http://shop.example/pots": nil,
	}
	frontier, err := crawl.Open(store{cache.NewMap()}, "job 1", crawl.Options{Limit: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := frontier.Put(ctx, []crawl.Found{{URL: "http://shop.example/"}}); err != nil {
		fmt.Println(err)
		return
	}

	fetch := func(item crawl.Item) error {
		began := time.Now()
		links := site[item.URL] // here a page would be fetched
		item.Visit.End(crawl.Outcome{Status: 200, Latency: time.Since(began)})
		page := crawl.Page{Result: []byte("the page")}
		for _, to := range links {
			page.Found = append(page.Found, crawl.Found{URL: to, Hops: item.Hops + 1, From: item.URL})
		}
		return frontier.Complete(ctx, item, page)
	}
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			for {
				items, wait, err := frontier.Lease(ctx, 1, time.Minute)
				if err != nil || wait.Done && len(items) == 0 {
					return
				}
				for _, item := range items {
					if err := fetch(item); err != nil {
						fmt.Println(err)
					}
				}
				if len(items) == 0 {
					pause(wait)
				}
			}
		})
	}
	workers.Wait()

	results, _ := frontier.Results(ctx, 0, 10)
	stats, _ := frontier.Stats(ctx)
	fmt.Println(len(results), "results, the first of", results[0].URL)
	fmt.Println(stats.Known, "known,", stats.Done, "done,", stats.Failed, "failed")
	// Output:
	// 4 results, the first of http://shop.example/
	// 4 known, 4 done, 0 failed
}

// pause waits until there may be something to lease.
func pause(wait crawl.Wait) {
	var due <-chan time.Time
	if !wait.Until.IsZero() {
		due = time.After(time.Until(wait.Until))
	}
	select {
	case <-due:
	case <-wait.Changed:
	}
}
