package auditing

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/learnt"
	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
)

var (
	blog = learnt.TemplateOf(learnt.Signs{URL: "https://a.example/blog/x"})
	shop = learnt.TemplateOf(learnt.Signs{URL: "https://a.example/shop/x"})

	equal = &page.Comparison{Words: 100, Missed: 1}
	more  = &page.Comparison{Words: 100, Missed: 40}
)

// enter writes pages down, each with a result.
func enter(t *testing.T, db work.DB, b *Book, first uint64, pages ...Page) {
	t.Helper()
	for i, p := range pages {
		n := first + uint64(i)
		p.Found.URL = fmt.Sprintf("https://a.example/%d", n)
		write := b.Enter(p)
		if err := db.Update(func(tx jobs.Tx) error { return write(tx, n, 1) }); err != nil {
			t.Fatal(err)
		}
	}
}

func byHTTP(t learnt.Template) Page { return Page{Way: HTTP, Route: &page.Route{Template: t}} }

func audited(t learnt.Template, c *page.Comparison) Page {
	p := Page{Way: HTTP, Route: &page.Route{Template: t, Both: true, Compared: c}}
	if c.More() {
		p.Way = Browser
	}
	return p
}

// again are the numbers of the pages that are to be got again.
func again(t *testing.T, b *Book) (numbers []uint64) {
	t.Helper()
	for {
		c, ok, err := b.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			return numbers
		}
		numbers = append(numbers, c.Sequence)
	}
}

// The pages since the last comparison that agreed are got again, and those of no other template.
func TestBook_whatAnAuditOverturns(t *testing.T) {
	db := cache.NewMap()
	b := Open(db, "job")
	vouches := audited(blog, equal)
	vouches.Since = 1
	enter(t, db, b, 1, byHTTP(blog), vouches, byHTTP(blog), byHTTP(shop), byHTTP(blog), audited(blog, more), byHTTP(blog))
	if got := again(t, b); !slices.Equal(got, []uint64{7, 5, 3}) {
		t.Errorf("got %v", got)
	}
	if b.InHand() != 3 {
		t.Errorf("%d in hand", b.InHand())
	}
	later := Open(db, "job") // of the next process
	if got := again(t, later); !slices.Equal(got, []uint64{7, 5, 3}) {
		t.Errorf("the next process got %v", got)
	}
	if got := again(t, Open(db, "another")); got != nil {
		t.Errorf("another job got %v", got)
	}
}

func TestBook_first(t *testing.T) {
	b := Open(cache.NewMap(), "job")
	unproven := learnt.Counts{}
	if !b.Both("u", blog, unproven) || b.Both("v", blog, unproven) || !b.Both("w", shop, unproven) {
		t.Error("not the first page of each template alone")
	}
	if b.Release(&page.Route{Template: blog}); !b.Both("x", blog, unproven) {
		t.Error("a page whose comparison came to nothing keeps its claim")
	}
	none := Open(cache.NewMap(), "job")
	if none.Release(&page.Route{Template: blog, NoBrowser: true}); none.Both("x", shop, unproven) {
		t.Error("pages are audited where no browser can be had")
	}
	n := 0
	for i := range 1000 {
		if b.Both(fmt.Sprint(i), blog, learnt.Counts{Equal: 1}) {
			n++
		}
	}
	if n < 20 || n > 100 {
		t.Errorf("%d of 1000 pages are audited, want about 50", n)
	}
}

// A comparison vouches for no page that came while it was made: HTTP gives dozens of a template meanwhile.
func TestBook_whatCameMeanwhileStaysOpen(t *testing.T) {
	db := cache.NewMap()
	b := Open(db, "job")
	enter(t, db, b, 1, byHTTP(blog))
	slow := audited(blog, equal)
	slow.Since = b.Newest()
	enter(t, db, b, 2, byHTTP(blog), byHTTP(blog), slow, audited(blog, more))
	if got := again(t, b); !slices.Equal(got, []uint64{3, 2}) {
		t.Errorf("got %v", got)
	}
}

