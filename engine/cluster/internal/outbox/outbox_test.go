package outbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

func update(t *testing.T, db crawl.DB, f func(crawl.Tx) error) {
	t.Helper()
	if err := db.Update(f); err != nil {
		t.Fatal(err)
	}
}

// Entries are read late, in any portions and more than once: the events of the job are those of each shard, once and in order.
func TestTake_onceAndInOrder(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	home, shards := cache.NewMap(), []*cache.Map{cache.NewMap(), cache.NewMap(), cache.NewMap()}
	added := make([]uint64, len(shards))
	taken := make([]uint64, len(shards))
	for range 500 {
		s := random.IntN(len(shards))
		for range random.IntN(4) {
			added[s]++
			update(t, shards[s], func(tx crawl.Tx) error {
				n, err := Append(tx, "j", fmt.Appendf(nil, "%d/%d", s, added[s]))
				if n != added[s] {
					t.Errorf("number %d, want %d", n, added[s])
				}
				return err
			})
		}
		after := taken[s] - uint64(random.IntN(int(min(taken[s], 3))+1))
		var list []Entry
		update(t, shards[s], func(tx crawl.Tx) (err error) {
			list, err = Read(tx, "j", after, 1+random.IntN(5))
			return err
		})
		update(t, home, func(tx crawl.Tx) (err error) {
			if _, err = Take(tx, "j", s, list); err != nil {
				return err
			}
			taken[s], err = Taken(tx, "j", s)
			return err
		})
		if cut := taken[s]; cut > 3 && random.IntN(3) == 0 {
			update(t, shards[s], func(tx crawl.Tx) error { return Cut(tx, "j", cut-3) })
		}
	}
	var events []Event
	update(t, home, func(tx crawl.Tx) (err error) {
		events, err = Events(tx, "j", 0, 10_000)
		return err
	})
	next := make([]uint64, len(shards))
	for i, e := range events {
		next[e.Shard]++
		if e.Number != uint64(i+1) || e.Entry.Number != next[e.Shard] || string(e.Data) != fmt.Sprintf("%d/%d", e.Shard, next[e.Shard]) {
			t.Fatalf("event %d is %+v", i, e)
		}
	}
	if fmt.Sprint(next) != fmt.Sprint(taken) || len(events) == 0 {
		t.Errorf("%d events, %v of the shards, want %v", len(events), next, taken)
	}
}

func TestTake_refusesGaps(t *testing.T) {
	home := cache.NewMap()
	err := home.Update(func(tx crawl.Tx) error {
		_, err := Take(tx, "j", 1, []Entry{{Number: 2}})
		return err
	})
	if !errors.Is(err, ErrGap) {
		t.Errorf("got %v", err)
	}
}

func TestEvents_ofOneJobAlone(t *testing.T) {
	home := cache.NewMap()
	update(t, home, func(tx crawl.Tx) error {
		for _, job := range []string{"a", "b", "a\x01"} {
			if _, err := Take(tx, job, 1, []Entry{{Number: 1, Data: []byte(job)}}); err != nil {
				return err
			}
		}
		list, err := Events(tx, "a", 0, 10)
		if last, _ := LastEvent(tx, "a"); last != 1 || len(list) != 1 || string(list[0].Data) != "a" {
			t.Errorf("got %+v, the last is %d", list, last)
		}
		return err
	})
}

// However small entries are and however many are wanted, those of one answer fit in a message of the server.
func TestEvents_fitInAMessage(t *testing.T) {
	shard, home := cache.NewMap(), cache.NewMap()
	update(t, shard, func(tx crawl.Tx) error {
		var list []Entry
		for range 40_000 {
			n, err := Append(tx, "j", []byte("x"))
			if err != nil {
				return err
			}
			list = append(list, Entry{n, []byte("x")})
		}
		return home.Update(func(tx crawl.Tx) error {
			_, err := Take(tx, "j", 1, list)
			return err
		})
	})
	check := func(n int, list any) error {
		if data, err := json.Marshal(list); err != nil || n == 0 || len(data) > 1<<20 {
			t.Errorf("%d entries have %d bytes, %v", n, len(data), err)
		}
		return nil
	}
	update(t, shard, func(tx crawl.Tx) error {
		list, err := Read(tx, "j", 0, 1<<30)
		return errors.Join(err, check(len(list), list))
	})
	update(t, home, func(tx crawl.Tx) error {
		list, err := Events(tx, "j", 0, 1<<30)
		return errors.Join(err, check(len(list), list))
	})
}
