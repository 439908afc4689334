package engine

import (
	"strings"
	"testing"
)

func TestLabels_areKeptWithRecordActivityAndJob(t *testing.T) {
	e := webEngine(t, chain(3))
	want := Labels{Origin: "cli", Integration: "tests", Version: "v1"}
	ctx := WithLabels(t.Context(), want)
	doc, err := e.Scrape(ctx, "https://a.example/", ScrapeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if rec, err := e.ScrapeByID(t.Context(), doc.Metadata.ScrapeID); err != nil || rec.Labels != want {
		t.Errorf("record %+v, %v", rec, err)
	}
	job, err := e.Crawl(ctx, "https://a.example/", CrawlOptions{IgnoreRobotsTxt: true, Sitemap: SitemapSkip})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := job.Labels(t.Context()); err != nil || got != want {
		t.Errorf("job %+v, %v", got, err)
	}
	if _, err := e.Map(ctx, "https://a.example/", MapOptions{}); err != nil {
		t.Fatal(err)
	}
	rows, _, err := e.Activity(t.Context(), ActivityQuery{})
	if err != nil || len(rows) != 3 {
		t.Fatalf("%+v, %v", rows, err)
	}
	for _, row := range rows {
		if row.Labels != want {
			t.Errorf("%s has %+v", row.Endpoint, row.Labels)
		}
	}
}

func TestLabels_areCutAndMayBeMissing(t *testing.T) {
	ctx := WithLabels(t.Context(), Labels{Origin: strings.Repeat("é", 1000)})
	if got := labelsOf(ctx).Origin; got != strings.Repeat("é", maxLabel/2) {
		t.Errorf("%d bytes", len(got))
	}
	if l := labelsOf(t.Context()); l != (Labels{}) {
		t.Errorf("%+v", l)
	}
	e := webEngine(t, chain(1))
	job, _ := crawled(t, e, "https://a.example/", CrawlOptions{})
	if l, err := job.Labels(t.Context()); err != nil || l != (Labels{}) {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestJob_tellsTheOptionsThatItGoesBy(t *testing.T) {
	e := webEngine(t, chain(2))
	job, _ := crawled(t, e, "https://a.example/", CrawlOptions{MaxDepth: new(3), IncludePaths: []string{"p"}})
	o, err := job.CrawlOptions(t.Context())
	if err != nil || *o.MaxDepth != 3 || o.Limit != defaultCrawlLimit || len(o.IncludePaths) != 1 {
		t.Errorf("%+v, %v", o, err)
	}
	if _, ok := job.Agent(); ok {
		t.Error("a crawl is an agent")
	}
	var types []string
	for ev, err := range job.Past(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		types = append(types, ev.Type)
	}
	if len(types) < 3 || types[0] != "started" || types[len(types)-1] != "completed" {
		t.Errorf("past: %v", types)
	}
}
