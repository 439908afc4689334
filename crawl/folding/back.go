package folding

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/winnow-go/winnow/crawl"
)

// putBack puts in line what was left out by rules of a host that are undone, if there is any.
func (b *Book) putBack(ctx context.Context, host string) error {
	rows, undone := map[string]left{}, 0
	err := b.db.View(func(tx crawl.Tx) error {
		h := b.host(tx, host)
		if undone = h.Undone; undone > h.Back {
			b.eachLeft(tx, host, func(row []byte, l left) bool {
				if !h.on(l.Found.Key).allHold(l.Rules) {
					rows[string(row)] = l
				}
				return true
			})
		}
		return nil
	})
	if err != nil || undone == 0 {
		return err
	}
	if err := b.takeBack(ctx, host, rows); err != nil {
		return err
	}
	return b.look(ctx, host, func(t *turn) error {
		if t.host.Back >= undone {
			return nil
		}
		t.host.Back = undone
		return t.mustWrite()
	})
}

func (t *turn) mustWrite() error {
	if !t.write {
		return errWrites
	}
	return nil
}

// eachLeft visits what was left out of a host, in no order, until visit returns false.
func (b *Book) eachLeft(tx crawl.Tx, host string, visit func(row []byte, l left) bool) {
	own := b.leftOf(host)
	for row := range tx.Scan(bucketLeft, own) {
		var l left
		if !bytes.HasPrefix(row, own) || get(tx, bucketLeft, row, &l) && !visit(row, l) {
			return
		}
	}
}

// takeBack puts in line what was left out, and then forgets that it was. A process that ends in between does it once more.
func (b *Book) takeBack(ctx context.Context, host string, rows map[string]left) error {
	if len(rows) == 0 {
		return nil
	}
	keys := slices.Sorted(maps.Keys(rows))
	var list []crawl.Retaken
	for _, key := range keys {
		list = append(list, rows[key].retaken(b.reason))
	}
	if err := b.retake(ctx, list); err != nil {
		return err
	}
	for some := range slices.Chunk(keys, handledAtOnce) {
		if err := b.change(ctx, host, func(t *turn) error { return t.forget(some, rows) }); err != nil {
			return err
		}
	}
	return nil
}

// forget deletes rows that are what they were. Others were left out once more meanwhile.
func (t *turn) forget(keys []string, rows map[string]left) error {
	for _, key := range keys {
		row, err := json.Marshal(rows[key])
		if err != nil {
			return err
		}
		if !bytes.Equal(t.tx.Get(bucketLeft, []byte(key)), row) {
			continue
		}
		t.host.Kept = max(t.host.Kept-1, 0)
		if err := t.tx.Delete(bucketLeft, []byte(key)); err != nil {
			return err
		}
	}
	return nil
}
