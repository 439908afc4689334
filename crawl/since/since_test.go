package since

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

var start = time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

func free(string) bool { return true }

func open(t *testing.T, db crawl.DB, job string, again bool) *Book {
	t.Helper()
	b, err := Open(db, Options{Job: job, Series: "series", Again: again, Now: start, Free: free})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *Book) do(t *testing.T, f func(crawl.Tx) error) {
	t.Helper()
	if err := b.db.Update(f); err != nil {
		t.Fatal(err)
	}
}

func (b *Book) put(t *testing.T, pages ...Page) {
	t.Helper()
	b.do(t, func(tx crawl.Tx) error {
		for _, p := range pages {
			if err := b.Put(tx, p, []byte("text of "+p.URL)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *Book) urls(t *testing.T) (urls []string) {
	t.Helper()
	err := b.Pages(func(some []Page) error {
		for _, p := range some {
			urls = append(urls, p.URL)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(urls)
	return urls
}

func end(t *testing.T, b *Book) {
	t.Helper()
	if err := b.End(start); err != nil {
		t.Fatal(err)
	}
}

// rows counts what is in the buckets of spaces.
func rows(t *testing.T, db crawl.DB) (n int) {
	t.Helper()
	err := db.View(func(tx crawl.Tx) error {
		for _, bucket := range append(spaceBuckets[:], bucketGone) {
			for range tx.Scan(bucket, nil) {
				n++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestBook_goesOnFromTheLastCrawl(t *testing.T) {
	db := cache.NewMap()
	if _, err := Open(db, Options{Job: "none", Series: "series", Again: true, Free: free}); !errors.Is(err, ErrNone) {
		t.Errorf("got %v, want ErrNone", err)
	}
	first := open(t, db, "one", false)
	first.put(t, Page{URL: "https://a.example/1", Sum: "x"}, Page{URL: "https://a.example/2", Key: "https://a.example/two"})
	if _, err := Open(db, Options{Job: "early", Series: "series", Again: true, Free: free}); !errors.Is(err, ErrNone) {
		t.Errorf("before the first has ended: got %v, want ErrNone", err)
	}
	end(t, first)
	second := open(t, db, "two", true)
	if got := second.urls(t); len(got) != 2 || second.Run() != 1 || !second.Again() {
		t.Errorf("the second has %v, run %d", got, second.Run())
	}
	text, err := second.Text("https://a.example/two")
	if err != nil || string(text) != "text of https://a.example/2" {
		t.Errorf("the text is %q, %v", text, err)
	}
	busy := Options{Job: "three", Series: "series", Again: true, Free: func(string) bool { return false }}
	if _, err := Open(db, busy); !errors.Is(err, ErrBusy) {
		t.Errorf("beside the second: got %v, want ErrBusy", err)
	}
	resumed := open(t, db, "two", true)
	if resumed.Run() != 1 {
		t.Errorf("the second, resumed, has run %d", resumed.Run())
	}
	end(t, resumed)
	h, ok, err := HeadOf(db, "series")
	if !ok || err != nil || h.Job != "two" || h.Writer != "" || h.Space != "one" {
		t.Errorf("the head is %+v, %t, %v", h, ok, err)
	}
}

func TestBook_isForgottenWithItsSeriesOrWhenItIsNone(t *testing.T) {
	db := cache.NewMap()
	old := open(t, db, "old", false)
	for n := range 2500 {
		old.put(t, Page{URL: fmt.Sprintf("https://a.example/%d", n), Sum: fmt.Sprint(n)})
	}
	end(t, old)
	if err := Drop(db, "old", false); err != nil { // the job has expired
		t.Fatal(err)
	}
	if got := len(open(t, db, "again", true).urls(t)); got != 2500 {
		t.Errorf("%d pages are left of the last crawl, want all", got)
	}
	cancelled := open(t, db, "cancelled", false)
	cancelled.put(t, Page{URL: "https://a.example/c"})
	before := rows(t, db)
	if err := Drop(db, "cancelled", true); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, db); got != before-2 {
		t.Errorf("%d rows are left of %d, want two fewer", got, before)
	}
	newer := open(t, db, "newer", false)
	newer.put(t, Page{URL: "https://a.example/n"})
	end(t, newer)
	if got := rows(t, db); got != 2 {
		t.Errorf("%d rows are left, want the page of the newer crawl and its text", got)
	}
	end(t, open(t, db, "newest", true))
	for _, c := range []struct {
		job  string
		want int
	}{{"newer", 2}, {"newest", 0}} {
		if err := Drop(db, c.job, true); err != nil {
			t.Fatal(err)
		}
		if got := rows(t, db); got != c.want {
			t.Errorf("%d rows are left without %s, want %d", got, c.job, c.want)
		}
	}
}

func TestForget_dropsPagesOfAllSeries(t *testing.T) {
	db := cache.NewMap()
	b := open(t, db, "one", false)
	for n := range 1500 {
		b.put(t, Page{URL: fmt.Sprintf("https://a.example/%d", n)}, Page{URL: fmt.Sprintf("https://b.example/%d", n), Final: "https://c.example/"})
	}
	for _, prefix := range []string{"https://a.example/1", "https://c.example/"} {
		if err := Forget(db, func(url string) bool { return strings.HasPrefix(url, prefix) }); err != nil {
			t.Fatal(err)
		}
	}
	if got := len(b.urls(t)); got != 1500-(1+10+100+500) {
		t.Errorf("%d pages are left", got)
	}
}

// The estimate of rates from some looks a day, over pages that change by a Poisson process.
func TestPage_rateIsThatOfTheChanges(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, perDay := range []float64{.01, .1, .5, 1} {
		sum := 0.0
		const pages, looks = 400, 60
		for range pages {
			p := Page{First: start, Checked: start}
			for look := 1; look <= looks; look++ {
				p.Same(start.Add(time.Duration(look) * day))
				if random.Float64() < 1-math.Exp(-perDay) {
					p.Changes++
				}
			}
			sum += p.Rate() * float64(day)
		}
		if got := sum / pages; math.Abs(got-perDay) > .15*perDay+.005 {
			t.Errorf("pages that change %.2f times a day are taken for %.3f", perDay, got)
		}
	}
	for _, p := range []Page{{}, {Checks: 3}, {First: start, Checked: start.Add(day), Checks: 2, Changes: 9}} {
		if c := p.Chance(start.Add(2 * day)); !(c > 0 && c <= 1) {
			t.Errorf("%+v has a chance of %v", p, c)
		}
	}
}

// Each page of a host comes whole in about a hundred runs, and small hosts sooner.
func TestAudits_haveAllPagesTheirTurn(t *testing.T) {
	leftToUnraced(t)
	db := cache.NewMap()
	b := open(t, db, "one", false)
	for n := range 1700 {
		b.put(t, Page{URL: fmt.Sprintf("https://big.example/%d", n), ETag: "x", First: start, Checked: start, Whole: start})
	}
	b.put(t, Page{URL: "https://small.example/", ETag: "x", First: start, Checked: start, Whole: start}, Page{URL: "https://small.example/no"})
	end(t, b)
	whole := map[string]int{}
	for run := 1; run <= 100; run++ {
		now := start.Add(time.Duration(run) * day)
		b = open(t, db, fmt.Sprint("run", run), true)
		chosen, err := b.Audits(now)
		if err != nil || len(chosen) != 18 {
			t.Fatalf("run %d: %d audits, %v, want seventeen of the one host and one of the other", run, len(chosen), err)
		}
		for key := range chosen {
			whole[key]++
			p, err := b.Page(key)
			if err != nil {
				t.Fatal(err)
			}
			p.Same(now)
			p.Whole = now
			b.put(t, *p)
		}
		end(t, b)
	}
	if len(whole) != 1701 || whole["https://small.example/"] != 100 || whole["https://small.example/no"] != 0 {
		t.Errorf("%d pages had their turn", len(whole))
	}
}

func TestHost_isBelievedAsFarAsItWasRight(t *testing.T) {
	db := cache.NewMap()
	end(t, open(t, db, "one", false))
	b := open(t, db, "two", true)
	hear := func(words ...Word) (h Host) {
		for _, w := range words {
			b.do(t, func(tx crawl.Tx) error { return b.Heard(tx, "a.example", w) })
		}
		h, err := b.Host("a.example")
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	same := slices.Repeat([]Word{{Dated: true}}, enoughHeld)
	if h := hear(same...); h.Dated() || !h.Honest() {
		t.Errorf("a sitemap that named no change yet: %+v", h)
	}
	if h := hear(Word{Redated: true, Changed: true}); !h.Dated() {
		t.Errorf("a sitemap that was right: %+v", h)
	}
	if l, err := b.Lied(); err != nil || l.Any() {
		t.Errorf("got %+v, %v, want nobody", l, err)
	}
	if h := hear(Word{Dated: true, Changed: true}); h.Dated() || !h.Honest() {
		t.Errorf("a sitemap that was wrong: %+v", h)
	}
	if h := hear(Word{Vouched: true, Changed: true}); h.Honest() {
		t.Errorf("a validator that was wrong: %+v", h)
	}
	b.put(t, Page{URL: "https://a.example/1", Vouched: 1}, Page{URL: "https://a.example/2", Dated: 1}, Page{URL: "https://a.example/3"}, Page{URL: "https://b.example/", Vouched: 1})
	l, err := b.Lied()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{2, 0} {
		got := 0
		if err := b.Doubted(l, func(some []Page) error { got += len(some); return nil }); err != nil || got != want {
			t.Errorf("%d pages are doubted, %v, want %d", got, err, want)
		}
	}
}

func TestSettle_pairsWhatWentWithWhatCame(t *testing.T) {
	db := cache.NewMap()
	end(t, open(t, db, "one", false))
	b := open(t, db, "two", true)
	page := func(name, sum string) Page { return Page{URL: "https://a.example/" + name, Sum: sum} }
	held := func(name, sum string) Held {
		return Held{URL: "https://a.example/" + name, Key: "https://a.example/" + name, Sum: sum}
	}
	b.put(t, page("old", "A"), page("gone", "B"), page("back", "C"), page("twin", "D"))
	b.do(t, func(tx crawl.Tx) error {
		for _, h := range []Held{held("old", "A"), held("gone", "B"), held("back", "C")} {
			if err := b.Gone(tx, h); err != nil {
				return err
			}
		}
		for name, sum := range map[string]string{"new": "A", "like twin": "D", "other": "E", "goal": "D"} {
			if name == "goal" {
				if err := b.Led(tx, held(name, sum).Key); err != nil {
					return err
				}
			}
			if is, err := b.Came(tx, held(name, sum)); err != nil || is != (sum != "E") {
				t.Errorf("%s is held: %t, %v", name, is, err)
			}
		}
		return nil
	})
	b.put(t, page("back", "C"))
	var got []string
	note := func(kind string) func(crawl.Tx, Held) error {
		return func(_ crawl.Tx, h Held) error { got = append(got, kind+" "+h.URL[18:]); return nil }
	}
	for more := true; more; {
		var err error
		more, err = b.Settle(func(_ crawl.Tx, from, to Held) error {
			got = append(got, "moved "+from.URL[18:]+" to "+to.URL[18:])
			return nil
		}, note("added"), note("removed"))
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(got)
	if want := []string{"added like twin", "moved old to new", "removed gone"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := b.urls(t); !slices.Equal(got, []string{"https://a.example/back", "https://a.example/twin"}) {
		t.Errorf("left are %q", got)
	}
}

// Texts of a series that is kept are rewritten, however many; those of one that is about to be forgotten, and of others, aren't.
func TestRewrite_changesTheTextsOfASeries(t *testing.T) {
	db := cache.NewMap()
	b := open(t, db, "one", false)
	const pages = 2*putRewriting + 5
	for n := range pages {
		b.put(t, Page{URL: fmt.Sprintf("https://a.example/%d", n)})
	}
	end(t, b)
	rewrite := func(job string, last bool) (read int) {
		err := Rewrite(db, job, last, func(_ crawl.Tx, text []byte) []byte {
			read++
			if strings.HasSuffix(string(text), "7") {
				return nil
			}
			return []byte("new " + strings.TrimPrefix(string(text), "new "))
		})
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	if n := rewrite("unknown", false) + rewrite("one", true); n != 0 {
		t.Errorf("%d texts were read", n)
	}
	if n := rewrite("one", false); n < pages {
		t.Errorf("%d of %d texts were read", n, pages)
	}
	for n := range pages {
		url := fmt.Sprintf("https://a.example/%d", n)
		want := "new text of " + url
		if n%10 == 7 {
			want = "text of " + url
		}
		if text, err := b.Text(url); err != nil || string(text) != want {
			t.Errorf("%q, %v; want %q", text, err, want)
		}
	}
}

// raced is whether the race detector watches.
var raced bool

// leftToUnraced skips a test under the race detector that has one goroutine and much to compute.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
}
