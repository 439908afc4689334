package links_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/cluster/internal/links"
	"github.com/winnow-go/winnow/engine/cluster/internal/links/linkstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func numbered(from, n int) (found []crawl.Found) {
	for i := range n {
		found = append(found, crawl.Found{URL: fmt.Sprintf("https://a.example/%d", from+i), Hops: 2})
	}
	return found
}

// sender counts ids, and hands each pause to a function.
func sender(log links.Log, maxBytes int, pause func(context.Context) error) *links.Sender {
	var ids atomic.Int64
	return links.NewSender(links.SenderOptions{
		Log: func(int) links.Log { return log }, MaxBytes: maxBytes,
		NewID: func() string { return fmt.Sprint(ids.Add(1)) },
		Pause: func(ctx context.Context, _ time.Duration) error { return pause(ctx) },
	})
}

func noPause(context.Context) error { return errors.New("a pause that isn't expected") }

// content is what a log has, by job.
func content(t *testing.T, log links.Log) map[string][]crawl.Found {
	t.Helper()
	list, err := log.Read(t.Context(), 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]crawl.Found{}
	for _, m := range list {
		b, err := links.Decode(m.Data)
		if err != nil || len(b.Found) > 1000 {
			t.Fatalf("%d URLs, %v", len(b.Found), err)
		}
		found[b.Job] = append(found[b.Job], b.Found...)
	}
	return found
}

func TestBatch_comesBackWhole(t *testing.T) {
	want := links.Batch{Job: "j", Found: []crawl.Found{
		{
			URL: "https://a.example/", Key: "k", Hops: 3, From: "https://b.example/", Sitemap: true, Priority: 0.7,
			LastMod: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Late: true, Chance: 0.4,
		},
		{URL: "https://a.example/2"},
	}}
	data, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := links.Decode(data); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := links.Decode(append([]byte{9}, data...)); !errors.Is(err, links.ErrVersion) {
		t.Errorf("a later version: %v", err)
	}
	for _, broken := range [][]byte{nil, data[:len(data)-1], {1, 'x'}} {
		if _, err := links.Decode(broken); !errors.Is(err, links.ErrDamaged) {
			t.Errorf("%x: %v", broken, err)
		}
	}
}

func TestSender_largeBatchesAreSeveralMessages(t *testing.T) {
	log := &linkstest.Log{}
	s := sender(log, 4000, noPause)
	long := []crawl.Found{{URL: "https://a.example/" + strings.Repeat("x", 9000)}}
	want := append(numbered(0, 100), long...)
	if err := s.Send(t.Context(), 1, "j", want); err != nil {
		t.Fatal(err)
	}
	if got := content(t, log)["j"]; !reflect.DeepEqual(got, want) {
		t.Errorf("%d URLs, want %d", len(got), len(want))
	}
	if last, _ := log.Last(t.Context()); last < 4 {
		t.Errorf("%d messages", last)
	}
}

// A full inbox holds up those that send to it; nothing is lost, and when it has room again they share messages.
func TestSender_aFullInboxHoldsUpItsSenders(t *testing.T) {
	log := &linkstest.Log{Room: 1}
	full, more := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := sender(log, 1<<20, func(ctx context.Context) error {
		once.Do(func() { close(full) })
		<-more
		return ctx.Err()
	})
	if err := s.Send(t.Context(), 1, "j", numbered(0, 1)); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	for i := range 50 {
		work.Go(func() {
			if err := s.Send(t.Context(), 1, "j", numbered(10*(i+1), 10)); err != nil {
				t.Error(err)
			}
		})
	}
	<-full
	if got := len(content(t, log)["j"]); got != 1 {
		t.Errorf("%d URLs in a full inbox", got)
	}
	log.Room = 0
	close(more)
	work.Wait()
	got := content(t, log)["j"]
	seen := map[string]bool{}
	for _, f := range got {
		seen[f.URL] = true
	}
	if len(got) != 501 || len(seen) != 501 {
		t.Errorf("%d URLs, %d different, want 501", len(got), len(seen))
	}
}

// lossy appends, and reports that it has not.
type lossy struct {
	links.Log
	losses int
}

func (l *lossy) Append(ctx context.Context, id string, data []byte) error {
	err := l.Log.Append(ctx, id, data)
	if l.losses--; l.losses >= 0 {
		return errors.New("no answer")
	}
	return err
}

func TestSender_aLostAcknowledgementIsNoSecondMessage(t *testing.T) {
	log := &lossy{Log: &linkstest.Log{Window: 10}, losses: 3}
	pauses := 0
	s := sender(log, 1<<20, func(context.Context) error {
		pauses++
		return nil
	})
	if err := s.Send(t.Context(), 1, "j", numbered(0, 5)); err != nil || pauses != 3 {
		t.Fatal(pauses, err)
	}
	if got := content(t, log)["j"]; len(got) != 5 {
		t.Errorf("%d URLs, want 5", len(got))
	}
}

// A caller that gives up does not take others with it.
func TestSender_aCallerGivesUp(t *testing.T) {
	log := &linkstest.Log{Room: 1}
	waits := make(chan struct{}, 100)
	s := sender(log, 1<<20, func(ctx context.Context) error {
		waits <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	})
	if err := s.Send(t.Context(), 1, "j", numbered(0, 1)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	gaveUp := make(chan error)
	go func() { gaveUp <- s.Send(ctx, 1, "j", numbered(1, 1)) }()
	<-waits
	sent := make(chan error)
	go func() { sent <- s.Send(t.Context(), 1, "j", numbered(2, 1)) }()
	_ = log.Trim(t.Context(), 1)
	cancel()
	if err := <-gaveUp; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := <-sent; err != nil {
		t.Errorf("the other: %v", err)
	}
	if got := content(t, log)["j"]; len(got) != 1 || got[0].URL != "https://a.example/2" {
		t.Errorf("got %v", got)
	}
}

func FuzzDecode(f *testing.F) {
	data, err := links.Batch{Job: "j", Found: numbered(0, 2)}.Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := links.Decode(data)
		if err != nil {
			return
		}
		if _, err := b.Encode(); err != nil {
			t.Skip("fuzzed input: ", err)
		}
	})
}
