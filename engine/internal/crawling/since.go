package crawling

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/folding"
	"github.com/winnow-go/winnow/crawl/since"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Ask is what a crawl has to say of a page that is to be fetched.
type Ask struct {
	// Onward is called before a redirect is followed, or a browser goes on to another document, with where that leads. Where it returns
	// an error, the visit ends with one.
	Onward func(ctx context.Context, to string) error
	// Known is the page as an earlier crawl had it; nil: it had none, or its word doesn't count. Whole: no stored page will do either.
	Known *Known
	Whole bool
}

// Known is a page that a crawl has.
type Known struct {
	// URL is where its redirects ended.
	URL string
	// ETag and LastModified are its validators; may be empty.
	ETag, LastModified string
	// Digest of the answer.
	Digest string
}

// Answer has the validators of a page's answer. The zero value: none.
type Answer struct {
	// ETag and LastModified, and a digest of the answer, where these vouch for all that the page shows.
	ETag, LastModified, Digest string
}

// MayGoOn returns what a crawl is to go on from instead of an earlier one: its id, or the word for the last; "": it may.
func MayGoOn(db work.DB, series, id, last string, over func(job string) bool) (want string, err error) {
	head, ok, err := since.HeadOf(db, series)
	switch {
	case err != nil:
		return "", err
	case head.Writer != "" && !over(head.Writer):
		return "to wait until crawl " + head.Writer + " has ended, which goes on from the same pages", nil
	case id == last || ok && id == head.Job:
		return "", nil
	case ok:
		return last + " or " + head.Job + ", the last crawl of this owner, seed and options", nil
	}
	return last + ", or the id of an ended crawl of this owner, seed and options", nil
}

// night is what a crawl does for crawls that come again, and about earlier ones. Nil: nothing.
type night struct {
	c      *crawler
	book   *since.Book
	audits audits
	fed    chan struct{} // closed when all known pages are queued
	inHand inHand
}

// openNight opens what crawls of the same series know of the pages.
func openNight(c *crawler) error {
	if c.o.Series == "" {
		return nil
	}
	o := since.Options{Job: c.line.Record.ID, Series: c.o.Series, Again: c.o.Again, Now: c.line.Record.Created, Free: c.line.Over}
	book, err := since.Open(c.line.DB(), o)
	if errors.Is(err, since.ErrNone) && c.o.OrFirst {
		o.Again = false
		book, err = since.Open(c.line.DB(), o)
	}
	if err == nil {
		c.night = &night{c: c, book: book, fed: make(chan struct{})}
		c.night.inHand = inHand{by: map[string]int{}, changed: make(chan struct{})}
	}
	return err
}

func (n *night) now() time.Time { return n.c.line.Now() }

// knows is what an earlier crawl knew of an item; nil: nothing.
func (n *night) knows(item crawl.Item) (*since.Page, error) {
	if !n.again() {
		return nil, nil
	}
	return n.book.Page(cmp.Or(item.Key, item.URL))
}

// ask is how a page is requested.
func (n *night) ask(item crawl.Item, known *since.Page, onward func(context.Context, string) error) (a Ask, err error) {
	a.Onward = onward
	a.Known, err = n.vouchers(item, known)
	a.Whole = known != nil && a.Known == nil
	return a, err
}

// vouchers are what a site may vouch for a page by; nil: it is to come whole.
func (n *night) vouchers(item crawl.Item, p *since.Page) (*Known, error) {
	if p == nil || p.Body == "" || redated(item, p) || n.isAudited(item) {
		return nil, nil
	}
	host, err := n.book.Host(weburl.Host(p.URL))
	if err != nil {
		return nil, err
	}
	k := &Known{URL: cmp.Or(p.Final, p.URL), Digest: p.Body}
	if host.Honest() {
		k.ETag, k.LastModified = p.ETag, p.Modified
	}
	return k, nil
}

// isAudited reports an item that comes whole although nothing speaks for a change.
func (n *night) isAudited(item crawl.Item) bool {
	n.audits.mu.Lock()
	defer n.audits.mu.Unlock()
	return n.audits.keys[item.Key]
}

// dated reports a page whose sitemap has the time of before, redated one with another.
func dated(item crawl.Item, p *since.Page) bool {
	return item.Sitemap && !item.LastMod.IsZero() && item.LastMod.Equal(p.LastMod)
}

