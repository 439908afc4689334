package warm

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/fetch"
)

// scrapeSingle is one single scrape from begin to finish; it gives the tab that it was on, nil for a fresh page.
func scrapeSingle(t *testing.T, w *Tabs, use Use) browserTab {
	t.Helper()
	got := w.Begin(w.OfSingles(use), use)
	if got == nil {
		w.Finish(nil, false)
		return nil
	}
	if _, err := got.Page(t.Context(), browser.PageOptions{}); err != nil {
		t.Error(err)
	}
	w.Finish(got, true)
	return got.tab
}

func ofOwner(owner, origin string) Use {
	use := onSite(origin)
	use.Owner = owner
	return use
}

func TestSingles_scrapeThatComesAgainGetsATab(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(10)
		defer w.Close()
		use := ofOwner("a", "a.example")
		if scrapeSingle(t, w, use) != nil || f.open.Load() != 0 {
			t.Error("the first scrape: want a fresh page, and no tab kept")
		}
		second := scrapeSingle(t, w, use)
		if second == nil || scrapeSingle(t, w, use) != second {
			t.Error("the second and third: want one tab")
		}
		other := ofOwner("a", "a.example")
		other.Options.Headers = map[string]string{"X-A": "b"}
		for name, use := range map[string]Use{
			"owner": ofOwner("b", "a.example"), "origin": ofOwner("a", "b.example"), "options": other,
			"proxy": {Owner: "a", Origin: "https://a.example", Host: "a.example", Proxy: fetch.Proxy{URL: "http://p"}},
		} {
			if scrapeSingle(t, w, use) != nil {
				t.Errorf("another %s: the first scrape has a warm tab", name)
			}
			if scrapeSingle(t, w, use) == second {
				t.Errorf("another %s got the tab", name)
			}
		}
		j := w.OfJob(2)
		if visitTab(t, w, j, "a.example") == second {
			t.Error("a job got the tab")
		}
		j.End()
	})
}

func TestSingles_tabsEndAfterAWhileAndWithTheEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, f := newFakeTabs(2)
		use := ofOwner("a", "a.example")
		scrapeSingle(t, w, use)
		scrapeSingle(t, w, use)
		time.Sleep(tabIdle + time.Second)
		synctest.Wait()
		if n := f.open.Load(); n != 0 {
			t.Errorf("%d tabs open after the idle time", n)
		}
		if scrapeSingle(t, w, use) != nil {
			t.Error("a scrape after that: want a fresh page")
		}
		scrapeSingle(t, w, use)
		if n := f.open.Load(); n != 1 {
			t.Errorf("%d tabs open, want one", n)
		}
		w.Close()
		if n := f.open.Load(); n != 0 || w.busy != 0 {
			t.Errorf("%d tabs open, %d busy after Close", n, w.busy)
		}
		if scrapeSingle(t, w, use) != nil {
			t.Error("after Close: want no tab")
		}
	})
}

func TestSingles_rememberABoundedNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := newFakeTabs(2)
		defer w.Close()
		for i := range 2 * maxRecent {
			w.OfSingles(ofOwner("a", string(rune('a'+i))))
		}
		if len(w.recent) != maxRecent {
			t.Errorf("%d uses are remembered, want %d", len(w.recent), maxRecent)
		}
	})
}
