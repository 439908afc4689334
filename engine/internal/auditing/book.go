package auditing

import (
	"sync"

	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Book is that of one running job. Safe for concurrent use.
type Book struct {
	db  work.DB
	job string

	mu      sync.Mutex
	claimed map[string]bool // digests of unproven templates whose first page is being compared
	inHand  map[uint64]bool // corrections
	stopped bool            // there are no more audits
	agreed  int             // comparisons of this process that agreed, since the last that didn't
	newest  uint64          // page that was entered by this process
}

// Open opens the book of a job, which an earlier process may have begun.
func Open(db work.DB, job string) *Book {
	return &Book{db: db, job: job, claimed: map[string]bool{}, inHand: map[uint64]bool{}}
}

// Both says whether a page for which HTTP seems enough is got both ways: the first of an unproven template, which is claimed until
// [Book.Release], and of others a sample.
func (b *Book) Both(url string, t learnt.Template, known learnt.Counts) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return false
	}
	if known.Proven() {
		return learnt.Drawn(b.job, url, learnt.AuditRate(known, b.agreed))
	}
	if b.claimed[t.Digest] {
		return false
	}
	b.claimed[t.Digest] = true
	return true
}

// Release ends the claim of a page on a template, compared or not. Where no browser could be had there are no more audits.
func (b *Book) Release(r *page.Route) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.claimed, r.Template.Digest)
	b.stopped = b.stopped || r.NoBrowser
}

// Newest is the sequence number of the newest page that this process has entered; 0 for none.
func (b *Book) Newest() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.newest
}

func (b *Book) see(sequence uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.newest = max(b.newest, sequence)
}

// note counts how the audits of the site go.
func (b *Book) note(more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.agreed++; more {
		b.agreed = 0
	}
}
