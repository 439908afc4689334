package since

import (
	"bytes"
	"container/heap"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Bounds of audits: the share of a host's pages that are fetched whole in each run although nothing speaks for a change, but not fewer than
// some, so that small sites are looked at too. Each page has its turn in about as many runs as there are shares.
const (
	auditShare = 100
	minAudits  = 16
	maxHosts   = 10_000 // whose audits are chosen; pages of others have none
)

// Audits chooses pages that are fetched whole, of each host those that are likeliest to have changed since they last were.
func (b *Book) Audits(now time.Time) (chosen map[string]bool, err error) {
	counts, err := b.vouched()
	if err != nil {
		return nil, err
	}
	picks := map[string]*pick{}
	err = b.Pages(func(some []Page) error {
		for i := range some {
			p := &some[i]
			host := weburl.Host(p.URL)
			if n := counts[host]; n > 0 && (p.Vouchers() || p.Sitemap) {
				offer(picks, host, max(n/auditShare, minAudits), candidate{p.expected(p.Whole, now), p.key()}, b.run)
			}
		}
		return nil
	})
	chosen = map[string]bool{}
	for _, p := range picks {
		for _, c := range p.list {
			chosen[c.key] = true
		}
	}
	return chosen, err
}

// vouched counts the pages of each host that something may vouch for.
func (b *Book) vouched() (counts map[string]int, err error) {
	counts = map[string]int{}
	err = b.Pages(func(some []Page) error {
		for i := range some {
			host := weburl.Host(some[i].URL)
			if _, known := counts[host]; known || len(counts) < maxHosts {
				counts[host]++
			}
		}
		return nil
	})
	return counts, err
}

// candidate is a page that may be audited.
type candidate struct {
	expected float64
	key      string
}

// pick is a heap of the best candidates so far, the worst in front.
type pick struct {
	list []candidate
	run  int
}

func offer(picks map[string]*pick, host string, room int, c candidate, run int) {
	p := picks[host]
	if p == nil {
		p = &pick{run: run}
		picks[host] = p
	}
	heap.Push(p, c)
	if p.Len() > room {
		heap.Pop(p)
	}
}

func (p *pick) Len() int { return len(p.list) }

// Less orders pages that are equally likely by a number that is another one in each run.
func (p *pick) Less(i, j int) bool {
	a, b := p.list[i], p.list[j]
	if a.expected != b.expected {
		return a.expected < b.expected
	}
	return bytes.Compare(p.lot(a), p.lot(b)) < 0
}

func (p *pick) lot(c candidate) []byte { return hash(strconv.Itoa(p.run) + c.key) }

func (p *pick) Swap(i, j int) { p.list[i], p.list[j] = p.list[j], p.list[i] }

func (p *pick) Push(x any) { p.list = append(p.list, x.(candidate)) }

func (p *pick) Pop() any {
	last := p.list[len(p.list)-1]
	p.list = p.list[:len(p.list)-1]
	return last
}

// Lied are the hosts that were found in this run to have spoken for pages that had changed, by hash.
type Lied struct{ validators, sitemaps map[string]bool }

// Any reports whether there is one.
func (l Lied) Any() bool { return len(l.validators)+len(l.sitemaps) > 0 }

func (l Lied) of(p *Page, run int) bool {
	host := hash(weburl.Host(p.URL))
	return p.Vouched == run && l.validators[string(host)] || p.Dated == run && l.sitemaps[string(host)]
}

// Lied lists those hosts.
func (b *Book) Lied() (l Lied, err error) {
	err = b.db.View(func(tx crawl.Tx) error {
		l = Lied{map[string]bool{}, map[string]bool{}}
		b.each(tx, bucketHosts, nil, func(key, row []byte) bool {
			var h Host
			if read(row, &h) {
				l.validators[string(key)] = h.Liars == b.run
				l.sitemaps[string(key)] = h.Stale == b.run
			}
			return true
		})
		maps.DeleteFunc(l.validators, func(_ string, is bool) bool { return !is })
		maps.DeleteFunc(l.sitemaps, func(_ string, is bool) bool { return !is })
		return nil
	})
	return l, err
}

// Doubted calls do with the pages that such hosts spoke for in this run, some at a time, and takes back that they did.
func (b *Book) Doubted(l Lied, do func([]Page) error) error {
	return b.Pages(func(some []Page) error {
		doubted := slices.DeleteFunc(some, func(p Page) bool { return !l.of(&p, b.run) })
		if len(doubted) == 0 {
			return nil
		}
		if err := do(doubted); err != nil {
			return err
		}
		return b.db.Update(func(tx crawl.Tx) error { return b.takeBack(tx, doubted) })
	})
}

func (b *Book) takeBack(tx crawl.Tx, list []Page) error {
	for _, p := range list {
		now := b.pageIn(tx, hash(p.key()))
		if now == nil {
			continue
		}
		now.Vouched, now.Dated = 0, 0
		if err := b.Touch(tx, *now); err != nil {
			return err
		}
	}
	return nil
}
