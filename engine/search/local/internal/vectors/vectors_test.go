package vectors

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const space = "toy"

// random is a vector of a page's n-th text; the same seed makes the same one.
func random(page, n, dim int) Vector {
	r := rand.New(rand.NewPCG(uint64(page), uint64(n)))
	v := Vector{PageOf(fmt.Sprint("page ", page)), TextOf(fmt.Sprint("text ", page, n)), make([]float32, dim)}
	for i := range v.Numbers {
		v.Numbers[i] = float32(r.NormFloat64())
	}
	return v
}

func opened(t testing.TB, path, name string) *Table {
	t.Helper()
	table, err := Open(path, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	})
	return table
}

// filled has four pages of eight texts each.
func filled(t testing.TB, path string, dim int) (table *Table, list []Vector) {
	t.Helper()
	table = opened(t, path, space)
	for page := range 4 {
		for n := range 8 {
			list = append(list, random(page, n, dim))
		}
	}
	if err := table.Put(list); err != nil {
		t.Fatal(err)
	}
	return table, list
}

// wrong are the vectors of a table that are not those of the list.
func wrong(t testing.TB, table *Table, list []Vector) (wrong int) {
	t.Helper()
	for _, v := range list {
		if !table.Has(v.Page, v.Text) {
			continue
		}
		near, err := table.Of(v.Page, v.Numbers)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(near, func(n Near) bool { return n.Text == v.Text })
		if at < 0 || math.Abs(float64(near[at].Score)-1) > 1e-5 {
			wrong++
		}
	}
	return wrong
}

func TestTable_nearestAreThoseOfAPlainComputation(t *testing.T) {
	for name, path := range map[string]string{"in memory": "", "in a file": filepath.Join(t.TempDir(), "v")} {
		table, list := filled(t, path, 7)
		query := random(9, 9, 7).Numbers
		type scored struct {
			v     Vector
			score float64
		}
		var all []scored
		for _, v := range list {
			sum := 0.0
			for i := range query {
				sum += float64(query[i]) * float64(v.Numbers[i])
			}
			all = append(all, scored{v, sum / lengthOf(query) / lengthOf(v.Numbers)})
		}
		slices.SortFunc(all, func(a, b scored) int { return int(math.Copysign(1, b.score-a.score)) })
		for _, limit := range []int{1, 3, 32, 100} {
			got, err := table.Nearest(t.Context(), query, limit, nil)
			if err != nil || len(got) != min(limit, len(all)) {
				t.Fatalf("%s: %d, %v", name, len(got), err)
			}
			for i, n := range got {
				if n.Page != all[i].v.Page || n.Text != all[i].v.Text || math.Abs(float64(n.Score)-all[i].score) > 1e-5 {
					t.Errorf("%s: %d of %d: got %+v, want %+v", name, i, limit, n, all[i])
				}
			}
		}
		one := PageOf("page 2")
		got, err := table.Nearest(t.Context(), query, 32, func(p Page) bool { return p == one })
		if err != nil || len(got) != 8 || slices.ContainsFunc(got, func(n Near) bool { return n.Page != one }) {
			t.Errorf("%s: of one page: %+v, %v", name, got, err)
		}
	}
}

func TestTable_staysThroughClosing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	table, list := filled(t, path, 5)
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{space, ""} {
		again := opened(t, path, name)
		if again.Count() != len(list) || again.Dimensions() != 5 || wrong(t, again, list) != 0 {
			t.Errorf("%q: %d, %d", name, again.Count(), again.Dimensions())
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Another space is another file.
	other := opened(t, path, "other")
	if _, err := os.Stat(path); other.Count() != 0 || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%d vectors of another space, %v", other.Count(), err)
	}
}

