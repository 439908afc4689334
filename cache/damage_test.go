package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// secretKey is what no log may show.
const secretKey = "https://secret.example/token"

// damageStore is a Store of four keys with two versions each, whose rows a test can change.
func damageStore(t *testing.T, db DB, logged *logBuffer) *store {
	t.Helper()
	o := Options{}
	if logged != nil {
		o.Logger = slog.New(slog.NewTextHandler(logged, nil))
	}
	s, err := newStore(db, "pages", o, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		e := Entry{Key: secretKey + fmt.Sprint(i%4), Stored: at(i), Meta: []byte("meta"), Value: []byte(strings.Repeat("text ", 100*i))}
		if err := s.Put(t.Context(), e, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// damage changes all rows of a bucket.
func damage(t *testing.T, db DB, bucket string, how func(key, row []byte) []byte) {
	t.Helper()
	err := db.Update(func(tx Tx) error {
		rows := map[string][]byte{}
		for k, v := range tx.Scan(bucket, nil) {
			rows[string(k)] = how(k, bytes.Clone(v))
		}
		for k, v := range rows {
			if err := tx.Put(bucket, []byte(k), v); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// useAll calls everything; nothing may panic, and no error but a CorruptError or ErrNotFound may come from Get.
func useAll(t *testing.T, s *store) (read, corrupt int) {
	t.Helper()
	ctx := t.Context()
	keys, err := s.Keys(ctx, "", "", 0)
	if err != nil {
		t.Errorf("Keys: %v", err)
	}
	for _, key := range keys {
		vs, err := s.Versions(ctx, key)
		if err != nil {
			t.Errorf("Versions: %v", err)
		}
		for _, v := range vs {
			_, err := s.Get(ctx, v)
			if c, ok := errors.AsType[*CorruptError](err); ok {
				corrupt++
				if c.Key != key || strings.Contains(c.Error(), key) {
					t.Errorf("%v of %q", c, c.Key)
				}
				continue
			}
			if err != nil && !errors.Is(err, ErrNotFound) {
				t.Errorf("Get: %v", err)
			}
			read++
		}
	}
	if _, err := s.Stats(ctx); err != nil {
		t.Errorf("Stats: %v", err)
	}
	return read, corrupt
}

var damages = map[string]func(key, row []byte) []byte{
	"a bit":        func(_, row []byte) []byte { row[len(row)-1] ^= 0x10; return row },
	"the checksum": func(_, row []byte) []byte { row[2]++; return row },
	"cut off":      func(_, row []byte) []byte { return row[:len(row)-1] },
	"empty":        func(_, _ []byte) []byte { return []byte{} },
	"a new format": func(_, row []byte) []byte { row[0]++; return row },
	"another's":    func(key, row []byte) []byte { return seal(append(key, '?'), row) },
	"sealed junk":  func(key, _ []byte) []byte { return seal(key, append(unsealed(9), bytes.Repeat([]byte{0xff}, 9)...)) },
}

// Whatever rows look like: misses with a logged reason, no panic, and the store goes on.
func TestStore_damagedRowsAreMisses(t *testing.T) {
	for _, bucket := range []string{"index", "values", "ages", "counts"} {
		for name, how := range damages {
			t.Run(bucket+" "+name, func(t *testing.T) {
				db, logged := NewMap(), &logBuffer{}
				s := damageStore(t, db, logged)
				damage(t, db, "pages/"+bucket, how)
				read, corrupt := useAll(t, s)
				if want := map[string]int{"index": 0, "values": 0, "ages": 8, "counts": 8}[bucket]; read != want {
					t.Errorf("%d could be read, want %d", read, want)
				}
				if bucket == "values" && corrupt != 8 {
					t.Errorf("%d were found corrupt, want 8", corrupt)
				}
				goesOn(t, s)
				mustClose(t, s)
				if strings.Contains(logged.String(), secretKey) {
					t.Errorf("a key is in the log: %s", logged)
				}
				if bucket != "ages" && !strings.Contains(logged.String(), "damaged") { // the ages were not read
					t.Errorf("nothing is in the log: %q", logged)
				}
				s, err := newStore(db, "pages", Options{}, false)
				if err != nil {
					t.Fatal(err)
				}
				useAll(t, s)
				forgetsAll(t, s)
				mustClose(t, s)
			})
		}
	}
}

// goesOn puts to a key whose row may be damaged.
func goesOn(t *testing.T, s *store) {
	t.Helper()
	key := secretKey + "1"
	if err := s.Put(t.Context(), Entry{Key: key, Stored: at(100), Meta: []byte("new"), Value: []byte("new")}, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	vs, err := s.Versions(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(vs, func(v Version) bool { return string(v.Meta) == "new" }) // a damaged time may be later
	if i < 0 {
		t.Fatalf("what was put isn't there: %v", vs)
	}
	if value, err := s.Get(t.Context(), vs[i]); err != nil || string(value) != "new" {
		t.Errorf("%.20q, %v", value, err)
	}
}

// forgetsAll: also what damaged rows have left over is gone.
func forgetsAll(t *testing.T, s *store) {
	t.Helper()
	if _, err := s.Forget(t.Context(), secretKey); err != nil {
		t.Fatal(err)
	}
	err := s.db.View(func(tx Tx) error {
		for _, bucket := range []string{s.index, s.ages, s.values} {
			for k := range tx.Scan(bucket, nil) {
				t.Errorf("%s has %q", bucket, k)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if st, err := s.Stats(t.Context()); err != nil || st.Versions != 0 || st.Keys != 0 {
		t.Errorf("%+v, %v", st, err)
	}
}

// Pruning removes what it can't read: it would be met again and again.
func TestPrune_removesWhatIsDamaged(t *testing.T) {
	for name, how := range damages {
		db, logged := NewMap(), &logBuffer{}
		mustClose(t, damageStore(t, db, nil))
		damage(t, db, "pages/ages", how)
		s, err := newStore(db, "pages", Options{MaxBytes: 1, Logger: slog.New(slog.NewTextHandler(logged, nil))}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Prune(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		left := 0
		err = db.View(func(tx Tx) error {
			for range tx.Scan("pages/values", nil) {
				left++
			}
			return nil
		})
		if err != nil || left > 1 { // what counts is the total, which is no longer exact
			t.Errorf("%s: %d values are left, %v", name, left, err)
		}
		if !strings.Contains(logged.String(), "damaged") || strings.Contains(logged.String(), secretKey) {
			t.Errorf("%s: log: %s", name, logged)
		}
		useAll(t, s)
		mustClose(t, s)
	}
}

// What the background finds damaged is in the log when Prune returns.
func TestPrune_waitsForTheLogOfTheBackground(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := NewMap()
		mustClose(t, damageStore(t, db, nil))
		damage(t, db, "pages/ages", damages["empty"])
		begun, logged, pruned := make(chan *store, 1), make(chan struct{}), make(chan error, 1)
		handler := onRecord(func() {
			s := <-begun
			go func() {
				_, err := s.Prune(t.Context())
				pruned <- err
			}()
			synctest.Wait()
			if len(pruned) > 0 {
				t.Error("Prune returned before the damage was in the log")
			}
			close(logged)
		})
		s, err := newStore(db, "pages", Options{MaxBytes: 1, Logger: slog.New(handler)}, false)
		if err != nil {
			t.Fatal(err)
		}
		begun <- s
		<-logged
		if err := <-pruned; err != nil {
			t.Error(err)
		}
		mustClose(t, s)
	})
}

// onRecord is a log handler that calls the function at its first record.
func onRecord(f func()) slog.Handler { return &recordHandler{Handler: slog.DiscardHandler, f: f} }

type recordHandler struct {
	slog.Handler
	once sync.Once
	f    func()
}

func (h *recordHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h *recordHandler) Handle(context.Context, slog.Record) error {
	h.once.Do(h.f)
	return nil
}

// Forgetting a prefix sweeps what is left over of it, and nothing else.
func TestForget_sweepsWhatDamagedRowsLeft(t *testing.T) {
	db := NewMap()
	s := damageStore(t, db, nil)
	err := db.Update(func(tx Tx) error { return tx.Put("pages/index", []byte(secretKey+"1"), []byte("junk")) })
	if err != nil {
		t.Fatal(err)
	}
	goesOn(t, s) // replaces the row: two versions are left over, which nothing names
	if n, err := s.Forget(t.Context(), secretKey+"1"); n != 3 || err != nil {
		t.Errorf("Forget = %d, %v, want 3", n, err)
	}
	if read, corrupt := useAll(t, s); read != 6 || corrupt != 0 {
		t.Errorf("%d can be read, %d are corrupt", read, corrupt)
	}
	checkTotals(t, s)
	mustClose(t, s)
}

// Random bytes anywhere in rows of a file: never a panic.
func TestStore_randomDamage(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	for range soak(300) {
		db := NewMap()
		s := damageStore(t, db, nil)
		for _, bucket := range []string{"index", "values", "ages", "counts"} {
			damage(t, db, "pages/"+bucket, func(key, row []byte) []byte {
				if random.IntN(3) > 0 {
					return row
				}
				row[random.IntN(len(row))] = byte(random.Uint32())
				if random.IntN(2) == 0 { // as if a wrong program had written it
					seal(key, row)
				}
				return row[:len(row)-random.IntN(2)]
			})
		}
		useAll(t, s)
		goesOn(t, s)
		if _, err := s.Prune(t.Context()); err != nil {
			t.Error(err)
		}
		mustClose(t, s)
	}
}
