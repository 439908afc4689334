package crawling

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
	"github.com/winnow-go/winnow/engine/internal/work"
)

// Kinds of changes.
const (
	Added   = "added"
	Changed = "changed"
	Removed = "removed"
	Moved   = "moved"
)

// Change is what has become of a page since an earlier crawl.
type Change struct {
	Kind string `json:"kind"`
	// URL of the page; of one that has moved, where to.
	URL string `json:"url"`
	// From is where a page has moved from.
	From string `json:"from,omitempty"`
	// Diff is the difference of the texts; "": it isn't known.
	Diff string `json:"diff,omitempty"`
	// Result is the number of the page's document, from 1; 0: it has none.
	Result uint64 `json:"result,omitempty"`
	// At is when it was seen.
	At time.Time `json:"at"`
}

// changeBucket keeps changes: job, a zero, number → packed [Change]. countBucket counts them by kind: job → JSON.
const (
	changeBucket = "crawl/changes"
	countBucket  = "crawl/changecounts"
)

func changeKey(job string, number uint64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(job), 0), number)
}

// report notes a change, in the transaction in which its page ends.
func (n *night) report(tx jobs.Tx, change Change) error {
	job := n.c.line.Record.ID
	number, err := count(tx, job, change.Kind)
	if err != nil {
		return err
	}
	change.At = n.now()
	row, err := packed.Encode(change)
	if err != nil {
		return err
	}
	if err := tx.Put(changeBucket, changeKey(job, number), row); err != nil {
		return err
	}
	change.Diff = ""
	return n.c.line.EventIn(tx, jobs.EventChange, change)
}

// count counts a change, and returns its number: those of a job are without gaps, from 1.
func count(tx jobs.Tx, job, kind string) (number uint64, err error) {
	counts := map[string]uint64{}
	if row := tx.Get(countBucket, []byte(job)); row != nil {
		if err := json.Unmarshal(row, &counts); err != nil {
			return 0, err
		}
	}
	counts[kind]++
	for _, n := range counts {
		number += n
	}
	row, err := json.Marshal(counts)
	if err != nil {
		return 0, err
	}
	return number, tx.Put(countBucket, []byte(job), row)
}

// changesAtOnce bounds how much of changes is read in one go, in bytes, unless one alone is larger.
const changesAtOnce = 1 << 20

// Changes returns some of a job's changes, in order, after the first from; none: there are no more yet.
func Changes(db work.DB, job string, from uint64) (list []Change, err error) {
	err = db.View(func(tx jobs.Tx) error {
		list = nil
		own, size := changeKey(job, 0)[:len(job)+1], 0
		for key, row := range tx.Scan(changeBucket, changeKey(job, from+1)) {
			if !bytes.HasPrefix(key, own) || size > changesAtOnce {
				break
			}
			var change Change
			if err := packed.Into(row, &change); err != nil {
				return err
			}
			size += len(change.Diff) + len(change.URL)
			list = append(list, change)
		}
		return nil
	})
	return list, err
}

// ChangeCounts counts a job's changes by kind.
func ChangeCounts(db work.DB, job string) (counts map[string]int, err error) {
	err = db.View(func(tx jobs.Tx) error {
		counts = map[string]int{}
		if row := tx.Get(countBucket, []byte(job)); row != nil {
			return json.Unmarshal(row, &counts)
		}
		return nil
	})
	return counts, err
}

// dropChanges forgets a job's changes.
func dropChanges(db work.DB, job string) error {
	if err := work.DropRows(db, changeBucket, job); err != nil {
		return err
	}
	return db.Update(func(tx jobs.Tx) error { return tx.Delete(countBucket, []byte(job)) })
}