func TestTable_takesVectorsOfOneSpaceOnly(t *testing.T) {
	table, list := filled(t, "", 5)
	table.max = len(list) + 1
	bad := random(7, 7, 5)
	bad.Numbers[3] = float32(math.Inf(1))
	for name, v := range map[string]Vector{"longer": random(7, 7, 6), "empty": {Page: PageOf("x")}, "infinite": bad, "of no page": {Numbers: bad.Numbers[:0]}} {
		if err := table.Put([]Vector{v}); !errors.Is(err, ErrSpace) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := table.Nearest(t.Context(), []float32{1}, 1, nil); !errors.Is(err, ErrSpace) {
		t.Errorf("a query of another length: %v", err)
	}
	if err := table.Put([]Vector{random(8, 1, 5), random(8, 2, 5)}); !errors.Is(err, ErrFull) {
		t.Errorf("got %v", err)
	}
	if err := table.Put([]Vector{random(8, 1, 5), random(8, 1, 5), list[0]}); err != nil || table.Count() != len(list)+1 {
		t.Errorf("one that is there twice: %d, %v", table.Count(), err)
	}
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	if err := table.Put(list); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// What is removed is overwritten, and its room is used again.
func TestTable_removes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "v")
	table, list := filled(t, path, 5)
	size := func() int {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			if bytes.Contains(data, appendRecord(nil, v)[numbersAt:]) != table.Has(v.Page, v.Text) {
				t.Errorf("the numbers of a vector are there: %v", !table.Has(v.Page, v.Text))
			}
		}
		return len(data)
	}
	before := size()
	if err := table.Keep(list[0].Page, map[Text]bool{list[1].Text: true}); err != nil || table.Count() != 25 || !table.Has(list[1].Page, list[1].Text) {
		t.Fatalf("%d, %v", table.Count(), err)
	}
	if got := size(); got != before {
		t.Errorf("%d bytes, %d before", got, before)
	}
	if err := table.Put([]Vector{random(9, 1, 5), random(9, 2, 5)}); err != nil || size() != before {
		t.Errorf("%v", err)
	}
	m := table.Mark()
	if err := table.Put([]Vector{random(10, 1, 5)}); err != nil {
		t.Fatal(err)
	}
	for _, v := range list[20:] {
		if !m.Want(v.Page, v.Text) {
			t.Error("a vector is missing")
		}
	}
	if m.Want(PageOf("none"), TextOf("none")) {
		t.Error("there is one that isn't")
	}
	if err := m.Sweep(); err != nil || table.Count() != 13 || !table.Has(random(10, 1, 5).Page, random(10, 1, 5).Text) {
		t.Errorf("%d, %v", table.Count(), err)
	}
	if err := table.Compact(); err != nil || table.Count() != 13 || size() != headSize+13*recordSize(5) || wrong(t, table, list) != 0 {
		t.Errorf("%d, %v", table.Count(), err)
	}
	for _, v := range list[20:] {
		if !table.Has(v.Page, v.Text) {
			t.Error("one is lost by compacting")
		}
	}
}

// However a file is cut or changed, what is left are right vectors.
func TestOpen_damageNeverMakesAWrongVector(t *testing.T) {
	dir := t.TempDir()
	table, list := filled(t, filepath.Join(dir, "whole"), 6)
	if err := table.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "whole"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "v")
	try := func(data []byte, atLeast int) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		damaged, err := Open(path, space)
		if err != nil {
			t.Fatal(err)
		}
		if got, bad := damaged.Count(), wrong(t, damaged, list); got < atLeast || bad > 0 {
			t.Errorf("%d vectors, want %d; %d are wrong", got, atLeast, bad)
		}
		if err := errors.Join(damaged.Put(list), damaged.Close()); err != nil {
			t.Fatal(err)
		}
		again, err := Open(path, space)
		if err != nil || again.Count() != len(list) || wrong(t, again, list) != 0 {
			t.Errorf("after repair: %d, %v", again.Count(), err)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for n := 0; n < len(whole); n += 61 {
		try(whole[:n], max(0, n-headSize)/recordSize(6))
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		data := slices.Clone(whole)
		at := headSize + r.IntN(len(data)-headSize)
		data[at] ^= byte(1 + r.IntN(255))
		try(data, len(list)-1)
		at = headSize + r.IntN(len(data)-headSize)
		clear(data[at:min(len(data), at+r.IntN(300))])
		try(data, len(list)-12)
	}
	try(append(slices.Clone(whole), whole[headSize:headSize+recordSize(6)]...), len(list)) // there twice
}

func FuzzOpen(f *testing.F) {
	table, list := filled(f, filepath.Join(f.TempDir(), "v"), 3)
	whole, err := os.ReadFile(table.path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:headSize+10])
	f.Add(headOf(space, MaxDimensions))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "v")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		table := opened(t, path, space)
		dim := table.Dimensions()
		found := 0
		if dim > 0 {
			near, err := table.Nearest(t.Context(), make([]float32, dim), 1000, nil)
			if err != nil {
				t.Fatal(err)
			}
			found = len(near)
		}
		if found != min(table.Count(), 1000) || dim == 0 && table.Count() > 0 {
			t.Errorf("%d are found of %d", found, table.Count())
		}
		err := table.Put(list)
		if dim != 0 && dim != 3 {
			if !errors.Is(err, ErrSpace) {
				t.Errorf("a vector of another length: %v", err)
			}
			return
		}
		if err = errors.Join(err, table.Compact()); err != nil || wrong(t, table, nil) != 0 || table.Count() < len(list) {
			t.Errorf("%d vectors, %v", table.Count(), err)
		}
	})
}

func BenchmarkNearest(b *testing.B) {
	const dim, n = 384, 100_000
	table := opened(b, filepath.Join(b.TempDir(), "v"), space)
	for at := 0; at < n; at += 1000 {
		list := make([]Vector, 1000)
		for i := range list {
			list[i] = random(at/20, at+i, dim)
		}
		if err := table.Put(list); err != nil {
			b.Fatal(err)
		}
	}
	query := random(1, 1, dim).Numbers
	b.SetBytes(n * dim * 4)
	for b.Loop() {
		if _, err := table.Nearest(b.Context(), query, 100, nil); err != nil {
			b.Fatal(err)
		}
	}
}
