package jet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine/cluster/internal/lease"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
	"github.com/winnow-go/winnow/engine/cluster/internal/node"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open starts a server, and opens a cluster on it.
func open(t *testing.T) *Cluster {
	t.Helper()
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(time.Minute) {
		t.Fatal("the server does not start")
	}
	return member(t, s.ClientURL())
}

func member(t *testing.T, url string) *Cluster {
	t.Helper()
	conn, err := nats.Connect(url, nats.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), Options{JetStream: js, Name: "c", Shards: 8, Replicas: 1, InboxBytes: 8 << 10, Wait: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// another is a further member on the same server.
func another(t *testing.T, c *Cluster) *Cluster {
	return member(t, c.o.JetStream.Conn().ConnectedUrl())
}

// deletedTwice returns the error of the second deletion of a key.
func deletedTwice(ctx context.Context, k *Keys) error {
	revision, err := k.Put(ctx, "shard.3", "b", 0)
	if err = errors.Join(err, k.Delete(ctx, "shard.3", revision)); err != nil {
		return err
	}
	return k.Delete(ctx, "shard.3", revision)
}

func TestKeys_keepToTheContract(t *testing.T) {
	c := open(t)
	a, b, ctx := c.Keys(), another(t, c).Keys(), t.Context()
	first, err := a.Put(ctx, "shard.1", "a", 0)
	if err != nil || first == 0 {
		t.Fatal(first, err)
	}
	for what, do := range map[string]func() error{
		"makes it once more":      func() error { _, err := b.Put(ctx, "shard.1", "b", 0); return err },
		"writes another revision": func() error { _, err := b.Put(ctx, "shard.1", "b", first+1); return err },
		"writes what isn't there": func() error { _, err := b.Put(ctx, "shard.2", "b", first); return err },
		"deletes another":         func() error { return b.Delete(ctx, "shard.1", first+1) },
		"deletes what isn't":      func() error { return b.Delete(ctx, "shard.2", first) },
		"deletes none":            func() error { return b.Delete(ctx, "shard.2", 0) },
		"deletes once more":       func() error { return deletedTwice(ctx, b) },
	} {
		if err := do(); !errors.Is(err, lease.ErrConflict) {
			t.Errorf("%s: %v", what, err)
		}
	}
	second, err := b.Put(ctx, "shard.1", "b", first)
	if err != nil || second <= first {
		t.Errorf("%d after %d, %v", second, first, err)
	}
	if _, err := a.Put(ctx, "member.x", "1", 0); err != nil {
		t.Error(err)
	}
	list, err := a.Entries(ctx)
	if err != nil || len(list) != 2 || list[1] != (lease.Entry{Key: "shard.1", Value: "b", Revision: second}) {
		t.Errorf("got %+v, %v", list, err)
	}
	if err := a.Delete(ctx, "shard.1", second); err != nil {
		t.Error(err)
	}
	if list, err := b.Entries(ctx); err != nil || len(list) != 1 {
		t.Errorf("got %+v, %v after a deletion", list, err)
	}
	if third, err := b.Put(ctx, "shard.1", "c", 0); err != nil || third <= second {
		t.Errorf("made again: %d, %v", third, err)
	}
}

// learns waits until the server has a message for the reader: it acknowledges a change before that, and a reader that comes earlier reads
// everything.
func learns(t *testing.T, k *Keys) {
	t.Helper()
	for {
		info, err := k.reader.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if info.NumPending > 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// What has not changed isn't read again, unless some of it was lost on the way.
func TestKeys_readWhatHasChanged(t *testing.T) {
	c := open(t)
	a, b, ctx := c.Keys(), another(t, c).Keys(), t.Context()
	for n := range 300 {
		if _, err := a.Put(ctx, fmt.Sprint("shard.", n), "a", 0); err != nil {
			t.Fatal(err)
		}
	}
	read := func(k *Keys, want int) {
		t.Helper()
		for got := -1; got != want; { // the reader learns of a change a little later
			list, err := k.Entries(ctx)
			if err != nil || ctx.Err() != nil {
				t.Fatalf("%d keys, %v, want %d", len(list), err, want)
			}
			got = len(list)
		}
	}
	read(a, 300)
	read(b, 300)
	for n, change := range []func() error{
		func() error { _, err := a.Put(ctx, "member.x", "1", 0); return err },
		func() error { return a.Delete(ctx, "shard.7", a.rows["shard.7"].Revision) },
		func() error { _, err := a.Put(ctx, "shard.8", "b", a.rows["shard.8"].Revision); return err },
	} {
		before := [2]uint64{a.count, b.count}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		learns(t, a)
		learns(t, b)
		read(a, 301-min(n, 1))
		read(b, 301-min(n, 1))
		if a.count != before[0]+1 || b.count != before[1]+1 {
			t.Errorf("change %d: %d and %d messages after %v", n, a.count, b.count, before)
		}
	}
	if a.rows["shard.8"] != b.rows["shard.8"] || a.rows["shard.8"].Value != "b" {
		t.Errorf("got %+v and %+v", a.rows["shard.8"], b.rows["shard.8"])
	}
	for what, breaks := range map[string]func() error{
		"the server forgot the reader": func() error { return c.o.JetStream.DeleteConsumer(ctx, "KV_c-leases", a.reader.CachedInfo().Name) },
		"a message was lost":           func() error { _, err := a.reader.Next(); return err },
	} {
		if _, err := b.Put(ctx, "shard.8", what, b.rows["shard.8"].Revision); err != nil {
			t.Fatal(err)
		}
		if err := breaks(); err != nil {
			t.Fatal(what, err)
		}
		if _, err := a.Put(ctx, "member.x", what, a.rows["member.x"].Revision); err != nil {
			t.Fatal(err)
		}
		read(a, 300)
		read(b, 300)
		if a.rows["shard.8"].Value != what {
			t.Errorf("%s: got %+v", what, a.rows["shard.8"])
		}
	}
}

func data(from, to uint64) (list []string) {
	for n := from; n < to; n++ {
		list = append(list, fmt.Sprint(n))
	}
	return list
}

func texts(list []links.Message) (all []string) {
	for _, m := range list {
		all = append(all, string(m.Data))
	}
	return all
}

// read reads until it has so many messages: fewer, or none, come at once where the server is slow.
func read(t *testing.T, i *Inbox, after uint64, limit, want int) (list []links.Message, err error) {
	for range maxReads {
		more, err := i.Read(t.Context(), after, limit-len(list))
		if list = append(list, more...); err != nil || len(list) >= want {
			return list, err
		}
		if len(list) > 0 {
			after = list[len(list)-1].Sequence
		}
	}
	return list, nil
}

// maxReads is how often an inbox is read, a second each time, for what is in it.
const maxReads = 60

func TestInbox_keepsToTheContract(t *testing.T) {
	c := open(t)
	in, out, ctx := another(t, c).Inbox(3), c.Inbox(3), t.Context()
	if last, err := out.Last(ctx); last != 0 || err != nil {
		t.Errorf("the last of none is %d, %v", last, err)
	}
	for _, text := range append(data(1, 6), "5") {
		if err := in.Append(ctx, "id "+text, []byte(text)); err != nil { // the last is there
			t.Fatal(err)
		}
	}
	check := func(after uint64, limit int, want []string) {
		t.Helper()
		if list, err := read(t, out, after, limit, len(want)); err != nil || fmt.Sprint(texts(list)) != fmt.Sprint(want) {
			t.Errorf("after %d: got %v, %v, want %v", after, texts(list), err, want)
		}
	}
	check(0, 2, data(1, 3))
	check(2, 10, data(3, 6))
	check(1, 2, data(2, 4)) // back, as a new owner reads
	if err := in.Trim(ctx, 3); err != nil {
		t.Fatal(err)
	}
	check(0, 1, data(4, 5))
	if last, err := out.Last(ctx); last != 5 || err != nil {
		t.Errorf("the last is %d, %v", last, err)
	}
	if err := in.Trim(ctx, 5); err != nil {
		t.Fatal(err)
	}
	if last, err := out.Last(ctx); last != 5 || err != nil {
		t.Errorf("the last is %d, %v after all were removed", last, err)
	}
}

// A full inbox refuses, and takes what comes when some of it was removed.
func TestInbox_full(t *testing.T) {
	c := open(t)
	in, n := c.Inbox(1), uint64(0)
	var err error
	for err == nil && n < 100 {
		n++
		err = in.Append(t.Context(), fmt.Sprint(n), []byte(strings.Repeat("x", 1000)))
	}
	if !errors.Is(err, links.ErrFull) || n < 3 {
		t.Fatalf("message %d: %v", n, err)
	}
	if err := in.Trim(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := in.Append(t.Context(), fmt.Sprint(n), []byte("y")); err != nil {
		t.Errorf("with room again: %v", err)
	}
	list, err := read(t, in, 2, 100, int(n)-2)
	if err != nil || len(list) == 0 || string(list[len(list)-1].Data) != "y" {
		t.Errorf("%d messages, %v", len(list), err)
	}
}

// Of two that take themselves for the owner of a shard the one that knows better is silent.
func TestCalls(t *testing.T) {
	c := open(t)
	d := another(t, c)
	stale := d.Calls(func(context.Context, int, node.Request) (node.Reply, error) { return node.Reply{}, ErrSilent })
	defer stale.Close()
	owner := c.Calls(func(_ context.Context, shard int, r node.Request) (node.Reply, error) {
		switch r.Job {
		case "unknown":
			return node.Reply{}, node.ErrUnknown
		case "broken":
			return node.Reply{}, errors.New("it is broken")
		}
		return node.Reply{Granted: shard + r.Want}, nil
	})
	defer owner.Close()
	if _, err := stale.Call(t.Context(), 7, node.Request{}); !errors.Is(err, nats.ErrNoResponders) {
		t.Errorf("no owner: %v", err)
	}
	for _, calls := range []*Calls{stale, owner} {
		if err := errors.Join(calls.Serve([]int{7}), calls.c.o.JetStream.Conn().Flush()); err != nil {
			t.Fatal(err)
		}
	}
	if reply, err := stale.Call(t.Context(), 7, node.Request{Job: "j", Want: 3}); reply.Granted != 10 || err != nil {
		t.Errorf("got %+v, %v", reply, err)
	}
	if _, err := stale.Call(t.Context(), 7, node.Request{Job: "unknown"}); !errors.Is(err, node.ErrUnknown) {
		t.Errorf("got %v", err)
	}
	if _, err := stale.Call(t.Context(), 7, node.Request{Job: "broken"}); err == nil || !strings.Contains(err.Error(), "it is broken") {
		t.Errorf("got %v", err)
	}
	owner.Close()
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := stale.Call(short, 7, node.Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("only the silent one is left: %v", err)
	}
}

// The server gave the reader a message that never arrived, and no further one follows: it is read all the same.
func TestInbox_aMessageIsLostOnItsWay(t *testing.T) {
	i := open(t).Inbox(1)
	if err := i.Append(t.Context(), "1", []byte("a")); err != nil {
		t.Fatal(err)
	}
	if list, err := read(t, i, 0, 10, 1); err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	if err := i.Append(t.Context(), "2", []byte("b")); err != nil {
		t.Fatal(err)
	}
	if _, err := i.reader.Next(); err != nil {
		t.Fatal(err)
	}
	for tries := 0; ; tries++ {
		list, err := i.Read(t.Context(), 1, 10)
		if len(list) == 1 && err == nil {
			return
		}
		if err != nil && !errors.Is(err, errMissed) || tries > maxReads {
			t.Fatalf("read %v, %v", list, err)
		}
	}
}

// A reader that was cut off reads half as much at once, and after that a little more each time, not soon as much as before.
func TestInbox_readsMoreAgainSlowly(t *testing.T) {
	inbox := open(t).Inbox(0)
	for n := range 30 {
		if err := inbox.Append(t.Context(), fmt.Sprint(n), []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := inbox.Read(gone, 0, 16); err == nil {
		t.Fatal("it reads without a server")
	}
	after := uint64(0)
	for _, want := range []int{8, 9, 10} {
		list, err := read(t, inbox, after, 64, 1)
		if err != nil || len(list) != want {
			t.Fatalf("%d messages, %v, want %d", len(list), err, want)
		}
		after = list[len(list)-1].Sequence
	}
}
