package cachetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/cache"
)

// dbRandom does random things to a DB and to maps of strings, and compares.
func dbRandom(t *testing.T, db Transactions) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	model := map[string]map[string]string{"a": {}, "b": {}}
	for range soak(600) {
		after := map[string]map[string]string{"a": maps.Clone(model["a"]), "b": maps.Clone(model["b"])}
		fail := random.IntN(5) == 0
		steps := random.Uint64()
		err := db.Update(func(tx cache.Tx) error {
			random := rand.New(rand.NewPCG(steps, 0)) // the same each time, as f may run more than once
			after["a"], after["b"] = maps.Clone(model["a"]), maps.Clone(model["b"])
			for range random.IntN(10) {
				if err := randomWrite(random, tx, after); err != nil {
					return err
				}
			}
			compareDB(t, random, tx, after)
			if fail {
				return fmt.Errorf("undo")
			}
			return nil
		})
		if fail != (err != nil) {
			t.Fatalf("Update: %v", err)
		}
		if !fail {
			model = after
		}
		view(t, db, func(tx cache.Tx) { compareDB(t, random, tx, model) })
		if db, ok := db.(cache.DB); ok && random.IntN(100) == 0 {
			if err := db.Compact(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func randomKey(random *rand.Rand) string {
	return strings.Repeat(string(rune('a'+random.IntN(8))), 1+random.IntN(3)*random.IntN(400))
}

func randomWrite(random *rand.Rand, tx cache.Tx, model map[string]map[string]string) error {
	bucket, key := string(rune('a'+random.IntN(2))), randomKey(random)
	if random.IntN(3) == 0 {
		delete(model[bucket], key)
		return tx.Delete(bucket, []byte(key))
	}
	value := strings.Repeat("v", random.IntN(3)*random.IntN(5000))
	model[bucket][key] = value
	return tx.Put(bucket, []byte(key), []byte(value))
}

func compareDB(t *testing.T, random *rand.Rand, tx cache.Tx, model map[string]map[string]string) {
	t.Helper()
	for bucket, want := range model {
		from := randomKey(random)
		up := slices.DeleteFunc(slices.Sorted(maps.Keys(want)), func(k string) bool { return k < from })
		down := slices.DeleteFunc(slices.Sorted(maps.Keys(want)), func(k string) bool { return k >= from })
		slices.Reverse(down)
		i := 0
		for k, v := range tx.Scan(bucket, []byte(from)) {
			if i >= len(up) || string(k) != up[i] || string(v) != want[up[i]] {
				t.Fatalf("Scan(%s, %.9q…) at %d: %.9q…", bucket, from, i, k)
			}
			i++
		}
		for k, v := range tx.ScanBack(bucket, []byte(from)) {
			if i >= len(up)+len(down) || string(k) != down[i-len(up)] || string(v) != want[string(k)] {
				t.Fatalf("ScanBack(%s, %.9q…) at %d: %.9q…", bucket, from, i-len(up), k)
			}
			i++
		}
		if i != len(want) {
			t.Fatalf("%s: %d keys, want %d", bucket, i, len(want))
		}
	}
}
