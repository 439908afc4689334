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

const objectOfSnapshot = "s-"

// chunkBytes of rows are written, read and applied at once.
const chunkBytes = 1 << 20

// grow counts what was appended, and begins a snapshot when one is due.
func (d *DB) grow(bytes int64) {
	d.grown += bytes
	if d.o.SnapshotBytes < 0 || d.grown < d.o.SnapshotBytes || !d.snapping.TryLock() {
		return
	}
	d.grown = 0
	d.work.Go(func() {
		defer d.snapping.Unlock()
		if err := d.snapshot(d.living); err != nil && d.living.Err() == nil {
			d.o.Logger.Error("natsdb: no snapshot", "stream", d.o.Name, "err", err)
		}
	})
}

// Snapshot stores what the local store has as an object, and cuts the stream before it: who opens the stream reads the object and what
// follows on it. It is done by itself as Options.SnapshotBytes says. Transactions go on meanwhile; pages of a bbolt file that they free
// are used again only when it has ended.
func (d *DB) Snapshot(ctx context.Context) error {
	if d.living.Err() != nil {
		return ErrClosed
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(d.living, cancel)()
	d.snapping.Lock()
	defer d.snapping.Unlock()
	return d.snapshot(ctx)
}

func (d *DB) snapshot(ctx context.Context) error {
	name, sequence, err := d.store(ctx)
	if err != nil {
		return err
	}
	if err := d.stream.Purge(ctx, jetstream.WithPurgeSequence(sequence+1)); err != nil {
		return err
	}
	return d.clean(ctx, name, sequence)
}

// store writes the local store into an object.
func (d *DB) store(ctx context.Context) (name string, sequence uint64, err error) {
	err = d.o.Local.View(func(tx crawl.Tx) error {
		sequence = placeOf(tx).sequence
		name = objectName(objectOfSnapshot, sequence)
		reader, writer := io.Pipe()
		done := make(chan error, 1)
		go func() {
			_, err := d.objects.Put(ctx, d.objectMeta(name), reader)
			_ = reader.CloseWithError(errors.Join(err, io.ErrClosedPipe))
			done <- err
		}()
		err := dump(tx, writer)
		_ = writer.CloseWithError(err)
		return errors.Join(<-done, err)
	})
	return name, sequence, err
}

// dump writes all rows but those of the place, as sets of writes with their lengths before them.
func dump(tx crawl.Tx, to io.Writer) error {
	out := bufio.NewWriterSize(to, chunkBytes)
	var w writes
	size := 0
	flush := func() error {
		data, err := w.encode()
		if err != nil {
			return err
		}
		_, err = out.Write(append(binary.AppendUvarint(nil, uint64(len(data))), data...))
		w, size = writes{}, 0
		return err
	}
	for _, bucket := range buckets(tx) {
		for key, value := range tx.Scan(bucket, nil) {
			w.list = append(w.list, write{bucket: bucket, key: string(key), value: value})
			if size += len(key) + len(value); size < chunkBytes {
				continue
			}
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return out.Flush()
}

// buckets are all that a snapshot has.
func buckets(tx crawl.Tx) []string {
	list := []string{bucketNames, bucketNumbers}
	for name := range tx.Scan(bucketNames, nil) {
		list = append(list, string(name))
	}
	return list
}

// clean deletes the objects that a snapshot makes needless.
func (d *DB) clean(ctx context.Context, snapshot string, sequence uint64) error {
	list, err := d.list(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, o := range list {
		at, old := sequenceOf(objectOfWrites, o.Name)
		if of, ok := sequenceOf(objectOfSnapshot, o.Name); ok && o.Name != snapshot {
			at, old = of, true
		}
		if !old || at > sequence {
			continue
		}
		if err := d.objects.Delete(ctx, o.Name); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			return fmt.Errorf("natsdb: deleting the object %s: %w", o.Name, err)
		}
	}
	return nil
}
