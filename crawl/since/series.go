package since

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// Head is what a series has.
type Head struct {
	// Space holds the pages.
	Space string `json:"space"`
	// Job is the crawl that worked in it last, Writer the one that is working in it; empty: none is.
	Job    string `json:"job"`
	Writer string `json:"writer,omitempty"`
	// Run is the number of that work.
	Run int `json:"run"`
	// At is when it began.
	At time.Time `json:"at"`
}

// Errors of [Open].
var (
	// ErrNone: no crawl of the series has ended.
	ErrNone = errors.New("there is no earlier crawl")
	// ErrBusy: another crawl is working on the pages of the series.
	ErrBusy = errors.New("another crawl goes on with the same pages")
)

// Series names the crawls of one owner, seed and options.
func Series(owner, seed string, options []byte) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q%q%s", owner, seed, options))
	return hex.EncodeToString(sum[:16])
}

// HeadOf returns what a series has; false: nothing yet.
func HeadOf(db crawl.DB, series string) (h Head, ok bool, err error) {
	err = db.View(func(tx crawl.Tx) error {
		ok = get(tx, bucketSeries, []byte(series), &h)
		return nil
	})
	return h, ok, err
}

// Options of a book.
type Options struct {
	// Job is the crawl, Series its series.
	Job, Series string
	// Again goes on with the pages of the series; else the crawl begins with none.
	Again bool
	// Now is when the crawl began.
	Now time.Time
	// Free reports whether a job that works on the series has ended.
	Free func(job string) bool
}

// Open opens what a crawl knows, or goes on where an earlier process left it.
func Open(db crawl.DB, o Options) (b *Book, err error) {
	h, _, err := HeadOf(db, o.Series)
	if err != nil {
		return nil, err
	}
	ended := h.Writer == "" || h.Writer == o.Job || !o.Again || o.Free(h.Writer) // which may look into the store
	err = db.Update(func(tx crawl.Tx) error {
		b = &Book{db: db, space: o.Job, series: o.Series, job: o.Job}
		if err := tx.Put(bucketJobs, []byte(o.Job), []byte(o.Series)); err != nil || !o.Again {
			return err
		}
		return b.goOn(tx, o, h.Writer, ended)
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// goOn takes the space of the series, unless a crawl works on it other than one that has ended.
func (b *Book) goOn(tx crawl.Tx, o Options, writer string, ended bool) error {
	var h Head
	if !get(tx, bucketSeries, []byte(o.Series), &h) {
		return ErrNone
	}
	if h.Writer != "" && h.Writer != o.Job && !(ended && h.Writer == writer) {
		return fmt.Errorf("%w: %s", ErrBusy, h.Writer)
	}
	if h.Writer != o.Job {
		h.Writer, h.At = o.Job, o.Now
		h.Run++
	}
	b.space, b.run, b.again = h.Space, h.Run, true
	return put(tx, bucketSeries, []byte(o.Series), h)
}

// End makes the space of a crawl that has seen all that it wanted that of its series; what that had before is forgotten.
func (b *Book) End(now time.Time) error {
	err := b.db.Update(func(tx crawl.Tx) error {
		var h Head
		get(tx, bucketSeries, []byte(b.series), &h)
		if h.Space != "" && h.Space != b.space {
			if err := tx.Put(bucketGone, []byte(h.Space), []byte{1}); err != nil {
				return err
			}
		}
		return put(tx, bucketSeries, []byte(b.series), Head{Space: b.space, Job: b.job, Run: h.Run, At: now})
	})
	if err != nil {
		return err
	}
	return sweep(b.db)
}
