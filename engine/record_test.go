package engine

import (
	"reflect"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/cache"
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

// What an older engine has written is read.
func TestScrapeByID_readsTheStoredForm(t *testing.T) {
	c := newClock()
	e := cachingEngine(t, newGranary(barley), func(o *Options) { o.Now = c.now })
	entry := cache.Entry{
		Key: "0199", Stored: c.now(), Value: []byte(`{"markdown":"Barley","metadata":{"statusCode":200,"scrapeId":"0199"}}`),
		Meta: []byte(`{"id":"0199","endpoint":"scrape","owner":"team","url":"granary.example","createdAt":"2026-11-21T08:30:00Z","credits":5,` +
			`"labels":{"origin":"cli@1.2"},"replay":{"url":"https://granary.example/","waitFor":10000000,` +
			`"actions":[{"type":"click","selector":"input"}],"profile":{"name":"p","saveChanges":false}},"page":"https://granary.example/"}`),
	}
	if err := e.stores.Records.Records.Put(t.Context(), entry, nil); err != nil {
		t.Fatal(err)
	}
	got, err := e.ScrapeByID(t.Context(), "0199")
	if err != nil || got.Document == nil || got.Document.Markdown != "Barley" || got.Document.Metadata.StatusCode != 200 {
		t.Fatalf("got %+v, %v", got, err)
	}
	want := ScrapeRecord{
		ID: "0199", Endpoint: "scrape", Owner: "team", URL: "granary.example", CreatedAt: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC),
		Credits: 5, Labels: Labels{Origin: "cli@1.2"}, Document: got.Document,
		Replay: Replay{
			URL: "https://granary.example/", WaitFor: 10 * time.Millisecond, Profile: &Profile{Name: "p", SaveChanges: new(false)},
			Actions: []actions.Action{{Type: actions.Click, Selector: "input"}},
		},
	}
	if !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v\nwant %+v", *got, want)
	}
}

func TestScrapeByID_aFailureIsRecordedToo(t *testing.T) {
	e := cachingEngine(t, newGranary(barley), func(o *Options) { o.Resolver = names{} })
	if _, err := e.Scrape(t.Context(), "https://nowhere.example/", ScrapeOptions{}); CodeOf(err) != CodeDNS {
		t.Fatal(err)
	}
	ids, err := e.stores.Records.Records.Keys(t.Context(), "", "", 10)
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
