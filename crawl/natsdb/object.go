package natsdb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// object reads an object, however long that takes, as long as something comes in the time for an answer. The reader of the client has one
// time for all of it, which is 5 s, and waits for ever where the connection is lost in the middle.
type object struct {
	ctx    context.Context
	d      *DB
	info   *jetstream.ObjectInfo
	reader jetstream.Consumer
	read   uint32 // pieces
	rest   []byte // of the last one
	digest hash.Hash
}

// openObject opens an object. Its error is [jetstream.ErrObjectNotFound] where there is none.
func (d *DB) openObject(ctx context.Context, name string) (*object, error) {
	bounded, cancel := context.WithTimeout(ctx, d.o.Wait)
	defer cancel()
	info, err := d.objects.GetInfo(bounded, name)
	if err != nil {
		return nil, err
	}
	o := &object{ctx: ctx, d: d, info: info, digest: sha256.New()}
	if info.Chunks == 0 {
		return o, nil
	}
	o.reader, err = d.o.JetStream.CreateConsumer(bounded, "OBJ_"+d.o.objects(), jetstream.ConsumerConfig{
		FilterSubject: "$O." + d.o.objects() + ".C." + info.NUID, DeliverPolicy: jetstream.DeliverAllPolicy, AckPolicy: jetstream.AckNonePolicy,
		InactiveThreshold: time.Minute, MemoryStorage: true,
	})
	return o, err
}

// Read implements io.Reader. That all came as it was written is known at io.EOF.
func (o *object) Read(to []byte) (n int, err error) {
	for len(o.rest) == 0 {
		if o.read == o.info.Chunks {
			return 0, o.whole()
		}
		if err := o.fetch(); err != nil {
			return 0, fmt.Errorf("natsdb: piece %d of the object %s: %w", o.read, o.info.Name, err)
		}
	}
	n = copy(to, o.rest)
	o.rest = o.rest[n:]
	return n, nil
}

// piecesAtOnce are fetched.
const piecesAtOnce = 16

// fetch reads the next pieces. The server sends none a second time, so a gap is an error.
func (o *object) fetch() error {
	ctx, cancel := context.WithTimeout(o.ctx, o.d.o.Wait)
	defer cancel()
	batch, err := o.reader.Fetch(int(min(piecesAtOnce, o.info.Chunks-o.read)), jetstream.FetchContext(ctx))
	if err != nil {
		return err
	}
	before := o.read
	for m := range batch.Messages() {
		about, err := m.Metadata()
		if err != nil {
			return err
		}
		if o.read++; about.Sequence.Consumer != uint64(o.read) {
			return fmt.Errorf("it came as number %d", about.Sequence.Consumer)
		}
		o.rest = append(o.rest, m.Data()...)
	}
	_, _ = o.digest.Write(o.rest)
	if o.read == before {
		return errors.Join(errors.New("it did not come"), batch.Error(), o.ctx.Err())
	}
	return nil
}

func (o *object) whole() error {
	want, err := jetstream.DecodeObjectDigest(o.info.Digest)
	if err != nil {
		return err
	}
	if !bytes.Equal(o.digest.Sum(nil), want) {
		return fmt.Errorf("%w: the object %s has another digest", ErrDamaged, o.info.Name)
	}
	return io.EOF
}