func redated(item crawl.Item, p *since.Page) bool {
	return item.Sitemap && !item.LastMod.IsZero() && !p.LastMod.IsZero() && !item.LastMod.Equal(p.LastMod)
}

// unchanged ends an item whose page is as it was.
func (n *night) unchanged(ctx context.Context, item crawl.Item, p *since.Page, v Visit) work.Outcome {
	if err := n.c.moved(ctx, item, v.URL); err != nil { // a seed that leads to another host
		return work.Outcome{Failed: err}
	}
	if key := n.c.scope.Load().Key(v.URL); key != "" && key != item.Key { // no other item is to go where it was led
		if _, err := n.c.line.Frontier.Claim(ctx, item, key); err != nil {
			return work.Outcome{Failed: err}
		}
	}
	if book := n.c.book; book != nil && p.Folded != "" { // other addresses of it may come
		if _, err := book.Fetched(ctx, folding.Page{Item: item, Key: n.c.scope.Load().Key(v.URL), Sum: p.Folded}); err != nil {
			return work.Outcome{Failed: err}
		}
	}
	out := work.Outcome{Kept: true, InTx: v.InTx}
	return beside(out, func(tx jobs.Tx, _ uint64) error {
		now, word := n.now(), since.Word{Dated: dated(item, p), Redated: redated(item, p)}
		same := *p
		same.Same(now)
		if same.Vouched, same.Dated = n.book.Run(), 0; v.Whole {
			same.Vouched, same.Whole, word.Vouched = 0, now, true
		}
		listedBy(item, &same)
		if err := n.book.Heard(tx, weburl.Host(same.URL), word); err != nil {
			return err
		}
		return n.book.Touch(tx, same)
	})
}

// keep writes a page down, with what its host's words on it were worth.
func (n *night) keep(tx jobs.Tx, item crawl.Item, p since.Page, w since.Word, text []byte) error {
	listedBy(item, &p)
	if err := n.book.Heard(tx, weburl.Host(p.URL), w); err != nil {
		return err
	}
	return n.book.Put(tx, p, text)
}

// listedBy notes how the crawl came to a page.
func listedBy(item crawl.Item, p *since.Page) {
	p.Hops = item.Hops
	if item.Sitemap { // a link may be faster than the sitemap
		p.Sitemap, p.Priority, p.LastMod = true, item.Priority, item.LastMod
	}
}

// beside adds to the transaction in which an item ends.
func beside(out work.Outcome, do func(tx jobs.Tx, result uint64) error) work.Outcome {
	before := out.InTx
	out.InTx = func(tx jobs.Tx, first uint64, results int) error {
		if before != nil {
			if err := before(tx, first, results); err != nil {
				return err
			}
		}
		return do(tx, first)
	}
	return out
}

// endNight names what has moved, come and gone, and leaves what is known to the next crawl.
func (n *night) endNight() error {
	if n == nil {
		return nil
	}
	moved := func(tx jobs.Tx, from, to since.Held) error {
		return n.report(tx, Change{Kind: Moved, URL: to.URL, From: from.URL, Result: n.resultOf(to)})
	}
	added := func(tx jobs.Tx, h since.Held) error {
		return n.report(tx, Change{Kind: Added, URL: h.URL, Result: n.resultOf(h)})
	}
	removed := func(tx jobs.Tx, h since.Held) error { return n.report(tx, Change{Kind: Removed, URL: h.URL}) }
	for more := true; more; {
		var err error
		if more, err = n.book.Settle(moved, added, removed); err != nil {
			return err
		}
	}
	n.c.line.Woken()
	return n.book.End(n.now())
}

// doubt queues pages once more that a host has spoken for which was found to be wrong about others in this crawl.
func (n *night) doubt(ctx context.Context) (more bool, err error) {
	if !n.again() {
		return false, nil
	}
	lied, err := n.book.Lied()
	if err != nil || !lied.Any() {
		return false, err
	}
	err = n.book.Doubted(lied, func(pages []since.Page) error {
		more = true
		return n.c.line.Frontier.Renew(ctx, n.foundAll(pages))
	})
	return more, err
}
