package natsdb

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
)

// The messages of testdata/v1 were written by the first version of the stream's form; they are never written again.
const firstVersion = "testdata/v1"

// messagesOfV1 are the sets of writes of those messages, in order.
func messagesOfV1() []*writes {
	var first, second, third writes
	first.add(write{bucket: bucketNames, key: "b"})
	first.add(write{bucket: "b", key: "a", value: []byte("1")})
	first.add(write{bucket: "b", key: "gone", value: []byte("2")})
	second.add(write{bucket: "b", key: "gone", deletes: true})
	second.add(write{bucket: "b", key: "empty"})
	third.add(write{bucket: "b", key: "a", value: []byte("3")})
	return []*writes{&first, &second, &third}
}

// publishV1 makes a stream of those messages.
func publishV1(t *testing.T, js jetstream.JetStream) jetstream.Stream {
	t.Helper()
	stream, err := makeStream(t.Context(), Options{JetStream: js, Name: "s", Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range messagesOfV1() {
		name := filepath.Join(firstVersion, string(rune('1'+i))+".message")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := js.Publish(t.Context(), "winnow.db.s", data); err != nil {
			t.Fatal(err)
		}
	}
	return stream
}

// A stream that the first version has written is read by this one, and written on.
func TestOpen_readsTheFirstVersion(t *testing.T) {
	h := newHost(t, 0)
	publishV1(t, h.dial())
	db := h.machine(t, "s", t.TempDir())
	if got := rows(t, db); got != "a=3 empty=" {
		t.Errorf("got %s", got)
	}
	put(t, db, "more", "4")
	if got := rows(t, h.machine(t, "s", t.TempDir())); got != "a=3 empty= more=4" {
		t.Errorf("and then %s", got)
	}
}

// The object of testdata/v1 is a snapshot of the first two messages, which are cut off then: it was written by the first version, too.
func TestOpen_readsASnapshotOfTheFirstVersion(t *testing.T) {
	h := newHost(t, 0)
	js := h.dial()
	stream := publishV1(t, js)
	objects, err := makeObjects(t.Context(), Options{JetStream: js, Name: "s", Replicas: 1})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(firstVersion, "snapshot"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := objects.PutBytes(t.Context(), "s-00000000000000000002", data); err != nil {
		t.Fatal(err)
	}
	if err := stream.Purge(t.Context(), jetstream.WithPurgeSequence(3)); err != nil {
		t.Fatal(err)
	}
	db := h.machine(t, "s", t.TempDir())
	if got := rows(t, db); got != "a=3 empty=" {
		t.Errorf("got %s", got)
	}
	put(t, db, "more", "4")
	if err := db.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, h.machine(t, "s", t.TempDir())); got != "a=3 empty= more=4" {
		t.Errorf("and then %s", got)
	}
}

// A stream that a later version has written is refused and left as it is; headers that are not known yet are passed over.
func TestOpen_aLaterVersion(t *testing.T) {
	h := newHost(t, 0)
	first := h.machine(t, "s", t.TempDir())
	put(t, first, "a", "1")
	_ = first.Close()
	js, m := h.dial(), nats.NewMsg("winnow.db.s")
	m.Header.Set("Winnow-Later", "x")
	w := messagesOfV1()[2]
	var err error
	if m.Data, err = w.encode(); err != nil {
		t.Fatal(err)
	}
	if _, err := js.PublishMsg(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, h.machine(t, "s", t.TempDir())); got != "a=3" {
		t.Errorf("with a header that isn't known: %s", got)
	}
	if _, err := js.Publish(t.Context(), "winnow.db.s", []byte{formZstd + 1, 1, 2}); err != nil {
		t.Fatal(err)
	}
	before, err := js.Stream(t.Context(), "s")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{JetStream: js, Name: "s", Local: cache.NewMap()})
	if !errors.Is(err, ErrVersion) {
		t.Errorf("got %v, want ErrVersion", err)
	}
	after, err := before.Info(t.Context())
	if err != nil || after.State.LastSeq != before.CachedInfo().State.LastSeq {
		t.Errorf("it was written to: %v, %v", after, err)
	}
}
