package render

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

// A ring has the latest texts, each whole, and nothing of others in their places.
func TestRing_keepsTheLatest(t *testing.T) {
	s := ring{dir: t.TempDir(), size: 100}
	places := make([]place, 50)
	for i := range places {
		var kept bool
		if places[i], kept = s.put(bytes.Repeat([]byte{byte(i)}, 1+i%30)); !kept {
			t.Fatalf("text %d is not kept", i)
		}
		for at, p := range places[:i+1] {
			text, err := s.get(p)
			latest := at == i || places[i].at-p.at < 70
			if latest && err != nil || err == nil && !bytes.Equal(text, bytes.Repeat([]byte{byte(at)}, 1+at%30)) {
				t.Fatalf("after %d texts the one at %d is %v, %v", i+1, at, text, err)
			}
		}
	}
	if _, kept := s.put(make([]byte, 101)); kept {
		t.Error("it keeps more than it has room for")
	}
	if s.clear(); s.size != 100 {
		t.Error("its size has changed")
	}
	if _, err := s.get(places[49]); err == nil {
		t.Error("what was cleared is there")
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	if _, err := s.get(places[49]); err == nil {
		t.Error("a closed ring gives texts")
	}
	if list, err := os.ReadDir(s.dir); len(list) > 0 || err != nil {
		t.Errorf("%v is left, %v", list, err)
	}
}

// The memory of an engine with a folder has no outputs of jobs; where the folder can't be written they stay in memory.
func TestCache_outputsOfJobsAreInAFile(t *testing.T) {
	for name, dir := range map[string]string{"folder": t.TempDir(), "no folder": filepath.Join(t.TempDir(), "missing"), "memory": ""} {
		c, r := NewCache(dir), Request{OfJob: true, Options: formats.Options{Formats: []formats.Type{formats.Markdown}}}
		first, err := c.Make(t.Context(), htmlPage(), &r)
		if err != nil {
			t.Fatal(err)
		}
		src := htmlPage()
		if k, ok := c.packed.Get(digestOf(c.key(src, &r))); !ok || (k.data == nil) != (name == "folder") {
			t.Errorf("%s: %t, %+v", name, ok, k)
		}
		if got, err := c.Make(t.Context(), src, &r); err != nil || src.DOM != nil || !reflect.DeepEqual(got, first) {
			t.Errorf("%s: parsed %t, %+v, %v", name, src.DOM != nil, got, err)
		}
		c.ring.end += maxPacked // others are there
		if got, err := c.Make(t.Context(), htmlPage(), &r); err != nil || !reflect.DeepEqual(got, first) {
			t.Errorf("%s, written over: %+v, %v", name, got, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
