package natsdb

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/crawl"
)

// identity is the key of a stream's metadata that distinguishes it from one that is made later under its name.
const identity = "winnow-identity"

// Open makes the caller the owner of the stream, which is made when missing, and returns when the local store has all that is in it. ctx
// bounds opening alone. Close the DB when it is no longer used. Errors: those of Options, which name the field; [ErrDiverged], [ErrVersion]
// and [ErrDamaged], after which nothing has changed but the owner; those of the server and of the local store.
func Open(ctx context.Context, o Options) (*DB, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	d := &DB{o: o, named: map[string]bool{}, limit: int(o.JetStream.Conn().MaxPayload())}
	if d.stream, err = makeStream(ctx, o); err != nil {
		return nil, fmt.Errorf("natsdb: stream %s: %w", o.Name, err)
	}
	d.objects, err = makeObjects(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("natsdb: objects of %s: %w", o.Name, err)
	}
	d.living, d.end = context.WithCancel(context.Background())
	if err := d.takeOver(ctx); err != nil {
		d.end()
		return nil, err
	}
	return d, nil
}

// makeStream returns the stream as it is; who opens it can't change its replicas.
func makeStream(ctx context.Context, o Options) (jetstream.Stream, error) {
	s, err := o.JetStream.Stream(ctx, o.Name)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return s, err
	}
	s, err = o.JetStream.CreateStream(ctx, jetstream.StreamConfig{
		Name: o.Name, Subjects: []string{o.subject()}, Storage: jetstream.FileStorage, Replicas: o.Replicas,
		Metadata: map[string]string{identity: uuid.NewString()},
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another was faster
		return o.JetStream.Stream(ctx, o.Name)
	}
	return s, err
}

func makeObjects(ctx context.Context, o Options) (jetstream.ObjectStore, error) {
	s, err := o.JetStream.ObjectStore(ctx, o.objects())
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return s, err
	}
	return o.JetStream.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: o.objects(), Replicas: o.Replicas, Storage: jetstream.FileStorage,
	})
}

// takeOver catches up and appends a message that makes this DB the owner. Who was it before may go on until then: what it appended
// meanwhile is read, too.
func (d *DB) takeOver(ctx context.Context) error {
	for {
		switch err := d.follow(ctx); {
		case errors.Is(err, errCut) && ctx.Err() == nil:
			continue
		case err != nil:
			return err
		}
		m := nats.NewMsg(d.o.subject())
		m.Header.Set(headerOwner, uuid.NewString())
		ack, err := d.o.JetStream.PublishMsg(ctx, m, jetstream.WithExpectLastSequence(d.sequence), jetstream.WithMsgID(m.Header.Get(headerOwner)))
		switch {
		case err == nil:
			d.sequence = ack.Sequence
			return apply(d.o.Local, d.sequence, &writes{})
		case isWrongSequence(err):
			continue
		default:
			return fmt.Errorf("natsdb: taking over %s: %w", d.o.Name, err)
		}
	}
}

// follow brings the local store to where the stream is.
func (d *DB) follow(ctx context.Context) error {
	info, err := d.stream.Info(ctx)
	if err != nil {
		return err
	}
	at, err := d.start(ctx, info)
	if err != nil {
		return err
	}
	if err := (replay{d}).run(ctx, at, info.State); err != nil {
		return err
	}
	d.sequence = info.State.LastSeq
	return nil
}

// start is the sequence up to which the local store has the stream; where it is empty, or its next message was cut, it gets a snapshot.
func (d *DB) start(ctx context.Context, info *jetstream.StreamInfo) (uint64, error) {
	var at place
	err := d.o.Local.View(func(tx crawl.Tx) error {
		at = placeOf(tx)
		return nil
	})
	id := info.Config.Metadata[identity]
	switch {
	case err != nil:
		return 0, err
	case at.stream != "" && (at.stream != id || at.sequence > info.State.LastSeq):
		return 0, fmt.Errorf("%w: it is at %d of %s, the stream at %d of %s", ErrDiverged, at.sequence, at.stream, info.State.LastSeq, id)
	case at.stream != "" && at.sequence+1 >= info.State.FirstSeq:
		return at.sequence, nil
	}
	return d.load(ctx, id, info.State.FirstSeq)
}
