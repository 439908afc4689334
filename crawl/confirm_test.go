package crawl_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

func openMap(t *testing.T, o crawl.Options) *crawl.Frontier {
	t.Helper()
	db := cache.NewMap()
	t.Cleanup(func() { _ = db.Close() })
	f, err := crawl.Open(store{db}, "job", o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func standing(t *testing.T, f *crawl.Frontier) (s crawl.Standing) {
	t.Helper()
	err := f.Confirm(t.Context(), func(_ crawl.Tx, now crawl.Standing) error {
		s = now
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read, err := f.Standing(t.Context()); read != s || err != nil {
		t.Errorf("Standing = %+v, %v, want %+v", read, err, s)
	}
	return s
}

func numbered(from, to int) (found []crawl.Found) {
	for n := from; n < to; n++ {
		found = append(found, crawl.Found{URL: fmt.Sprintf("http://a/%d", n)})
	}
	return found
}

func note(key string) func(crawl.Tx) error {
	return func(tx crawl.Tx) error { return tx.Put("test", []byte(key), []byte("1")) }
}

func TestFrontier_TakeIsOneTransactionWithWhatIsAlongside(t *testing.T) {
	f := openMap(t, crawl.Options{})
	if err := f.Take(t.Context(), numbered(0, 1500), note("a")); err != nil {
		t.Fatal(err)
	}
	before := standing(t, f)
	if before.Pending != 1500 || before.Used != 1500 {
		t.Errorf("%+v, want 1500 pending", before)
	}
	failed := errors.New("no")
	if err := f.Take(t.Context(), numbered(1500, 1510), func(crawl.Tx) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
	if err := f.Take(t.Context(), numbered(0, 1500), note("b")); err != nil {
		t.Fatal(err)
	}
	if after := standing(t, f); after != before {
		t.Errorf("%+v after known URLs, want %+v", after, before)
	}
}

func TestFrontier_SetLimitAcceptsWhatWaited(t *testing.T) {
	f := openMap(t, crawl.Options{Limit: 2})
	keep := func(crawl.Tx, crawl.Standing) error { return nil }
	if err := f.SetLimit(t.Context(), 0, keep); err != nil {
		t.Fatal(err)
	}
	if err := f.Take(t.Context(), numbered(0, 5), note("a")); err != nil {
		t.Fatal(err)
	}
	none := standing(t, f)
	if none.Pending != 0 || none.Reserve != 5 {
		t.Errorf("%+v with a limit of 0", none)
	}
	if err := f.SetLimit(t.Context(), 3, keep); err != nil {
		t.Fatal(err)
	}
	if s := standing(t, f); s.Pending != 3 || s.Reserve != 2 || s.Used != 3 || s.Accepted <= none.Accepted {
		t.Errorf("%+v with a limit of 3, after %+v", s, none)
	}
	failed := errors.New("in use")
	refuse := func(_ crawl.Tx, s crawl.Standing) error { return fmt.Errorf("%d: %w", s.Used, failed) }
	if err := f.SetLimit(t.Context(), 9, refuse); !errors.Is(err, failed) {
		t.Errorf("got %v", err)
	}
	if err := f.Take(t.Context(), numbered(5, 6), note("b")); err != nil {
		t.Fatal(err)
	}
	if s := standing(t, f); s.Pending != 3 || s.Reserve != 3 {
		t.Errorf("%+v after a limit that was refused", s)
	}
}

// Whatever queues a URL is seen in Accepted.
func TestFrontier_AcceptedGrowsWithWhatIsQueued(t *testing.T) {
	f := openMap(t, crawl.Options{})
	last := standing(t, f).Accepted
	grown := func(what string, err error) {
		t.Helper()
		now := standing(t, f).Accepted
		if err != nil || now <= last {
			t.Errorf("%s: %d after %d, %v", what, now, last, err)
		}
		last = now
	}
	_, err := f.Put(t.Context(), numbered(0, 1))
	grown("Put", err)
	grown("Keep", f.Keep(t.Context(), numbered(1, 2), nil))
	grown("Renew", f.Renew(t.Context(), numbered(1, 2)))
	items, _, err := f.Lease(t.Context(), 2, 0)
	if err != nil || len(items) != 2 {
		t.Fatal(len(items), err)
	}
	if err := f.Complete(t.Context(), items[0], crawl.Page{Silent: true}); err != nil || standing(t, f).Accepted != last {
		t.Errorf("after a silent page: %+v, %v", standing(t, f), err)
	}
	grown("Complete", f.Complete(t.Context(), items[1], crawl.Page{Found: numbered(2, 3)}))
}

// A key that is claimed for an item of another frontier is that item's alone, and no item's of this one with the same ID.
func TestFrontier_ClaimFor(t *testing.T) {
	f := openMap(t, crawl.Options{})
	if _, err := f.Put(t.Context(), numbered(0, 1)); err != nil {
		t.Fatal(err)
	}
	items, _, err := f.Lease(t.Context(), 1, 0)
	if err != nil || len(items) != 1 {
		t.Fatal(len(items), err)
	}
	to, id := numbered(1, 2)[0].URL, items[0].ID
	for i, c := range []struct {
		frontier int
		id       uint64
		key      string
		own      bool
	}{{1, id, to, true}, {1, id, to, true}, {2, id, to, false}, {1, id + 1, to, false}, {1, id, items[0].URL, false}} {
		if own, err := f.ClaimFor(t.Context(), c.frontier, c.id, c.key); own != c.own || err != nil {
			t.Errorf("claim %d: %t, %v", i, own, err)
		}
	}
	if own, err := f.Claim(t.Context(), items[0], to); own || err != nil {
		t.Errorf("an item of this frontier: %t, %v", own, err)
	}
	if n, err := f.Put(t.Context(), numbered(0, 2)); n != 0 || err != nil {
		t.Errorf("%d accepted, %v", n, err)
	}
}

func TestHostOf(t *testing.T) {
	for url, want := range map[string]string{"http://A.example:8080/x": "a.example:8080", "https://a.example/": "a.example", "mailto:a": ""} {
		if got := crawl.HostOf(url); got != want {
			t.Errorf("%s: got %q, want %q", url, got, want)
		}
	}
}
