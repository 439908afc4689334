package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestList_pagesHaveNoGapsAndNoRepeatsWhileJobsArrive(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		var want []string
		for range 25 {
			want = append(want, create(t, j, New{}).ID)
		}
		slices.Reverse(want)
		var got []string
		q := Query{Limit: 4}
		for calls := 0; ; calls++ {
			records, next, err := j.List(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range records {
				got = append(got, r.ID)
			}
			if next == "" {
				if calls != 6 {
					t.Errorf("%d further pages, want 6", calls)
				}
				break
			}
			q.Before = next
			create(t, j, New{}) // one more after each page
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	})
}

func TestList_filters(t *testing.T) {
	stores(t, func(t *testing.T, db store) {
		j := open(t, db, Options{})
		for i := range 24 {
			r := create(t, j, New{Owner: fmt.Sprint(i % 2), Kind: []string{"crawl", "batch_scrape", "agent"}[i%3], URL: fmt.Sprint(i)})
			if i%4 != 0 {
				finish(t, j, r.ID, []State{Completed, Failed, Cancelled}[i%3])
			}
		}
		zero, nobody := "0", "nobody"
		for _, c := range []struct {
			query Query
			want  string
		}{
			{Query{}, "23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0"},
			{Query{Owner: &zero}, "22 20 18 16 14 12 10 8 6 4 2 0"},
			{Query{Owner: &nobody}, ""},
			{Query{Kind: "agent"}, "23 20 17 14 11 8 5 2"},
			{Query{State: Scraping}, "20 16 12 8 4 0"},
			{Query{State: Failed}, "22 19 13 10 7 1"},
			{Query{Owner: &zero, Kind: "crawl", State: Scraping}, "12 0"},
			{Query{State: "paused"}, ""},
		} {
			for _, limit := range []int{0, 1, 5, 5000} {
				if got := urls(t, j, c.query, limit); got != c.want {
					t.Errorf("%+v, limit %d: got %s, want %s", c.query, limit, got, c.want)
				}
			}
		}
	})
}

// urls goes through all pages.
func urls(t *testing.T, j *Jobs, q Query, limit int) string {
	t.Helper()
	var all []string
	q.Limit = limit
	for {
		records, next, err := j.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if limit > 0 && len(records) > limit || next != "" && len(records) == 0 {
			t.Errorf("%d records, limit %d, next %q", len(records), limit, next)
		}
		for _, r := range records {
			all = append(all, r.URL)
		}
		if q.Before = next; next == "" {
			return strings.Join(all, " ")
		}
	}
}

func TestList_looksAtManyJobsInShortTransactions(t *testing.T) {
	j := open(t, memory(), Options{})
	create(t, j, New{Owner: "a", URL: "old"})
	for range 2*lookAt + 10 {
		create(t, j, New{Owner: "b"})
	}
	create(t, j, New{Owner: "a", URL: "new"})
	owner := "a"
	if got := urls(t, j, Query{Owner: &owner}, 1); got != "new old" {
		t.Errorf("got %q", got)
	}
}

func TestList_aPageIsBoundedInBytes(t *testing.T) {
	j := open(t, memory(), Options{})
	params := json.RawMessage(`"` + strings.Repeat("p", 6<<20) + `"`)
	for i := range 5 {
		create(t, j, New{URL: fmt.Sprint(i), Params: params})
	}
	records, next, err := j.List(t.Context(), Query{})
	if err != nil || len(records) != 3 || next == "" {
		t.Errorf("got %d, next %q, %v; want 3 and more", len(records), next, err)
	}
	if got := urls(t, j, Query{}, 0); got != "4 3 2 1 0" {
		t.Errorf("got %s", got)
	}
}

func TestList_badCursor(t *testing.T) {
	j := open(t, memory(), Options{})
	for _, cursor := range []string{"-1", "!", strings.Repeat("z", 99)} {
		_, _, err := j.List(t.Context(), Query{Before: cursor})
		if e, ok := errors.AsType[*FieldError](err); !ok || e.Field != "cursor" {
			t.Errorf("%q: %v", cursor, err)
		}
	}
}

func TestList_expiredJobsAreGoneBeforeTheyArePruned(t *testing.T) {
	c := newClock()
	j := open(t, memory(), c.options())
	r := create(t, j, New{})
	finish(t, j, r.ID, Completed)
	running := create(t, j, New{})
	c.Advance(24*time.Hour - time.Millisecond)
	if records, _, err := j.List(t.Context(), Query{}); len(records) != 2 || err != nil {
		t.Errorf("got %+v, %v", records, err)
	}
	c.Advance(time.Millisecond)
	records, next, err := j.List(t.Context(), Query{})
	if err != nil || next != "" || len(records) != 1 || records[0].ID != running.ID {
		t.Errorf("got %+v, %q, %v", records, next, err)
	}
	if !records[0].Expires.Equal(c.Now().Add(24 * time.Hour)) {
		t.Errorf("a running job expires %v", records[0].Expires)
	}
	if _, err := j.Get(t.Context(), r.ID); err != ErrNotFound {
		t.Errorf("got %v", err)
	}
}
