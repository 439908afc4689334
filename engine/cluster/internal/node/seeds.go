package node

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/shards"
)

// fits returns how many of the seeds have so many bytes as JSON, at least one if there is one.
func fits(seeds []crawl.Found, maxBytes int) (n int, err error) {
	size := 0
	for n < len(seeds) {
		data, err := json.Marshal(seeds[n])
		if err != nil {
			return 0, err
		}
		if size += len(data) + 1; n > 0 && size > maxBytes {
			break
		}
		n++
	}
	return n, nil
}

var errParts = errors.New("node: the seeds before the last part are missing: start the job again")

// isThere reports whether there is a job. [ErrRemoved].
func isThere(tx crawl.Tx, job string) (bool, error) {
	row, err := readJob(tx, job)
	switch {
	case errors.Is(err, ErrUnknown):
		return false, nil
	case err == nil && row.Removed:
		return true, ErrRemoved
	}
	return true, err
}

// addSeeds keeps a part of the seeds of a job that is not made yet.
func (s *shard) addSeeds(r Request) error {
	return s.db.Update(func(tx crawl.Tx) error {
		if there, err := isThere(tx, r.Job); there || err != nil {
			return err
		}
		return putSeeds(tx, r)
	})
}

// start makes a job of which all parts of the seeds but the last are here.
func (s *shard) start(r Request) error {
	if r.Spec == nil {
		return fmt.Errorf("node: job %q without a spec", r.Job)
	}
	defer s.poke()
	return s.db.Update(func(tx crawl.Tx) error {
		if there, err := isThere(tx, r.Job); there || err != nil {
			return err
		}
		for part := range r.Part {
			if tx.Get(bucketSeeds, seedKey(r.Job, part)) == nil {
				return errParts
			}
		}
		if err := errors.Join(dropSeeds(tx, r.Job, r.Part), putSeeds(tx, r)); err != nil { // of an earlier try that had more
			return err
		}
		return jobRow{Spec: *r.Spec, State: Running}.write(tx, r.Job)
	})
}

func putSeeds(tx crawl.Tx, r Request) error {
	data, err := json.Marshal(r.Seeds)
	if err != nil {
		return err
	}
	return tx.Put(bucketSeeds, seedKey(r.Job, r.Part), data)
}

func seedKey(job string, part int) []byte {
	if part == 0 {
		return []byte(job)
	}
	return binary.BigEndian.AppendUint32(append([]byte(job), 0), uint32(part))
}

// dropSeeds forgets the parts from a number on.
func dropSeeds(tx crawl.Tx, job string, from int) error {
	var gone [][]byte
	for _, key := range seedKeys(tx, job) {
		if bytes.Compare(key, seedKey(job, from)) >= 0 {
			gone = append(gone, key)
		}
	}
	for _, key := range gone {
		if err := tx.Delete(bucketSeeds, key); err != nil {
			return err
		}
	}
	return nil
}

// seedKeys are the parts that are here, in order.
func seedKeys(tx crawl.Tx, job string) (list [][]byte) {
	own, further := []byte(job), append([]byte(job), 0)
	for key := range tx.Scan(bucketSeeds, own) {
		if !bytes.Equal(key, own) && !bytes.HasPrefix(key, further) {
			break
		}
		list = append(list, bytes.Clone(key))
	}
	return list
}

// feed sends the seeds that were not sent yet to their shards, part by part.
func (h *home) feed(ctx context.Context) error {
	for {
		var key, data []byte
		err := h.s.db.View(func(tx crawl.Tx) error {
			key, data = nil, nil
			if keys := seedKeys(tx, h.job); len(keys) > 0 {
				key, data = keys[0], slices.Clone(tx.Get(bucketSeeds, keys[0]))
			}
			return nil
		})
		if err != nil || key == nil {
			return err
		}
		h.changed = true
		if err := h.feedPart(ctx, data); err != nil {
			return err
		}
		if err := h.s.db.Update(func(tx crawl.Tx) error { return tx.Delete(bucketSeeds, key) }); err != nil {
			return err
		}
	}
}

func (h *home) feedPart(ctx context.Context, data []byte) error {
	var seeds []crawl.Found
	if err := json.Unmarshal(data, &seeds); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrDamaged, bucketSeeds, err)
	}
	by := shards.Split(seeds, h.s.n.o.Shards)
	for _, target := range shards.In(by) {
		if err := h.s.join(h.job, target); err != nil {
			return err
		}
	}
	for _, target := range shards.In(by) {
		if err := h.s.n.o.Sender.Send(ctx, target, h.job, by[target]); err != nil {
			return err
		}
	}
	return nil
}
