package searching

import "sync"

// Pages calls read for each URL once, atOnce (1 or more) at a time, and returns what it gave.
func Pages[T any](urls []string, atOnce int, read func(url string) T) map[string]T {
	pages := map[string]T{}
	var mu sync.Mutex
	var work sync.WaitGroup
	next := make(chan string)
	for range min(len(urls), atOnce) {
		work.Go(func() {
			for url := range next {
				page := read(url)
				mu.Lock()
				pages[url] = page
				mu.Unlock()
			}
		})
	}
	seen := map[string]bool{}
	for _, url := range urls {
		if !seen[url] {
			seen[url] = true
			next <- url
		}
	}
	close(next)
	work.Wait()
	return pages
}
