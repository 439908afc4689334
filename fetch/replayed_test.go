package fetch

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-go/winnow/fetch/archive/replay"
)

// Every request that comes to the archives is reported, with what is missing.
func TestOnReplay_reportsAnswersAndMisses(t *testing.T) {
	archives, err := replay.Open(filepath.Join("archive", "testdata", "others", "example.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer archives.Close()
	var got []Replayed
	c, err := New(Options{Replay: archives, OnReplay: func(r Replayed) { got = append(got, r) }})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Do(t.Context(), Request{URL: "http://example.com/"}); err != nil {
		t.Error(err)
	}
	_, err = c.Do(t.Context(), Request{URL: "https://other.example/x?y"})
	want := []Replayed{{"GET", "http://example.com/", ""}, {"GET", "https://other.example/x?y", ""}}
	if miss, ok := errors.AsType[*MissError](err); ok {
		want[1].Miss = miss.Text
	}
	if !slices.Equal(got, want) || want[1].Miss == "" {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
