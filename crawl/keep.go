package crawl

import (
	"context"
	"encoding/binary"
	"slices"
)

// Keep claims URLs that need not be fetched, since they are as they were before. Each uses a slot in the limit. Those whose key is
// claimed are left as they are. Large numbers go in several transactions; alongside, if not nil, is run in each.
func (f *Frontier) Keep(ctx context.Context, list []Found, alongside func(Tx) error) error {
	return f.inChunks(ctx, list, func(w *work, chunk []Found) error {
		for _, one := range chunk {
			if err := keepOne(w, one); err != nil {
				return err
			}
		}
		if alongside == nil {
			return nil
		}
		return alongside(w.tx)
	})
}

func (f *Frontier) inChunks(ctx context.Context, list []Found, do func(*work, []Found) error) error {
	for chunk := range slices.Chunk(list, putChunk) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.update(func(w *work) error { return do(w, chunk) }); err != nil {
			return err
		}
	}
	f.o.Pace.change.send()
	return nil
}

func keepOne(w *work, found Found) error {
	name := known{key: found.key()}
	seen := w.key(digest(name.key))
	if found.host() == "" || w.tx.Get(bucketSeen, seen) != nil {
		return nil
	}
	w.sequence++
	w.made.certain = append(w.made.certain, name)
	w.known++
	w.kept++
	return w.tx.Put(bucketSeen, seen, be64(w.sequence))
}

// Renew queues URLs once more that were kept, whether they had been fetched or not. Their keys stay with the items that they had. Large
// numbers go in several transactions; one that a process ends in between may be repeated.
func (f *Frontier) Renew(ctx context.Context, list []Found) error {
	return f.inChunks(ctx, list, func(w *work, chunk []Found) error {
		for _, one := range chunk {
			if err := renewOne(w, one); err != nil {
				return err
			}
		}
		return nil
	})
}

func renewOne(w *work, found Found) error {
	holder, host := w.tx.Get(bucketSeen, w.key(digest(found.key()))), found.host()
	if len(holder) != 8 || host == "" {
		return nil
	}
	e := entry{Found: found, id: binary.BigEndian.Uint64(holder)}
	if w.tx.Get(bucketQueue, w.f.queueKey(host, e.rank(e.id))) != nil {
		return nil
	}
	w.kept -= min(w.kept, 1)
	w.sequence++ // so that Standing.Accepted grows
	return w.enqueue(host, e, e.id)
}
