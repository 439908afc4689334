package cache

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// siteOf is the group of keys such as "site/7".
func siteOf(key string) string {
	site, _, _ := strings.Cut(key, "/")
	return site
}

// templated is a page of a site: what all its pages have, and words of its own.
func templated(site string, n int) []byte {
	random := rand.New(rand.NewPCG(7, uint64(len(site))))
	var b bytes.Buffer
	for i := range 150 {
		fmt.Fprintf(&b, "<li class=%q id=\"%s-%x\"><a href=\"/%x\">%x</a></li>\n", site, site, random.Uint32(), random.Uint32(), i)
	}
	own := rand.New(rand.NewPCG(8, uint64(n)))
	for range 60 {
		fmt.Fprintf(&b, "<p>page %d says %x and %x\n", n, own.Uint64(), own.Uint64())
	}
	return b.Bytes()
}

func openDicts(t *testing.T, path string, o Options) *Bolt {
	t.Helper()
	b, err := OpenBolt(path, FileOptions{}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func putPages(t *testing.T, b *Bolt, site string, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		if err := b.Put(t.Context(), Entry{Key: fmt.Sprintf("%s/%d", site, n), Value: templated(site, n)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// checkSite reads pages and their dictionaries, and returns how many of these there are and how many values need one.
func checkSite(t *testing.T, b *Bolt) (dictionaries, needing int) {
	t.Helper()
	keys, err := b.Keys(t.Context(), "", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		site, n := "", 0
		if _, err := fmt.Sscanf(strings.Replace(key, "/", " ", 1), "%s %d", &site, &n); err != nil {
			t.Fatal(err)
		}
		vs, err := b.Versions(t.Context(), key)
		if err != nil || len(vs) == 0 {
			t.Fatal(key, vs, err)
		}
		if got, err := b.Get(t.Context(), vs[0]); err != nil || !bytes.Equal(got, templated(site, n)) {
			t.Errorf("%s came back as %d bytes, %v", key, len(got), err)
		}
	}
	return countUses(t, b)
}

// countUses compares the counts of dictionaries with the values that need them.
func countUses(t *testing.T, b *Bolt) (dictionaries, needing int) {
	t.Helper()
	counts, real := map[uint64]int64{}, map[uint64]int64{}
	err := b.db.View(func(tx Tx) error {
		for _, row := range tx.Scan(b.values, nil) {
			if id := dictOf(row); id != 0 {
				real[id]++
				needing++
			}
		}
		c := &change{store: b.store, tx: tx}
		for key := range tx.Scan(b.uses, nil) {
			_, id, _ := decodeUseKey(key)
			counts[id] = c.countOf(key)
		}
		for range tx.Scan(b.shared, nil) {
			dictionaries++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(counts) != fmt.Sprint(real) || len(counts) != dictionaries {
		t.Errorf("%d dictionaries are stored, and counted as needed %v times; they are %v times", dictionaries, counts, real)
	}
	return dictionaries, needing
}

func TestDictionary_makesPagesOfAHostSmaller(t *testing.T) {
	sizes := map[bool]int64{}
	for _, with := range []bool{false, true} {
		path, o := filepath.Join(t.TempDir(), "test.db"), Options{}
		if with {
			o.Group = siteOf
		}
		b := openDicts(t, path, o)
		putPages(t, b, "a.example", 0, 40)
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		b = openDicts(t, path, Options{}) // what reads needs no groups
		if n, needing := checkSite(t, b); (n == 1) != with || (needing == 40-dictSamples+1) != with {
			t.Errorf("with %v: %d dictionaries for %d values", with, n, needing)
		}
		st, err := b.Stats(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sizes[with] = st.Bytes
	}
	if sizes[true] > sizes[false]*2/3 {
		t.Errorf("%d bytes with dictionaries, %d without", sizes[true], sizes[false])
	}
}

// A store goes on with the dictionary of an earlier process, and with values of one that had none.
func TestDictionary_isUsedAfterReopening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	for i, o := range []Options{{}, {Group: siteOf}, {Group: siteOf}} {
		b := openDicts(t, path, o)
		putPages(t, b, "a.example", 10*i, 10*i+10)
		want := []int{0, 3, 13}[i]
		if _, needing := checkSite(t, b); needing != want {
			t.Errorf("process %d: %d values need a dictionary, want %d", i, needing, want)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDictionary_goesWithTheLastValueThatNeedsIt(t *testing.T) {
	b := openDicts(t, filepath.Join(t.TempDir(), "test.db"), Options{Group: siteOf, Versions: 1})
	putPages(t, b, "a.example", 0, 20)
	putPages(t, b, "b.example", 0, 20)
	putPages(t, b, "b.example", 10, 15) // again: others take their place
	if n, needing := checkSite(t, b); n != 2 || needing != 26 {
		t.Errorf("%d dictionaries for %d values", n, needing)
	}
	for _, step := range []struct {
		forget string
		left   int
	}{{"a.example/1", 2}, {"a.example/", 1}, {"b.example/", 0}} {
		if _, err := b.Forget(t.Context(), step.forget); err != nil {
			t.Fatal(err)
		}
		if n, _ := checkSite(t, b); n != step.left {
			t.Errorf("after %s: %d dictionaries, want %d", step.forget, n, step.left)
		}
	}
	putPages(t, b, "a.example", 0, 20)
	if n, needing := checkSite(t, b); n != 1 || needing != 13 {
		t.Errorf("made again: %d dictionaries for %d values", n, needing)
	}
}

// A dictionary that was removed while values that need it were on their way is stored with them.
func TestDictionary_isStoredAgainWithAValueThatNeedsIt(t *testing.T) {
	b := openDicts(t, filepath.Join(t.TempDir(), "test.db"), Options{Group: siteOf})
	putPages(t, b, "a.example", 0, 10)
	o := &op{key: "a.example/99", seq: 1000, id: 1000, stored: 1, value: templated("a.example", 99)}
	if b.pack(o); o.dict == nil {
		t.Fatal("packed without a dictionary")
	}
	if _, err := b.Forget(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if n, _ := checkSite(t, b); n != 0 {
		t.Errorf("%d dictionaries are left", n)
	}
	if _, err := b.update(func(c *change) error { return c.apply(o) }); err != nil {
		t.Fatal(err)
	}
	if n, needing := checkSite(t, b); n != 1 || needing != 1 {
		t.Errorf("%d dictionaries for %d values", n, needing)
	}
}

// A damaged dictionary makes its values damaged ones, never others; what is put then is read.
func TestDictionary_damagedOneIsNoWrongPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	b := openDicts(t, path, Options{Group: siteOf})
	putPages(t, b, "a.example", 0, 20)
	err := b.db.Update(func(tx Tx) error {
		for id, row := range tx.Scan(b.shared, nil) {
			bad := bytes.Clone(row)
			bad[len(bad)/2] ^= 1
			return tx.Put(b.shared, bytes.Clone(id), bad)
		}
		return errors.New("no dictionary")
	})
	if err = errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	b = openDicts(t, path, Options{Group: siteOf})
	putPages(t, b, "a.example", 0, 5)
	for n, damaged := range map[int]bool{1: false, 6: false, 7: true, 19: true} {
		vs, err := b.Versions(t.Context(), fmt.Sprintf("a.example/%d", n))
		if err != nil || len(vs) == 0 {
			t.Fatal(vs, err)
		}
		_, err = b.Get(t.Context(), vs[0])
		if corrupt := new(CorruptError); errors.As(err, &corrupt) != damaged || (err != nil) != damaged {
			t.Errorf("page %d: %v", n, err)
		}
	}
	putPages(t, b, "a.example", 0, 20)
	checkSite(t, b)
}

// When a site changes, another dictionary is made for it, and both are read.
func TestDictionary_followsItsSite(t *testing.T) {
	b := openDicts(t, filepath.Join(t.TempDir(), "test.db"), Options{Group: func(string) string { return "one" }})
	putPages(t, b, "old.example", 0, 20)
	putPages(t, b, "rebuilt.example", 0, 2*dictSamples*sampleStep)
	if n, _ := checkSite(t, b); n != 2 {
		t.Errorf("%d dictionaries", n)
	}
	b.dicts.known = nil
	checkSite(t, b)
}

// A dictionary has nothing that only one page said.
func TestCommon_hasOnlyWhatPagesShare(t *testing.T) {
	pages := [][]byte{templated("a", 1), templated("a", 2), templated("a", 3)}
	got := string(common(pages))
	if !strings.Contains(got, "<li class=") || strings.Contains(got, "says") {
		t.Errorf("%d bytes: %.200s", len(got), got)
	}
	big := slices.Repeat([][]byte{bytes.Repeat([]byte(" "), 10)}, 4)
	for i := range 40_000 {
		part := fmt.Appendf(nil, "<p id=\"%016d\">", i)
		for j := range big[:2+i%3] {
			big[j] = append(big[j], part...)
		}
	}
	if got := common(big); len(got) > maxDict || len(got) < maxDict/2 {
		t.Errorf("%d bytes", len(got))
	}
	for _, none := range [][][]byte{nil, {nil, nil}, {[]byte("short"), []byte("short")}, {make([]byte, 5000), []byte("else")}} {
		if got := common(none); len(got) > 0 {
			t.Errorf("%q have %q in common", none, got)
		}
	}
}

// However many hosts there are, few have a place in memory.
func TestDicts_areBounded(t *testing.T) {
	b := openDicts(t, filepath.Join(t.TempDir(), "test.db"), Options{Group: siteOf})
	for i := range 30 {
		putPages(t, b, fmt.Sprintf("host%d.example", i), 0, 10)
	}
	if n := len(b.dicts.groups); n > maxGroups {
		t.Errorf("%d groups", n)
	}
	for i := range uint64(3 * knownDicts) {
		d, err := newDictionary(1<<40+i, "g", make([]byte, minDict))
		if err != nil {
			t.Fatal(err)
		}
		b.dicts.add(d)
	}
	if n := len(b.dicts.known); n != knownDicts {
		t.Errorf("%d known", n)
	}
	checkSite(t, b)
}

// In memory nothing is compressed, and groups change nothing.
func TestDictionary_noneInMemory(t *testing.T) {
	m := NewMemory(Options{Group: siteOf})
	defer m.Close()
	for n := range 20 {
		if err := m.Put(context.Background(), Entry{Key: fmt.Sprint("a/", n), Value: templated("a", n)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Flush(t.Context()); err != nil || len(m.dicts.groups) > 0 {
		t.Error(err, m.dicts.groups)
	}
}
