package work

import (
	"sync"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// Attempts is how often a job tries a page. One layer tries a page again: the pages of a job are tried again by the job
// alone, so that the host's pace is kept and its slot is free meanwhile, and the number of tries survives a restart.
const Attempts = 3

// firstPause is between attempts, where the host doesn't say; the next ones are longer.
const firstPause = time.Second

// Attempt is one of those that a job makes at a page.
type Attempt struct {
	Last      bool // no other comes
	InBrowser bool // HTTP was not enough at one before
}

// Attempt says which of its attempts an item is at.
func (l *Line) Attempt(item crawl.Item) Attempt {
	return Attempt{Last: item.Attempt >= Attempts, InBrowser: l.inBrowser.has(item)}
}

// Tried is what an attempt at a page came to, as far as others depend on it.
type Tried struct {
	Credits int
	// Temporary, of a failure: it may pass by itself.
	Temporary bool
	// NotEnough: a browser may get what HTTP didn't.
	NotEnough bool
	// Refused is why a page that came is requested again: its host is too busy, or didn't send all of it. Nil: it isn't.
	Refused error
}

// Again is what a page comes to that failed: what may pass by itself is tried again, at once where it is the browser's turn.
func (l *Line) Again(item crawl.Item, t Tried, err error) Outcome {
	out := Outcome{Failed: err, Credits: t.Credits}
	if !t.Temporary || item.Attempt >= Attempts {
		return out
	}
	before := l.inBrowser.has(item)
	l.noteAttempt(item, t)
	out.RetryAt = l.now()
	if !t.NotEnough || before {
		out.RetryAt = out.RetryAt.Add(firstPause << (2 * (item.Attempt - 1)))
	}
	return out
}

// PushedBack makes out a page to be tried again, where its host refused it, and reports whether it did. After the last
// attempt the host's answer is the page.
func (l *Line) PushedBack(out *Outcome, item crawl.Item, t Tried) bool {
	if t.Refused == nil || item.Attempt >= Attempts {
		return false
	}
	l.noteAttempt(item, t)
	out.Cause, out.RetryAt = t.Refused, l.now().Add(firstPause)
	if at := l.Pace.Blocked(item.Host); at.After(out.RetryAt) {
		out.RetryAt = at
	}
	return true
}

func (l *Line) noteAttempt(item crawl.Item, t Tried) {
	if t.NotEnough {
		l.inBrowser.add(item)
	}
}

// browserPages are the pages of a job that HTTP wasn't enough for, until they end. The zero value has none; it is
// safe for concurrent use.
type browserPages struct{ urls sync.Map }

func (b *browserPages) has(item crawl.Item) bool {
	_, ok := b.urls.Load(item.URL)
	return ok
}

func (b *browserPages) add(item crawl.Item)  { b.urls.Store(item.URL, true) }
func (b *browserPages) drop(item crawl.Item) { b.urls.Delete(item.URL) }
