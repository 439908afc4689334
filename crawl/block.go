package crawl

import (
	"bytes"
	"context"
	"encoding/binary"
	"time"
)

// Block leaves a host alone until then (see Pace.Block), also after the job is reopened. Blocks that the Pace sets after 429
// or 503 are stored with the item's Complete or Fail.
func (f *Frontier) Block(ctx context.Context, host string, until time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.o.Pace.Block(host, until)
	return f.update(func(w *work) error { return w.keepBlock(host) })
}

// keepBlock stores that the Pace leaves a host alone.
func (w *work) keepBlock(host string) error {
	until := w.f.o.Pace.Blocked(host)
	if until.IsZero() {
		return nil
	}
	return w.tx.Put(bucketBlocks, w.key([]byte(host)), seal(binary.AppendUvarint(newRow(12), millis(until))))
}

// takeBlocks passes the blocks of an earlier process to the Pace, and clears those that have passed. A damaged row counts as none.
func (f *Frontier) takeBlocks() error {
	now := f.o.Now()
	blocked, passed := map[string]time.Time{}, [][]byte(nil)
	err := f.view(func(w *work) error {
		own := w.key()
		for key, row := range w.tx.Scan(bucketBlocks, own) {
			if !bytes.HasPrefix(key, own) || len(blocked)+len(passed) == maxBlocks {
				break
			}
			r := openRow(row)
			if until := r.time(); r.end() == nil && until.After(now) {
				blocked[string(key[8:])] = until
			} else {
				passed = append(passed, bytes.Clone(key))
			}
		}
		return nil
	})
	for host, until := range blocked {
		f.o.Pace.Block(host, until)
	}
	if err != nil || len(passed) == 0 {
		return err
	}
	return f.update(func(w *work) error {
		for _, key := range passed {
			if err := w.tx.Delete(bucketBlocks, key); err != nil {
				return err
			}
		}
		return nil
	})
}
