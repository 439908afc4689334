package lru

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

func ExampleCache() {
	c := New[string, string](100)
	c.Put("a", "first", 25)
	c.Put("b", "second", 25)
	v, ok := c.Get("a")
	fmt.Println(v, ok, c.Len(), c.Bytes())
	// Output: first true 2 50
}

// keys are those of c, the most recently used first.
func keys(c *Cache[int, string]) []int {
	var all []int
	for at := c.order.Front(); at != nil; at = at.Next() {
		all = append(all, at.Value.(entry[int, string]).key)
	}
	return all
}

func TestCache_dropsWhatWasNotUsedForLongest(t *testing.T) {
	for _, row := range []struct {
		name string
		do   func(c *Cache[int, string])
		want []int // of a cache of 100 that has 1, 2, 3 and 4 of 25 each
	}{
		{"nothing", func(*Cache[int, string]) {}, []int{4, 3, 2, 1}},
		{"one more", func(c *Cache[int, string]) { c.Put(5, "", 25) }, []int{5, 4, 3, 2}},
		{"a small one more", func(c *Cache[int, string]) { c.Put(5, "", 1) }, []int{5, 4, 3, 2}},
		{"a got one stays", func(c *Cache[int, string]) { c.Get(1); c.Put(5, "", 25) }, []int{5, 1, 4, 3}},
		{"a new value for an old key", func(c *Cache[int, string]) { c.Put(1, "new", 25) }, []int{1, 4, 3, 2}},
		{"a smaller value makes room", func(c *Cache[int, string]) { c.Put(1, "", 5); c.Put(5, "", 20) }, []int{5, 1, 4, 3, 2}},
		{"a miss changes nothing", func(c *Cache[int, string]) { c.Get(9) }, []int{4, 3, 2, 1}},
		{"over a quarter", func(c *Cache[int, string]) { c.Put(5, "", 26) }, []int{4, 3, 2, 1}},
		{"over a quarter for an old key", func(c *Cache[int, string]) { c.Put(2, "", 26) }, []int{4, 3, 1}},
		{"clear", func(c *Cache[int, string]) { c.Clear() }, nil},
		{"clear and go on", func(c *Cache[int, string]) { c.Clear(); c.Put(7, "", 25) }, []int{7}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := New[int, string](100)
			for k := 1; k <= 4; k++ {
				c.Put(k, "", 25)
			}
			row.do(c)
			if got := keys(c); !slices.Equal(got, row.want) || c.Len() != len(got) {
				t.Errorf("got keys %v and Len %d, want %v", got, c.Len(), row.want)
			}
		})
	}
}

func TestCache_withoutRoomKeepsNothing(t *testing.T) {
	for _, max := range []int64{0, -1, -1 << 63, 3} {
		c := New[int, int](max)
		c.Put(1, 1, 0)
		c.Put(2, 2, -5)
		c.Put(3, 3, 1<<62)
		if _, ok := c.Get(1); ok || c.Len() != 0 || c.Bytes() != 0 {
			t.Errorf("max %d: got %d values of %d bytes, want none", max, c.Len(), c.Bytes())
		}
	}
}

func TestCache_valuesWithoutASizeAreBoundedToo(t *testing.T) {
	c := New[int, int](100)
	for i := range 1000 {
		c.Put(i, i, int64(-i))
	}
	if c.Len() != 100 || c.Bytes() != 100 {
		t.Errorf("got %d values of %d bytes, want 100 of 100", c.Len(), c.Bytes())
	}
}

// model is the cache as simple as can be: a slice, the most recently used first.
type model struct {
	max int64
	all []entry[int, string]
}

func (m *model) get(k int) (string, bool) {
	at := slices.IndexFunc(m.all, func(e entry[int, string]) bool { return e.key == k })
	if at < 0 {
		return "", false
	}
	e := m.all[at]
	m.all = slices.Insert(slices.Delete(m.all, at, at+1), 0, e)
	return e.value, true
}

func (m *model) put(k int, v string, size int64) {
	m.all = slices.DeleteFunc(m.all, func(e entry[int, string]) bool { return e.key == k })
	if 4*size > m.max {
		return
	}
	m.all = slices.Insert(m.all, 0, entry[int, string]{k, v, size})
	for m.bytes() > m.max {
		m.all = m.all[:len(m.all)-1]
	}
}

func (m *model) bytes() (sum int64) {
	for _, e := range m.all {
		sum += e.size
	}
	return sum
}

func TestCache_isAsAPlainModel(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	c, m := New[int, string](1000), &model{max: 1000}
	for step := range 50_000 {
		k := random.IntN(40)
		switch op := random.IntN(1000); {
		case op == 0:
			c.Clear()
			m.all = nil
		case op < 500:
			v, size := fmt.Sprint(step), 1+random.Int64N(260)
			c.Put(k, v, size)
			m.put(k, v, size)
		default:
			got, ok := c.Get(k)
			if want, has := m.get(k); got != want || ok != has {
				t.Fatalf("step %d: Get(%d) is %q, %v; want %q, %v", step, k, got, ok, want, has)
			}
		}
		same(t, step, c, m)
	}
}

func same(t *testing.T, step int, c *Cache[int, string], m *model) {
	t.Helper()
	var want []int
	for _, e := range m.all {
		want = append(want, e.key)
	}
	if got := keys(c); !slices.Equal(got, want) || len(c.byKey) != len(want) || c.Bytes() != m.bytes() {
		t.Fatalf("step %d: got %v (%d in the map, %d bytes), want %v (%d bytes)", step, got, len(c.byKey), c.Bytes(), want, m.bytes())
	}
}

// For the race detector; whatever the order, the cache stays within its bounds.
func TestCache_manyAtOnce(t *testing.T) {
	c := New[int, int](1000)
	var work sync.WaitGroup
	for w := range 8 {
		work.Go(func() {
			for i := range 2000 {
				c.Put(i%60, i, int64(i%250))
				c.Get((i + w) % 60)
				if i%500 == 499 {
					c.Clear()
				}
				if b, n := c.Bytes(), c.Len(); b > 1000 || n > 60 {
					t.Errorf("got %d bytes in %d values", b, n)
				}
			}
		})
	}
	work.Wait()
}

func BenchmarkCache(b *testing.B) {
	c := New[int, int](100_000)
	for i := 0; b.Loop(); i++ {
		if _, ok := c.Get(i % 2000); !ok {
			c.Put(i%2000, i, 100)
		}
	}
}
