package node

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/limits"
	"github.com/winnow-go/winnow/engine/cluster/internal/outbox"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// job is one of the crawls of the site.
type job struct {
	id      string
	spec    Spec
	seeds   []crawl.Found
	started bool
	cancel  int // the step at which it is cancelled; 0: none
	remove  int // the step at which it is removed; 0: none before it is over

	removing, removed bool
	visited           map[string]time.Time // by host: the last request
	fetched           map[string]int       // by URL
	slots             map[*Work]*replica   // the home that let a page through
}

func (s *simulation) newJob(i int) *job {
	j := &job{id: fmt.Sprint("job", i), visited: map[string]time.Time{}, fetched: map[string]int{}, slots: map[*Work]*replica{}}
	j.spec = Spec{Limit: 1000, Delay: time.Duration(s.random.IntN(2)*s.random.IntN(4)) * time.Second}
	j.spec.Active = s.random.IntN(3)
	if s.random.IntN(3) == 0 {
		j.spec.Limit = 1 + s.random.IntN(len(s.site))
	}
	if s.random.IntN(5) == 0 {
		j.cancel = 50 + s.random.IntN(400)
	}
	if s.random.IntN(6) == 0 {
		j.remove = 50 + s.random.IntN(400)
	}
	for range 1 + s.random.IntN(3) {
		j.seeds = append(j.seeds, s.found(s.random.IntN(len(s.site))))
	}
	return j
}

func (s *simulation) job(id string) *job {
	return s.jobs[slices.IndexFunc(s.jobs, func(j *job) bool { return j.id == id })]
}

func (s *simulation) url(page int) string {
	return fmt.Sprintf("https://h%d.example/%d", page%s.hosts, page)
}

func (s *simulation) found(page int) crawl.Found { return crawl.Found{URL: s.url(page)} }

// reachable are the pages that the seeds of a job lead to.
func (s *simulation) reachable(j *job) map[string]bool {
	seen, queue := map[string]bool{}, []int(nil)
	for _, f := range j.seeds {
		queue = append(queue, page(f.URL))
	}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if !seen[s.url(p)] {
			seen[s.url(p)] = true
			queue = append(queue, s.site[s.moved[p]]...)
		}
	}
	return seen
}

func page(url string) (n int) {
	var host int
	_, _ = fmt.Sscanf(url, "https://h%d.example/%d", &host, &n)
	return n
}

// end is where a page is after redirects.
func (s *simulation) end(url string) string { return s.url(s.moved[page(url)]) }

// page is what was fetched.
func (s *simulation) page(w *Work) (p crawl.Page) {
	for _, to := range s.site[s.moved[page(w.Item.URL)]] {
		p.Found = append(p.Found, s.found(to))
	}
	return p
}

// checkSlots counts the pages that are being fetched by owners of their shards, and that the home there is has let through.
func (s *simulation) checkSlots(j *job) {
	active, home := 0, s.stores[shards.Home(j.id, s.shards)]
	for _, m := range s.members {
		for _, w := range m.hand {
			if w.Job == j.id && j.slots[w] == home && w.part.s.db == DB(s.stores[w.Shard]) {
				active++
			}
		}
	}
	if j.spec.Active > 0 && active > j.spec.Active {
		s.fail("%d pages at once, want %d", active, j.spec.Active)
	}
}

// checkLimits adds up what the shards hold of the limits.
func (s *simulation) checkLimits() {
	for _, j := range s.jobs {
		sum := 0
		for _, r := range s.stores {
			if r != nil {
				_ = r.local.View(func(tx crawl.Tx) error {
					_, held, err := limits.Holding(tx, j.id)
					sum += held
					return err
				})
			}
		}
		if sum > j.spec.Limit {
			s.fail("the shards hold %d of a limit of %d", sum, j.spec.Limit)
		}
	}
}

// check reads the events of a job: each page that can be reached is there once, as far as the limit allows.
func (s *simulation) check(j *job) {
	if j.removed {
		return
	}
	s.checkLimits()
	var events []outbox.Event
	err := s.stores[shards.Home(j.id, s.shards)].local.View(func(tx crawl.Tx) (err error) {
		events, err = outbox.Events(tx, j.id, 0, 1000)
		return err
	})
	if err != nil {
		s.fail("events: %v", err)
	}
	reachable, seen, ends := s.reachable(j), map[string]bool{}, map[string]bool{}
	for url := range reachable {
		ends[s.end(url)] = true
	}
	for i, e := range events {
		if e.Number != uint64(i+1) {
			s.fail("event %d has the number %d", i+1, e.Number)
		}
		url := string(e.Data)
		if seen[s.end(url)] || !reachable[url] || j.fetched[url] == 0 {
			s.fail("%s: twice %t, reachable %t, fetched %d times", url, seen[s.end(url)], reachable[url], j.fetched[url])
		}
		seen[s.end(url)] = true
	}
	if want := min(len(ends), j.spec.Limit); len(seen) != want && (j.cancel == 0 || len(seen) > want) {
		s.fail("%s: %d pages of %d, limit %d", j.id, len(seen), len(ends), j.spec.Limit)
	}
	s.count.events += len(events)
}

// left is what is still there of a job.
func (s *simulation) left(j *job) (text string) {
	for n, r := range s.stores {
		if r == nil {
			continue
		}
		_ = r.local.View(func(tx crawl.Tx) error {
			for bucket := range r.names {
				for key := range tx.Scan(bucket, nil) {
					if (string(key) == j.id || strings.HasPrefix(string(key), j.id+"\x00")) && bucket != bucketOver && bucket != bucketGone {
						text += fmt.Sprintf(" shard %d: %s %q;", n, bucket, key)
					}
				}
			}
			return nil
		})
	}
	return text
}

// frontiers is how many rows of frontiers there are.
func (s *simulation) frontiers() (rows int) {
	for _, r := range s.stores {
		if r != nil {
			_ = r.local.View(func(tx crawl.Tx) error {
				for bucket := range r.names {
					if strings.HasPrefix(bucket, "crawl.") {
						for range tx.Scan(bucket, nil) {
							rows++
						}
					}
				}
				return nil
			})
		}
	}
	return rows
}
