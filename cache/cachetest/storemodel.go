package cachetest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// modelEntry is a version in the model.
type modelEntry struct {
	id     uint64
	stored int // seconds
	meta   string
	text   string
}

// model is what a Store should hold.
type model struct {
	*fixture
	random *rand.Rand
	clock  atomic.Int64 // now, in seconds; the Store's writer reads it too
	keep   int
	maxAge int
	held   map[string][]modelEntry // newest first
	puts   int
}

// storeRandom does random things to a Store and to the model, and compares. reopen, if there is one, closes and opens it again.
func storeRandom(t *testing.T, open OpenStore, reopen func(*fixture, cache.Options)) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	m := &model{random: rand.New(rand.NewPCG(seed, 0)), keep: 3, maxAge: 400, held: map[string][]modelEntry{}}
	m.clock.Store(1000)
	o := cache.Options{Versions: m.keep, MaxAge: time.Duration(m.maxAge) * time.Second, Now: func() time.Time { return at(m.now()) }}
	o.QueueEntries = 16
	m.fixture = newFixture(t, open, o)
	for range soak(5000) {
		switch n := m.random.IntN(100); {
		case n < 50:
			m.putRandom()
		case n < 65:
			m.renewRandom()
		case n < 90:
			m.compareKey(m.key())
		case n < 93:
			m.forgetRandom()
		case n < 95:
			m.pruneRandom()
		case n < 97:
			m.flush()
		case n < 98 && reopen != nil:
			reopen(m.fixture, o)
		default:
			m.compareAll()
		}
		if t.Failed() {
			return
		}
	}
	m.compareAll()
}

func (m *model) key() string {
	return strings.Repeat(string(rune('a'+m.random.IntN(5))), 1+m.random.IntN(4))
}

// stored is never too old at once: what the background then does when is not for the model to know.
func (m *model) stored() int { return m.now() - m.random.IntN(m.maxAge/2) }

func (m *model) now() int { return int(m.clock.Load()) }

func (m *model) putRandom() {
	m.puts++
	key, n := m.key(), m.stored()
	text := fmt.Sprintf("%d %s", m.puts, strings.Repeat("x", m.random.IntN(3)*m.random.IntN(3000)))
	m.put(key, n, text)
	for _, v := range m.versions(key) { // the ids are the Store's to choose
		if string(v.Meta) == "meta of "+text {
			m.add(key, modelEntry{v.ID, n, string(v.Meta), text})
			return
		}
	}
	if len(m.held[key]) < m.keep || m.held[key][m.keep-1].stored < n {
		m.t.Errorf("%q was put and isn't there", key)
	}
}

func (m *model) add(key string, e modelEntry) {
	list := append(slices.Clone(m.held[key]), e)
	slices.SortFunc(list, func(a, b modelEntry) int {
		return cmp.Or(cmp.Compare(b.stored, a.stored), cmp.Compare(b.id, a.id))
	})
	m.held[key] = list[:min(len(list), m.keep)]
}

func (m *model) renewRandom() {
	key := m.key()
	vs := m.versions(key)
	if len(vs) == 0 {
		return
	}
	v := vs[m.random.IntN(len(vs))]
	n, meta := m.stored(), fmt.Sprintf("renewed %d", m.random.Int())
	if err := m.Renew(m.t.Context(), v, at(n), []byte(meta)); err != nil {
		m.t.Fatalf("Renew: %v", err)
	}
	i := slices.IndexFunc(m.held[key], func(e modelEntry) bool { return e.id == v.ID })
	e := m.held[key][i]
	m.held[key] = slices.Delete(slices.Clone(m.held[key]), i, i+1)
	m.add(key, modelEntry{e.id, n, meta, e.text})
}

func (m *model) forgetRandom() {
	prefix := m.key()[:m.random.IntN(2)]
	want := 0
	for key, list := range m.held {
		if strings.HasPrefix(key, prefix) {
			want += len(list)
			delete(m.held, key)
		}
	}
	m.forget(prefix, want)
}

func (m *model) pruneRandom() {
	m.clock.Add(int64(m.random.IntN(m.maxAge / 2)))
	if _, err := m.Prune(m.t.Context()); err != nil {
		m.t.Fatalf("Prune: %v", err)
	}
	for key, list := range m.held {
		list = slices.DeleteFunc(list, func(e modelEntry) bool { return e.stored < m.now()-m.maxAge })
		if m.held[key] = list; len(list) == 0 {
			delete(m.held, key)
		}
	}
}

func (m *model) compareKey(key string) {
	m.t.Helper()
	vs := m.versions(key)
	if len(vs) != len(m.held[key]) {
		m.t.Fatalf("%q has %d versions, want %d", key, len(vs), len(m.held[key]))
	}
	for i, e := range m.held[key] {
		v := vs[i]
		if v.ID != e.id || !v.Stored.Equal(at(e.stored)) || string(v.Meta) != e.meta || v.Size != int64(len(e.text)) {
			m.t.Errorf("%q version %d is %+v, want %d at %d, %s", key, i, v, e.id, e.stored, e.meta)
		}
		if value, err := m.Get(m.t.Context(), v); err != nil || string(value) != e.text {
			m.t.Errorf("%q version %d: %.20q, %v, want %.20q", key, i, value, err, e.text)
		}
	}
}

func (m *model) compareAll() {
	m.t.Helper()
	want := slices.Sorted(maps.Keys(m.held))
	if got := m.keys("", "", 0); !slices.Equal(got, want) {
		m.t.Fatalf("keys %q, want %q", got, want)
	}
	for _, key := range want {
		m.compareKey(key)
	}
	m.flush()
	m.compareStats()
}

func (m *model) compareStats() {
	m.t.Helper()
	s := m.stats()
	want := cache.Stats{Keys: int64(len(m.held)), Bytes: s.Bytes}
	for _, list := range m.held {
		want.Versions += int64(len(list))
		for _, e := range list {
			if t := at(e.stored); want.Oldest.IsZero() || t.Before(want.Oldest) {
				want.Oldest = t
			}
			if t := at(e.stored); t.After(want.Newest) {
				want.Newest = t
			}
		}
	}
	if s != want || (s.Bytes > 0) != (want.Versions > 0) {
		m.t.Errorf("stats %+v, want %+v", s, want)
	}
}