// Audits of what is done come while the job goes on, and first where most may be missing.
func TestBook_checksTheRiskiest(t *testing.T) {
	db := cache.NewMap()
	b := Open(db, "job")
	risky := byHTTP(shop)
	risky.Route.Risk = 0.8
	enter(t, db, b, 1, slices.Concat(slices.Repeat([]Page{risky}, 20), slices.Repeat([]Page{byHTTP(blog)}, 2*checkShare-21))...)
	if got := again(t, b); got != nil {
		t.Errorf("too early: %v", got)
	}
	enter(t, db, b, 2*checkShare, byHTTP(blog))
	c, ok, err := b.Next()
	if !ok || err != nil || !c.Check || c.Sequence != 20 {
		t.Fatalf("got %+v, %t, %v", c, ok, err)
	}
	settle := b.Settle(c, &page.Route{Template: shop, Compared: equal})
	if err := db.Update(func(tx jobs.Tx) error { return settle(tx, 0, 0) }); err != nil {
		t.Fatal(err)
	}
	b.Done(c)
	if more, err := b.Last(); !more || err != nil {
		t.Fatal(more, err)
	}
	if got := again(t, b); !slices.Equal(got, []uint64{2 * checkShare}) {
		t.Errorf("at the end: %v", got)
	}
}

func TestBook_last(t *testing.T) {
	db := cache.NewMap()
	b := Open(db, "job")
	pages := slices.Repeat([]Page{byHTTP(blog)}, 12)
	enter(t, db, b, 1, append(pages, slices.Repeat([]Page{byHTTP(shop)}, 30)...)...)
	if more, err := b.Last(); !more || err != nil {
		t.Fatal(more, err)
	}
	c, ok, err := b.Next()
	if !ok || err != nil || c.Sequence != 42 || !c.Check || c.Template != shop.Digest {
		t.Fatalf("got %+v, %t, %v", c, ok, err)
	}
	settle := b.Settle(c, &page.Route{Template: shop, Compared: more})
	if err := db.Update(func(tx jobs.Tx) error { return settle(tx, c.Sequence, 1) }); err != nil {
		t.Fatal(err)
	}
	b.Done(c)
	if got := again(t, b); len(got) != 29 || got[28] != 13 {
		t.Errorf("got %v", got)
	}
	if more, err := Open(db, "job").Last(); !more || err != nil {
		t.Errorf("what is left: %t, %v", more, err)
	}
}

// A job does not end while a page is to be got again whose host needs a pause, also where nothing is left to audit.
func TestBook_lastLeavesNothing(t *testing.T) {
	db := cache.NewMap()
	b := Open(db, "job")
	enter(t, db, b, 1, byHTTP(blog), audited(blog, more))
	if more, err := b.Last(); !more || err != nil {
		t.Error(more, err)
	}
}

// Where the newest pages need a browser and older ones don't, those before them are left alone.
func TestBook_stopsWhereTheTemplateChanged(t *testing.T) {
	db := cache.NewMap()
	b := Open(db, "job")
	enter(t, db, b, 1, append(slices.Repeat([]Page{byHTTP(blog)}, 20), audited(blog, more), byHTTP(shop))...)
	var seen []uint64
	for {
		c, ok, err := b.Next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		seen = append(seen, c.Sequence)
		results, settle := 0, b.Settle(c, nil)
		if c.Sequence >= 18 { // it changed here
			results = 1
		}
		if err := db.Update(func(tx jobs.Tx) error { return settle(tx, c.Sequence, results) }); err != nil {
			t.Fatal(err)
		}
		b.Done(c)
	}
	if want := []uint64{20, 19, 18, 17, 16, 15, 14, 13}; !slices.Equal(seen, want) {
		t.Errorf("got %v again, want %v", seen, want)
	}
}

