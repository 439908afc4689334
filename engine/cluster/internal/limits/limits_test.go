package limits

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// Requests are lost, repeated and late, and so are answers: what all shards hold together never exceeds the limit, and what is given back
// can be held by others.
func TestGrant_theSumNeverExceedsTheLimit(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	const limit, shards = 100, 4
	home := cache.NewMap()
	defer home.Close()
	var held [shards]int
	var version [shards]uint64
	var old []Request
	grant := func(r Request) (n int, err error) {
		err = home.Update(func(tx crawl.Tx) (err error) {
			n, err = Grant(tx, limit, r)
			return err
		})
		return n, err
	}
	for range 3000 {
		s := random.IntN(shards)
		if random.IntN(3) == 0 {
			held[s] -= random.IntN(held[s] + 1)
		}
		version[s]++
		r := Request{Job: "j", Shard: s, Version: version[s], Held: held[s], Want: random.IntN(30)}
		old = append(old, r)
		if random.IntN(4) > 0 { // else it is lost, or late
			n, err := grant(r)
			if err != nil || n < held[s] {
				t.Fatalf("%+v: %d, %v", r, n, err)
			}
			if random.IntN(4) > 0 { // else the answer is lost
				held[s] = n
			}
		}
		late := old[random.IntN(len(old))]
		if _, err := grant(late); err != nil && !errors.Is(err, ErrStale) {
			t.Fatal(err)
		}
		if sum := held[0] + held[1] + held[2] + held[3]; sum > limit {
			t.Fatalf("%v are %d of %d", held, sum, limit)
		}
	}
	for s := range shards {
		version[s]++
		if _, err := grant(Request{Job: "j", Shard: s, Version: version[s]}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := grant(Request{Job: "j", Version: version[0] + 1, Want: 1000}); n != limit || err != nil {
		t.Errorf("one shard gets %d of all that was given back, %v", n, err)
	}
}

func TestHolding(t *testing.T) {
	db := cache.NewMap()
	defer db.Close()
	err := db.Update(func(tx crawl.Tx) error {
		if v, n, err := Holding(tx, "j"); v != 0 || n != 0 || err != nil {
			t.Errorf("got %d, %d, %v of none", v, n, err)
		}
		if err := Hold(tx, "j", 3, 40); err != nil {
			return err
		}
		if v, n, err := Holding(tx, "j"); v != 3 || n != 40 || err != nil {
			t.Errorf("got %d, %d, %v", v, n, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
