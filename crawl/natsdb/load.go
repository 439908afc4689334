package natsdb

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/crawl"
)

// load empties the local store and reads the last snapshot into it; without one, the stream must be whole from its first message on.
func (d *DB) load(ctx context.Context, stream string, first uint64) (sequence uint64, err error) {
	name, sequence, err := d.lastSnapshot(ctx)
	if err != nil {
		return 0, err
	}
	if sequence+1 < first {
		return 0, fmt.Errorf("%w: messages of %s before %d are gone, and there is no snapshot of them", ErrDamaged, d.o.Name, first)
	}
	if err := empty(d.o.Local); err != nil {
		return 0, err
	}
	if name != "" {
		if err := d.read(ctx, name); err != nil {
			return 0, fmt.Errorf("natsdb: the snapshot %s: %w", name, err)
		}
	}
	return sequence, d.o.Local.Update(func(tx crawl.Tx) error { return setPlace(tx, place{stream, sequence}) })
}

func (d *DB) lastSnapshot(ctx context.Context) (name string, sequence uint64, err error) {
	list, err := d.list(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return "", 0, err
	}
	for _, o := range list {
		if at, ok := sequenceOf(objectOfSnapshot, o.Name); ok && (name == "" || at > sequence) {
			name, sequence = o.Name, at
		}
	}
	return name, sequence, nil
}

// list returns the objects there are. The client waits for ever for a list whose first message was lost with its connection.
func (d *DB) list(ctx context.Context) ([]*jetstream.ObjectInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, d.o.Wait)
	defer cancel()
	return d.objects.List(ctx)
}

// deletedAtOnce is how many rows go in a transaction.
const deletedAtOnce = 10_000

// empty deletes all rows, the place first: a store that has none of it is filled from the beginning whatever
// else is left.
func empty(local crawl.DB) error {
	for more := true; more; {
		err := local.Update(func(tx crawl.Tx) error {
			if err := tx.Delete(bucketMeta, rowStream); err != nil {
				return err
			}
			more = false
			for _, bucket := range buckets(tx) {
				if bucket == bucketNames {
					continue // until the others are empty
				}
				if n, err := deleteSome(tx, bucket); n > 0 || err != nil {
					more = true
					return err
				}
			}
			n, err := deleteSome(tx, bucketNames)
			more = n > 0
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func deleteSome(tx crawl.Tx, bucket string) (n int, err error) {
	var keys [][]byte
	for key := range tx.Scan(bucket, nil) {
		if keys = append(keys, append([]byte(nil), key...)); len(keys) == deletedAtOnce {
			break
		}
	}
	for _, key := range keys {
		if err := tx.Delete(bucket, key); err != nil {
			return 0, err
		}
	}
	return len(keys), nil
}

// read brings a snapshot into the local store. That it is whole is known at its end, by its digest: only then the store gets its place.
func (d *DB) read(ctx context.Context, name string) error {
	object, err := d.openObject(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) { // there is a later one
		return errCut
	}
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(object, chunkBytes)
	for {
		w, err := readChunk(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && d.isDeleted(ctx, name) {
			return errCut
		}
		if err != nil {
			return err
		}
		if err := d.o.Local.Update(w.apply); err != nil {
			return err
		}
	}
}

// isDeleted reports whether an object is gone, since there is a later snapshot.
func (d *DB) isDeleted(ctx context.Context, name string) bool {
	ctx, cancel := context.WithTimeout(ctx, d.o.Wait)
	defer cancel()
	_, err := d.objects.GetInfo(ctx, name)
	return errors.Is(err, jetstream.ErrObjectNotFound)
}

// readChunk returns io.EOF after the last.
func readChunk(in *bufio.Reader) (*writes, error) {
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return nil, err
	}
	if n > maxWrites {
		return nil, fmt.Errorf("%w: a chunk of %d bytes", ErrDamaged, n)
	}
	data, err := io.ReadAll(io.LimitReader(in, int64(n)))
	if err != nil {
		return nil, err
	}
	if uint64(len(data)) < n {
		return nil, fmt.Errorf("%w: it ends in the middle", ErrDamaged)
	}
	return readWrites(data)
}
