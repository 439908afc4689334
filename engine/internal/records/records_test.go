package records

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/cache"
)

var began = time.Date(2026, 11, 21, 8, 30, 0, 5e6, time.UTC)

// The JSON of records stands in files: those of yesterday are still read, and what is written is read by yesterday's code.
func TestRecord_hasTheStoredForm(t *testing.T) {
	for form, r := range map[string]Record{
		`{"id":"0199","endpoint":"scrape","owner":"team","url":"granary.example","createdAt":"2026-11-21T08:30:00.005Z","credits":5,` +
			`"labels":{"origin":"cli@1.2"},"replay":{"url":"https://granary.example/","waitFor":10000000,` +
			`"actions":[{"type":"click","selector":"input"},{"type":"write","text":"oats"}],"profile":{"name":"p","saveChanges":false}},` +
			`"page":"https://granary.example/"}`: {
			ID: "0199", Endpoint: "scrape", Owner: "team", URL: "granary.example", CreatedAt: began, Credits: 5,
			Labels: Labels{Origin: "cli@1.2"}, Page: "https://granary.example/",
			Replay: Replay{
				URL: "https://granary.example/", WaitFor: 10 * time.Millisecond, Profile: &Profile{Name: "p", SaveChanges: new(false)},
				Actions: []actions.Action{{Type: actions.Click, Selector: "input"}, {Type: actions.Write, Text: "oats"}},
			},
		},
		`{"id":"0200","endpoint":"parse","url":"u","createdAt":"2026-11-21T08:30:00.005Z","credits":0,` +
			`"code":"SCRAPE_DNS_RESOLUTION_ERROR","error":"no such host","replay":{"url":""},"job":"0201","page":"https://granary.example/"}`: {
			ID: "0200", Endpoint: "parse", URL: "u", CreatedAt: began, Code: "SCRAPE_DNS_RESOLUTION_ERROR", Error: "no such host",
			Job: "0201", Page: "https://granary.example/",
		},
	} {
		if got, err := json.Marshal(r); err != nil || string(got) != form {
			t.Errorf("got %s, %v\nwant %s", got, err, form)
		}
		var got Record
		if err := json.Unmarshal([]byte(form), &got); err != nil || !reflect.DeepEqual(got, r) {
			t.Errorf("got %+v, %v\nwant %+v", got, err, r)
		}
	}
}

// newStore returns an empty store, and the clock that it goes by.
func newStore(t *testing.T) (*Store, *time.Time) {
	at := began
	now := func() time.Time { return at }
	kept := cache.NewMemory(cache.Options{Versions: 1, Now: now})
	t.Cleanup(func() {
		if err := kept.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Store{Records: kept, Ages: now}, &at
}

func put(t *testing.T, s *Store, r Record) {
	t.Helper()
	r.CreatedAt = began
	if err := s.Put(t.Context(), r, map[string]string{"of": r.ID}); err != nil {
		t.Fatal(err)
	}
}

func TestGet_givesTheDocumentWhereThereIsOne(t *testing.T) {
	s, now := newStore(t)
	put(t, s, Record{ID: "whole"})
	put(t, s, Record{ID: "failed", Code: "C"})
	put(t, s, Record{ID: "of a job", Job: "j"})
	for id, want := range map[string]string{"whole": "whole", "failed": "", "of a job": ""} {
		var doc map[string]string
		if r, err := s.Get(t.Context(), id, &doc); err != nil || r.ID != id || doc["of"] != want || r.HasDocument() != (want != "") {
			t.Errorf("%s: %+v with %v, %v", id, r, doc, err)
		}
	}
	*now = began.Add(MaxAge + time.Millisecond)
	for _, id := range []string{"whole", "unknown", ""} {
		if _, err := s.Get(t.Context(), id, nil); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q after a day: %v", id, err)
		}
	}
}

func TestForget_goesByThePage(t *testing.T) {
	s, _ := newStore(t)
	for id, page := range map[string]string{"root": "https://a.example/", "docs": "https://a.example/docs", "below": "https://a.example/docs/b", "doctor": "https://a.example/doctor"} {
		put(t, s, Record{ID: id, Page: page})
	}
	damaged := cache.Entry{Key: "damaged", Stored: began, Meta: []byte("{")}
	if err := s.Records.Put(t.Context(), damaged, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Forget(t.Context(), []string{"https://a.example/docs\x00", "https://a.example/docs/"}); err != nil {
		t.Fatal(err)
	}
	ids, err := s.Records.Keys(t.Context(), "", "", 0)
	if want := []string{"damaged", "doctor", "root"}; err != nil || !slices.Equal(ids, want) {
		t.Errorf("left are %q, %v; want %q", ids, err, want)
	}
}
