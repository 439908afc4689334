package engine

import (
	"reflect"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
)

func TestScrapeByID_givesTheDocumentForADay(t *testing.T) {
	c := newClock()
	e := cachingEngine(t, newGranary(barley), func(o *Options) { o.Now = c.now })
	doc := scrapeOK(t, e, "granary.example", ScrapeOptions{Owner: "team"})
	record, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(record.Document, doc) {
		t.Errorf("got %+v\nwant %+v", record.Document, doc)
	}
	if record.ID != doc.Metadata.ScrapeID || record.Owner != "team" || record.URL != "granary.example" || !record.CreatedAt.Equal(c.now()) ||
		record.Credits != 1 || record.Code != "" || record.Replay.URL != "http://granary.example/" {
		t.Errorf("got %+v", record)
	}
	for _, id := range []string{"", "nobody", "019dffff-0000-7000-8000-000000000000"} {
		if _, err := e.ScrapeByID(t.Context(), id); CodeOf(err) != CodeNotFound {
			t.Errorf("%q: %v", id, err)
		}
	}
	c.pass(24*time.Hour + time.Millisecond)
	if _, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID); CodeOf(err) != CodeNotFound {
		t.Errorf("after a day: %v", err)
	}
}

func TestScrapeByID_aFailureIsRecordedToo(t *testing.T) {
	e := cachingEngine(t, newGranary(barley), func(o *Options) { o.Resolver = names{} })
	if _, err := e.Scrape(t.Context(), "https://nowhere.example/", ScrapeOptions{}); CodeOf(err) != CodeDNS {
		t.Fatal(err)
	}
	ids, err := e.stores.records.Keys(t.Context(), "", "", 10)
	if err != nil || len(ids) != 1 {
		t.Fatal(ids, err)
	}
	record, err := e.ScrapeByID(t.Context(), ids[0])
	if err != nil || record.Code != CodeDNS || record.Error == "" || record.Document != nil || record.Credits != 0 {
		t.Errorf("got %+v, %v", record, err)
	}
}

func TestScrapeByID_keepsWhatLeadsToThePageAgain(t *testing.T) {
	e, host := sharedSite(t, htmlPage(form))
	o := ScrapeOptions{
		WaitFor: 10 * time.Millisecond,
		Profile: &Profile{Name: "p", SaveChanges: new(false)},
		Actions: []actions.Action{{Type: actions.Click, Selector: "input"}, {Type: actions.Write, Text: "oats"}},
	}
	doc := scrapeOK(t, e, "http://"+host+"/", o)
	record, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID)
	want := Replay{URL: "http://" + host + "/", WaitFor: o.WaitFor, Actions: o.Actions, Profile: o.Profile}
	if err != nil || !reflect.DeepEqual(record.Replay, want) {
		t.Errorf("got %+v, %v\nwant %+v", record, err, want)
	}
}

func TestUsage_countsByOwnerAndDay(t *testing.T) {
	c, dir := newClock(), t.TempDir()
	open := func() *Engine {
		return cachingEngine(t, newGranary(barley), func(o *Options) { o.Now, o.Dir, o.Resolver = c.now, dir, names{} })
	}
	e := open()
	scrape := func(owner string, o ScrapeOptions) {
		o.Owner = owner
		_, _ = e.Scrape(t.Context(), "https://granary.example/", o)
	}
	scrape("a", ScrapeOptions{Lockdown: true}) // a miss: 1
	scrape("a", ScrapeOptions{})               // 1
	scrape("a", ScrapeOptions{})               // a hit: 1
	scrape("a", ScrapeOptions{Lockdown: true}) // a hit: 5
	scrape("ab", ScrapeOptions{})
	if _, err := e.Scrape(t.Context(), "https://nowhere.example/", ScrapeOptions{Owner: "a"}); err == nil { // 0
		t.Error("nowhere answers")
	}
	c.pass(24 * time.Hour)
	scrape("a", ScrapeOptions{})
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	e = open()
	got, err := e.Usage(t.Context(), "a")
	want := Usage{Credits: 9, Days: []DayUsage{{Day: "2026-11-21", Credits: 8}, {Day: "2026-11-22", Credits: 1}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if got, err := e.Usage(t.Context(), "nobody"); err != nil || got.Credits != 0 || got.Days != nil {
		t.Errorf("nobody: %+v, %v", got, err)
	}
}
