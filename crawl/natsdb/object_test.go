package natsdb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/winnow-go/winnow/cache"
)

// hasty waits no longer for an object than objects does. To find where they are it has more time: that is no part of the reading.
type hasty struct {
	jetstream.JetStream
	objects jetstream.JetStream
}

func (h hasty) ObjectStore(ctx context.Context, name string) (jetstream.ObjectStore, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return h.objects.ObjectStore(ctx, name)
}

// A snapshot takes longer to read than the client waits for one answer, as that of a large shard does.
func TestOpen_readsALongSnapshot(t *testing.T) {
	h := newHost(t, 0)
	first := h.machine(t, "s", t.TempDir())
	noise, random := make([]byte, 1<<20), rand.NewChaCha8([32]byte{1})
	for i := range 6 {
		_, _ = random.Read(noise)
		put(t, first, fmt.Sprint(i), string(noise))
	}
	if err := first.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	const answer = 300 * time.Millisecond
	js := h.dial()
	short, err := jetstream.New(js.Conn(), jetstream.WithDefaultTimeout(answer))
	if err != nil {
		t.Fatal(err)
	}
	second, updates := &store{DB: cache.NewMap()}, 0
	var slow func()
	slow = func() {
		if updates++; updates > 2 { // when the first rows are applied
			time.Sleep(2 * answer)
			return
		}
		second.updated.Store(&slow)
	}
	second.updated.Store(&slow)
	db, err := Open(t.Context(), Options{JetStream: hasty{js, short}, Name: "s", Local: second, Wait: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if got, want := rows(t, db), rows(t, first); got != want || updates < 3 {
		t.Errorf("%d bytes of rows, want %d", len(got), len(want))
	}
}

// stuck is a server whose list of objects never comes, as it is where the connection is lost while it is wanted.
type stuck struct{ jetstream.JetStream }

func (s stuck) ObjectStore(ctx context.Context, name string) (jetstream.ObjectStore, error) {
	o, err := s.JetStream.ObjectStore(ctx, name)
	return stuckObjects{o}, err
}

type stuckObjects struct{ jetstream.ObjectStore }

func (s stuckObjects) List(ctx context.Context, _ ...jetstream.ListObjectsOpt) ([]*jetstream.ObjectInfo, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestOpen_doesNotWaitForEverForAList(t *testing.T) {
	h := newHost(t, 0)
	put(t, h.machine(t, "s", t.TempDir()), "a", "1")
	_, err := Open(t.Context(), Options{JetStream: stuck{h.dial()}, Name: "s", Local: cache.NewMap(), Wait: 50 * time.Millisecond})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}