func TestReportOf(t *testing.T) {
	db := cache.NewMap()
	b := Open(db, "job")
	enter(t, db, b, 1, audited(shop, equal), byHTTP(shop), byHTTP(shop), byHTTP(blog), byHTTP(blog), audited(blog, more),
		Page{Way: Cache, Stored: time.Unix(2000, 0)}, Page{Way: Cache, Stored: time.Unix(1000, 0)}, Page{})
	for _, why := range []string{"", "status 500"} {
		c, _, err := b.Next()
		if err != nil {
			t.Fatal(err)
		}
		settle := b.Settle(c, nil)
		if why != "" {
			kept := b.Keep(c, errors.New(why))
			settle = func(tx jobs.Tx, _ uint64, _ int) error { return kept(tx) }
		}
		if err := db.Update(func(tx jobs.Tx) error { return settle(tx, c.Sequence, 1) }); err != nil {
			t.Fatal(err)
		}
	}
	r, err := ReportOf(db, "job")
	if err != nil {
		t.Fatal(err)
	}
	if r.HTTP != 4 || r.Browser != 2 || r.Cache != 2 || !r.Oldest.Equal(time.Unix(1000, 0)) || r.Audits != 2 || !slices.Equal(r.Overturned, []string{"/blog/*"}) || r.Corrected != 1 {
		t.Errorf("got %+v", r)
	}
	if want := map[string]string{"https://a.example/4": "status 500"}; !maps.Equal(r.Kept, want) {
		t.Errorf("kept %v, want %v", r.Kept, want)
	}
	if r.Missed != 0.01 || r.MissedMin > r.Missed || r.MissedMax < 0.5 || r.MissedMax > 1 {
		t.Errorf("missed %v, %v to %v", r.Missed, r.MissedMin, r.MissedMax)
	}
	if err := Drop(db, "job"); err != nil {
		t.Fatal(err)
	}
	if size, _, err := db.Size(); size != 0 || err != nil {
		t.Errorf("%d bytes are left, %v", size, err)
	}
}

// The bounds for 0 and 3 in 20, by the formula (Agresti and Coull, The American Statistician 52, 1998, give 0.161 for the first).
func TestWilson(t *testing.T) {
	for k, want := range map[int][2]float64{0: {0, 0.161}, 3: {0.052, 0.360}} {
		low, high := wilson(k, 20)
		if math.Abs(low-want[0]) > 0.001 || math.Abs(high-want[1]) > 0.001 {
			t.Errorf("%d of 20: got %.3f to %.3f, want %v", k, low, high, want)
		}
	}
}

// chore is a job whose pages are a list; each is got by HTTP, and the sixth is an audit that overturns the rest.
type chore struct {
	line *work.Line
	book *Book

	mu        sync.Mutex
	corrected []string
	stop      func() // instead of correcting; nil: it corrects
}

func (c *chore) Feed(ctx context.Context) error {
	for i := range 6 {
		if _, err := c.line.Frontier.Put(ctx, []crawl.Found{{URL: fmt.Sprintf("https://a.example/blog/%d", i)}}); err != nil {
			return err
		}
	}
	return nil
}

func (c *chore) Visit(_ context.Context, item crawl.Item) work.Outcome {
	p := byHTTP(blog)
	if strings.HasSuffix(item.URL, "5") {
		p = audited(blog, more)
	}
	p.Found, p.Host = item.Found, item.Host
	return work.Outcome{Documents: []any{"plain"}, InTx: c.book.Enter(p)}
}

func (c *chore) Correct(ctx context.Context, again work.Correction, _ crawl.Item) work.Outcome {
	if c.stop != nil {
		c.stop()
		<-ctx.Done()
		return work.Outcome{Failed: ctx.Err()}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.corrected = append(c.corrected, again.Found.URL)
	return work.Outcome{Documents: []any{"rendered"}, InTx: c.book.Settle(again, nil)}
}

func (c *chore) Complete(jobs.Tx, crawl.Item, work.Outcome) error { return nil }

func (c *chore) Ended(context.Context) error { return nil }

func (c *chore) kind() work.Kind {
	return work.Kind{Drop: Drop, Line: func(l *work.Line) (work.Task, work.LineOptions, error) {
		c.line, c.book = l, Open(l.DB(), l.Record.ID)
		return c, work.LineOptions{Workers: 1, Corrections: c.book}, nil
	}}
}

// A process that ends before anything was got again leaves that to the next one, before the job ends.
func TestBook_outlivesItsProcess(t *testing.T) {
	db := cache.NewMap()
	reached := make(chan struct{})
	first := &chore{stop: sync.OnceFunc(func() { close(reached) })}
	r, end := worktest.Ending(t, db, first.kind())
	record := worktest.Create(t, r, "https://a.example/")
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	<-reached
	end()
	second := &chore{}
	next := worktest.On(t, db, second.kind())
	if err := next.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := next.Records.Wait(t.Context(), record.ID); err != nil || got.State != jobs.Completed {
		t.Fatalf("got %+v, %v", got, err)
	}
	if len(second.corrected) != 5 {
		t.Errorf("got %v again", second.corrected)
	}
	report, err := ReportOf(db, record.ID)
	if err != nil || report.HTTP != 0 || report.Browser != 6 || report.Corrected != 5 {
		t.Errorf("got %+v, %v", report, err)
	}
}
