package natsdb

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// rounds of the simulation: a tenth of them unless WINNOW_SOAK is 1.
func rounds() int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return 3000
	}
	return 300
}

// life is a stream, the machine that owns it, and what must be in it.
type life struct {
	*testing.T
	host   *host
	random *rand.Rand
	now    *machine
	model  map[string]string
}

func (l *life) options(o *Options) { o.SnapshotBytes = 100_000 }

// write does one transaction, which may be the machine's last: then it dies when the stream has it and its own store has not.
func (l *life) write(i int, dies bool) {
	key, value := fmt.Sprint("k", l.random.IntN(50)), fmt.Sprint(i)
	deletes := l.random.IntN(4) == 0
	l.now.local.dieNext.Store(dies)
	ended := make(chan error, 1)
	go func() {
		ended <- l.now.DB.Update(func(tx crawl.Tx) error {
			if deletes {
				return tx.Delete("b", []byte(key))
			}
			return tx.Put("b", []byte(key), []byte(value))
		})
	}()
	if dies {
		for !l.now.local.dead.Load() {
			time.Sleep(time.Millisecond)
		}
		_ = l.now.Close()
	}
	if err := <-ended; (err != nil) != dies || dies && !errors.Is(err, ErrClosed) {
		l.Fatalf("write %d, the machine dies %t: %v", i, dies, err)
	}
	l.model[key] = value
	if deletes {
		delete(l.model, key)
	}
}

// next is the next owner: the same machine again, or another that has nothing yet; the one before may still live.
func (l *life) next() {
	before, dir := l.now, l.now.dir
	if l.random.IntN(2) == 0 {
		dir = l.TempDir()
	} else {
		_ = before.Close()
	}
	l.now = l.host.machine(l.T, "s", dir, l.options)
	l.check()
	if dir != before.dir {
		err := before.DB.Update(func(tx crawl.Tx) error { return tx.Put("b", []byte("late"), nil) })
		if !errors.Is(err, ErrLost) && !errors.Is(err, ErrClosed) {
			l.Fatalf("the owner before writes: %v", err)
		}
		_ = before.Close()
	}
}

func (l *life) check() {
	got := map[string]string{}
	err := l.now.View(func(tx crawl.Tx) error {
		for k, v := range tx.Scan("b", nil) {
			got[string(k)] = string(v)
		}
		return nil
	})
	if err != nil || !maps.Equal(got, l.model) {
		l.Fatalf("%v: got %v, want %v", err, got, l.model)
	}
}

// Machines die between the stream and their stores, others take over, the server is started again, snapshots are made: nothing that was
// committed is lost, and nothing is written by who has lost the stream.
func TestDB_deathsLoseNothing(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	h := newHost(t, 0)
	l := &life{T: t, host: h, random: rand.New(rand.NewPCG(seed, 0)), model: map[string]string{}}
	l.now = h.machine(t, "s", t.TempDir(), l.options)
	for i := range rounds() {
		dies := l.random.IntN(20) == 0
		l.write(i, dies)
		switch {
		case dies, l.random.IntN(20) == 0:
			l.next()
		case l.random.IntN(100) == 0:
			h.stop()
			h.start()
		case l.random.IntN(30) == 0:
			if err := l.now.Snapshot(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	l.check()
}
