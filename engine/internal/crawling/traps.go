package crawling

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"net/http"
	"slices"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/crawl/scope"
	"github.com/winnow-go/winnow/crawl/traps"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// trapBucket keeps what a crawl has learnt of traps: job, 'p', key of a pattern → its row; job, 't', digest → a text that was seen.
const trapBucket = "crawl/traps"

const (
	ofPattern = 'p'
	ofText    = 't'
)

func trapKey(job string, of byte, key []byte) []byte {
	return append(append([]byte(job), 0, of), key...)
}

func textKey(job string, digest uint64) []byte {
	return trapKey(job, ofText, binary.BigEndian.AppendUint64(nil, digest))
}

// openGuard makes the guard of the crawl, with what an earlier process has learnt.
func (c *crawler) openGuard() error {
	if c.o.FollowTraps {
		return nil
	}
	c.guard = traps.New()
	return c.line.DB().View(func(tx jobs.Tx) error {
		eachPattern(tx, c.line.Record.ID, c.guard.Restore)
		return nil
	})
}

func eachPattern(tx jobs.Tx, job string, do func(row []byte)) {
	own := trapKey(job, ofPattern, nil)
	for key, row := range tx.Scan(trapBucket, own) {
		if !bytes.HasPrefix(key, own) {
			return
		}
		do(row)
	}
}

// Traps are the patterns of which a crawl has left addresses out, most of them first.
func Traps(db work.DB, job string) (list []traps.Pattern, err error) {
	err = db.View(func(tx jobs.Tx) error {
		list = nil
		eachPattern(tx, job, func(row []byte) {
			if p, left := traps.Read(row); left {
				list = append(list, p)
			}
		})
		return nil
	})
	slices.SortStableFunc(list, func(a, b traps.Pattern) int { return cmp.Compare(b.Left, a.Left) })
	return list, err
}

// maxTurn is how long a page of a doubtful pattern waits for others of it. Then it is fetched: one of these may need its host's slot.
const maxTurn = 5 * time.Second

// begin reports whether a page is still to be fetched; end is called after it. What a sitemap lists always is.
func (c *crawler) begin(ctx context.Context, item crawl.Item) (end func(), fetch bool) {
	if c.guard == nil || item.Sitemap || isSeed(item) {
		return func() {}, true
	}
	late := time.NewTimer(maxTurn)
	defer late.Stop()
	for {
		end, fetch, wait := c.guard.Begin(item.URL, item.From)
		if wait == nil {
			return end, fetch
		}
		select {
		case <-wait:
		case <-late.C:
			return func() {}, true
		case <-ctx.Done():
			return func() {}, true // what follows ends by that
		}
	}
}

// leaveTrap counts a page as left out.
func (c *crawler) leaveTrap(f crawl.Found) crawl.Denied {
	c.guard.Left(f.URL, f.From)
	return crawl.Denied{Reason: string(scope.Trap), URL: f.URL}
}

// sift leaves out the links that are worth no request any more, unless the crawl has their pages, and puts doubtful ones last.
func (c *crawler) sift(ctx context.Context, item crawl.Item, out work.Outcome) work.Outcome {
	if c.guard == nil {
		return out
	}
	found := out.Found
	out.Found = nil
	for _, f := range found {
		if !c.line.Own(f.URL) { // another shard knows its host
			out.Found = append(out.Found, f)
			continue
		}
		switch c.guard.Judge(f.URL, f.From) {
		case traps.Leave:
			if taken, err := c.line.Frontier.Taken(ctx, item, f.Key); err == nil && !taken {
				out.Denied = append(out.Denied, c.leaveTrap(f))
			}
			continue
		case traps.Later:
			f.Late = true
		}
		out.Found = append(out.Found, f)
	}
	return out
}

// learnt takes in what came of a page, which is stored with it, and then judges its links. Of another address of a page, as far as the
// crawl knows, nothing is learnt.
func (c *crawler) learnt(ctx context.Context, item crawl.Item, v Visit, out work.Outcome, evidence bool) work.Outcome {
	if c.guard == nil || out.Failed != nil {
		return out
	}
	if evidence && !isSeed(item) {
		if err := c.learn(item, v, out); err != nil {
			return work.Outcome{Failed: err}
		}
	}
	return c.storing(c.sift(ctx, item, out), item, v.Sketch)
}

func (c *crawler) learn(item crawl.Item, v Visit, out work.Outcome) (err error) {
	page := traps.Page{Address: item.URL, URL: v.URL, From: item.From}
	page.Missing = out.Silent || v.Status == http.StatusNotFound || v.Status == http.StatusGone
	for _, f := range out.Found {
		page.Links = append(page.Links, f.URL)
	}
	if v.Status < http.StatusBadRequest {
		page.Sketch = v.Sketch
	}
	if page.Seen, err = c.seen(page.Sketch); err != nil {
		return err
	}
	c.guard.Note(page)
	return nil
}

// seen reports whether the crawl has had a text.
func (c *crawler) seen(s *traps.Sketch) (seen bool, err error) {
	if s == nil || s.Digest == 0 {
		return false, nil
	}
	err = c.line.DB().View(func(tx jobs.Tx) error {
		seen = tx.Get(trapBucket, textKey(c.line.Record.ID, s.Digest)) != nil
		return nil
	})
	return seen, err
}

// storing adds what was learnt to the transaction in which a page ends.
func (c *crawler) storing(out work.Outcome, item crawl.Item, s *traps.Sketch) work.Outcome {
	before, left := out.InTx, []string(nil)
	for _, d := range out.Denied {
		if d.Reason == string(scope.Trap) {
			left = append(left, d.URL)
		}
	}
	out.InTx = func(tx jobs.Tx, first uint64, results int) error {
		if before != nil {
			if err := before(tx, first, results); err != nil {
				return err
			}
		}
		return c.store(tx, item, left, s)
	}
	return out
}

func (c *crawler) store(tx jobs.Tx, item crawl.Item, left []string, s *traps.Sketch) error {
	job := c.line.Record.ID
	changed := c.guard.Changed(item.URL, item.From, left...)
	if err := leaveNote(c.line, tx, changed); err != nil {
		return err
	}
	for _, row := range changed {
		if err := tx.Put(trapBucket, trapKey(job, ofPattern, []byte(row.Key)), row.Value); err != nil {
			return err
		}
	}
	if s == nil || s.Digest == 0 {
		return nil
	}
	return tx.Put(trapBucket, textKey(job, s.Digest), []byte{1})
}

// dropTraps forgets what a crawl has learnt of traps.
func dropTraps(db work.DB, job string) error {
	for more := true; more; {
		err := db.Update(func(tx jobs.Tx) error {
			keys := keysOf(tx, trapBucket, append([]byte(job), 0))
			more = len(keys) == forgottenAtOnce
			return deleteAll(tx, trapBucket, keys)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// keysOf are keys with a prefix, as many as are deleted at once.
func keysOf(tx jobs.Tx, bucket string, prefix []byte) (keys [][]byte) {
	for key := range tx.Scan(bucket, prefix) {
		if !bytes.HasPrefix(key, prefix) || len(keys) == forgottenAtOnce {
			break
		}
		keys = append(keys, bytes.Clone(key))
	}
	return keys
}

func deleteAll(tx jobs.Tx, bucket string, keys [][]byte) error {
	for _, key := range keys {
		if err := tx.Delete(bucket, key); err != nil {
			return err
		}
	}
	return nil
}
