package natsdb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Headers of messages. A message that has writes has them as its data, or names the object that holds them.
const (
	headerObject = "Winnow-Object" // name of an object with the writes
	headerOwner  = "Winnow-Owner"  // the message makes a new owner and has no writes

	roomForHeaders = 1 << 10
	objectOfWrites = "w-"
)

// message makes the message that is to follow the last one.
func (d *DB) message(w *writes) (*nats.Msg, error) {
	data, err := w.encode()
	if err != nil {
		return nil, err
	}
	m := nats.NewMsg(d.o.subject())
	m.Header.Set(jetstream.MsgIDHeader, uuid.NewString())
	if len(data) <= d.limit-roomForHeaders {
		m.Data = data
		return m, nil
	}
	name := objectName(objectOfWrites, d.sequence+1) + "-" + m.Header.Get(jetstream.MsgIDHeader)
	m.Header.Set(headerObject, name)
	return m, d.patiently(func(ctx context.Context) error {
		_, err := d.objects.Put(ctx, d.objectMeta(name), bytes.NewReader(data))
		return err
	})
}

// chunkOfObject is what an object's pieces have where the server takes so much.
const chunkOfObject = 128 << 10

func (d *DB) objectMeta(name string) jetstream.ObjectMeta {
	chunk := max(1, min(chunkOfObject, d.limit-roomForHeaders))
	return jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(chunk)}}
}

// objectName sorts by the sequence that an object belongs to.
func objectName(kind string, sequence uint64) string { return fmt.Sprintf("%s%020d", kind, sequence) }

// sequenceOf reads the sequence out of an object's name.
func sequenceOf(kind, name string) (sequence uint64, ok bool) {
	digits, ok := strings.CutPrefix(name, kind)
	if !ok {
		return 0, false
	}
	_, err := fmt.Sscanf(digits, "%020d", &sequence)
	return sequence, err == nil
}

// writesOf reads the writes of a message of the stream.
func (d *DB) writesOf(ctx context.Context, header nats.Header, data []byte) (*writes, error) {
	name := header.Get(headerObject)
	if name == "" {
		return readWrites(data)
	}
	o, err := d.openObject(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, fmt.Errorf("%w: the object %s, which a message names, is missing", ErrDamaged, name)
	}
	if err != nil {
		return nil, err
	}
	if data, err = io.ReadAll(o); err != nil {
		return nil, err
	}
	return readWrites(data)
}
