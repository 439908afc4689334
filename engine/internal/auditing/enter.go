package auditing

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Way is how a page came.
type Way string

// The ways.
const (
	HTTP    Way = "http"
	Browser Way = "browser"
	Cache   Way = "cache"
	Other   Way = "" // a failure, or a file
)

// Page is one that is done.
type Page struct {
	Way    Way
	Stored time.Time   // of one from the cache
	Route  *page.Route // nil: no template decided
	Found  crawl.Found
	Host   string
	// Since is what [Book.Newest] was when the page was begun: its comparison says nothing of pages that came later.
	Since uint64
}

// Enter returns what writes a page down, in the transaction in which it ends. A page without results is none.
func (b *Book) Enter(p Page) func(tx jobs.Tx, first uint64, results int) error {
	if r := p.Route; r != nil && r.Compared != nil {
		b.note(r.Compared.More())
	}
	return func(tx jobs.Tx, first uint64, results int) error {
		if results == 0 {
			return nil
		}
		b.see(first)
		if err := b.count(tx, p, results); err != nil || p.Route == nil {
			return err
		}
		err := b.enter(tx, p, work.Correction{
			Sequence: first, Results: results, Found: p.Found, Host: p.Host, Template: p.Route.Template.Digest,
		})
		return cmp.Or(err, b.checkDue(tx))
	}
}

func (b *Book) count(tx jobs.Tx, p Page, results int) error {
	return b.change(tx, func(t *totals) {
		switch p.Way {
		case HTTP:
			t.HTTP += results
		case Browser:
			t.Browser += results
		case Cache:
			t.Cache += results
			if t.Oldest.IsZero() || p.Stored.Before(t.Oldest) {
				t.Oldest = p.Stored
			}
		default:
			t.Other += results
		}
	})
}

func (b *Book) change(tx jobs.Tx, edit func(*totals)) error {
	var t totals
	if err := read(tx, jobBucket, keyOf(b.job), &t); err != nil {
		return err
	}
	edit(&t)
	return write(tx, jobBucket, keyOf(b.job), t)
}

// enter counts a page for its template. One that HTTP alone gave stays open until a comparison agrees.
func (b *Book) enter(tx jobs.Tx, p Page, c work.Correction) error {
	return b.changeTemplate(tx, c.Template, func(t *template, digest []byte) error {
		t.Pattern = p.Route.Template.Pattern
		if p.Way == HTTP {
			t.HTTP++
			t.Risk = p.Route.Risk // that of the newest
		}
		switch {
		case p.Route.Compared != nil:
			return b.compared(tx, t, digest, p.Route, p.Since)
		case p.Way == HTTP:
			return b.leaveOpen(tx, t, digest, c)
		}
		return nil
	})
}

// changeTemplate edits what is counted of a template.
func (b *Book) changeTemplate(tx jobs.Tx, hexDigest string, edit func(t *template, digest []byte) error) error {
	digest, err := hex.DecodeString(hexDigest)
	if err != nil {
		return err
	}
	var t template
	key := keyOf(b.job, digest)
	if err := read(tx, templateBucket, key, &t); err != nil {
		return err
	}
	if err := edit(&t, digest); err != nil {
		return err
	}
	return write(tx, templateBucket, key, t)
}

// leaveOpen notes a page that HTTP alone gave: for later, or, where its template was found to need a browser meanwhile, to be got again.
func (b *Book) leaveOpen(tx jobs.Tx, t *template, digest []byte, c work.Correction) error {
	if t.Dynamic {
		return write(tx, againBucket, keyOf(b.job, number(c.Sequence)), c)
	}
	t.Open++
	return write(tx, openBucket, keyOf(b.job, digest, number(c.Sequence)), c)
}

// compared takes up what a comparison has shown: it vouches for the template's open pages up to one, or has all of them got again.
func (b *Book) compared(tx jobs.Tx, t *template, digest []byte, r *page.Route, until uint64) error {
	more := r.Compared.More()
	if r.Both {
		t.Audits++
		if more {
			t.Overturned++
		} else {
			t.Words, t.Missed = t.Words+r.Compared.Words, t.Missed+r.Compared.Missed
		}
	}
	t.Dynamic = more
	switch {
	case t.Open == 0:
		return nil
	case more:
		return b.closeOpen(tx, t, digest, math.MaxUint64, true)
	case r.Both:
		return b.closeOpen(tx, t, digest, until, false)
	}
	return nil
}

// maxOpen bounds how many pages one comparison closes: the newest. Audits make it one in a hundred pages, mostly.
const maxOpen = 10_000

// closeOpen takes the open pages of a template, up to one, off the list, to be got again or not.
func (b *Book) closeOpen(tx jobs.Tx, t *template, digest []byte, until uint64, again bool) error {
	prefix := keyOf(b.job, digest)
	keys, values := newest(tx, openBucket, prefix, number(until), maxOpen)
	for i, key := range keys {
		if err := tx.Delete(openBucket, key); err != nil {
			return err
		}
		if again {
			sequence := slices.Clone(key[len(prefix):])
			if err := tx.Put(againBucket, keyOf(b.job, sequence), values[i]); err != nil {
				return err
			}
		}
	}
	t.Open -= len(keys)
	return nil
}
