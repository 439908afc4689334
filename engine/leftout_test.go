package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
)

const silo = `<html lang=en><title>Silo</title><nav><a href="/">Home</a> <a href="/silo">Silo</a></nav><main><h1>Silo</h1>` +
	`<p>The silo holds four hundred sacks of barley, which lie in the dry until the spring. It was built in a year of plenty, and has never been full since then.</p>` +
	`<p>Share this with your friends today.</p></main><footer>© The mill</footer></html>`

// kindsOf are the entries' kinds with their words.
func kindsOf(list []formats.LeftOut) string {
	var b strings.Builder
	for _, l := range list {
		fmt.Fprintf(&b, "%s %d %d %q; ", l.Kind, l.Blocks, l.Words, l.FirstLine)
	}
	return b.String()
}

const siloLeftOut = `footer 1 2 "© The mill"; navigation 1 2 "Home Silo"; `

func TestLeftOut_onRequest(t *testing.T) {
	e := cachingEngine(t, newGranary(silo))
	const at = "https://granary.example/"
	plain := scrapeOK(t, e, at, ScrapeOptions{})
	if plain.LeftOut != nil || plain.Metadata.ContentConfidence == nil || *plain.Metadata.ContentConfidence <= 0 {
		t.Errorf("got %v and confidence %v, want only the confidence", plain.LeftOut, plain.Metadata.ContentConfidence)
	}
	asked := scrapeOK(t, e, at, ScrapeOptions{LeftOut: true})
	if got := kindsOf(asked.LeftOut); got != siloLeftOut || asked.Metadata.CacheState != "hit" {
		t.Errorf("from the cache (%s): got %s, want %s", asked.Metadata.CacheState, got, siloLeftOut)
	}
	asked.LeftOut[0].FirstLine, *asked.Metadata.ContentConfidence = "changed", 7
	again := scrapeOK(t, e, at, ScrapeOptions{LeftOut: true, Lockdown: true})
	if got := kindsOf(again.LeftOut); got != siloLeftOut || *again.Metadata.ContentConfidence > 1 {
		t.Errorf("what a caller changed is kept: %s, %v", got, *again.Metadata.ContentConfidence)
	}
	whole := scrapeOK(t, e, at, ScrapeOptions{OnlyMainContent: new(false)})
	if whole.Metadata.ContentConfidence != nil {
		t.Errorf("the whole page has confidence %v, want none", *whole.Metadata.ContentConfidence)
	}
}

func TestLeftOut_inJSON(t *testing.T) {
	e := cachingEngine(t, newGranary(silo))
	doc := scrapeOK(t, e, "https://granary.example/", ScrapeOptions{LeftOut: true})
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var got Document
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"leftOut":[{"kind":"footer","blocks":1,"words":2,"firstLine":"© The mill"},`, fmt.Sprintf(`"contentConfidence":%v`, *doc.Metadata.ContentConfidence)} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if kindsOf(got.LeftOut) != siloLeftOut || *got.Metadata.ContentConfidence != *doc.Metadata.ContentConfidence || got.Metadata.Extra != nil {
		t.Errorf("read again: %s, %+v", kindsOf(got.LeftOut), got.Metadata)
	}
}

func TestLeftOut_ofPagesOfJobs(t *testing.T) {
	e := cachingEngine(t, newGranary(silo))
	job, err := e.StartBatch(t.Context(), []string{"https://granary.example/"}, BatchOptions{Scrape: ScrapeOptions{LeftOut: true}})
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	for doc, err := range job.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		pages++
		if got := kindsOf(doc.LeftOut); got != siloLeftOut {
			t.Errorf("got %s, want %s", got, siloLeftOut)
		}
	}
	if pages != 1 {
		t.Errorf("got %d pages, want 1", pages)
	}
}

func TestLeftOut_ofFiles(t *testing.T) {
	e := cachingEngine(t, newGranary(silo))
	for name, c := range map[string]struct{ body, want string }{"a.html": {silo, siloLeftOut}, "a.txt": {"one\n", ""}, "a.csv": {"one,two\n", ""}, "a.pdf": {"%PDF-1.4\n", ""}} {
		doc, err := e.Parse(t.Context(), ParseInput{Reader: strings.NewReader(c.body), Name: name}, ParseOptions{LeftOut: true, Parsers: []Parser{}})
		if err != nil {
			t.Fatal(err)
		}
		if got := kindsOf(doc.LeftOut); got != c.want || doc.LeftOut == nil || (doc.Metadata.ContentConfidence != nil) != (c.want != "") {
			t.Errorf("%s: got %v, confidence %v; want %q, and a confidence of HTML alone", name, doc.LeftOut, doc.Metadata.ContentConfidence, c.want)
		}
	}
}

func TestCleanBelow_callsTheModelOnlyForUnsureContent(t *testing.T) {
	m := &oracle{answer: piecesWith("Share this")}
	e := cachingEngine(t, newGranary(silo), withModel(m))
	const at = "https://granary.example/"
	sure := *scrapeOK(t, e, at, ScrapeOptions{}).Metadata.ContentConfidence
	if sure >= 1 {
		t.Fatalf("confidence %v, want less than 1: nothing would be below", sure)
	}
	for name, c := range map[string]struct {
		below float64
		calls bool
	}{
		"always": {0, true}, "at the confidence": {sure, false}, "just above it": {min(sure+0.001, 1), true}, "below it": {sure / 2, false}, "all": {1, true},
	} {
		before := len(m.requests())
		doc := scrapeOK(t, e, at, ScrapeOptions{OnlyCleanContent: true, CleanBelow: c.below})
		called, cleaned := len(m.requests()) > before, !strings.Contains(doc.Markdown, "Share this")
		if called != c.calls || cleaned != c.calls || doc.Metadata.TokensUsed > 0 != c.calls || doc.Warning != "" {
			t.Errorf("%s: called %t, cleaned %t, %d tokens, want all of them %t (%s)", name, called, cleaned, doc.Metadata.TokensUsed, c.calls, doc.Warning)
		}
	}
}

// Where there is no confidence, there is none to spare the model.
func TestCleanBelow_withoutAConfidenceTheModelIsCalled(t *testing.T) {
	m := &oracle{answer: func(llm.Request) (string, error) { return `{"numbers":[]}`, nil }}
	e := cachingEngine(t, newGranary(silo), withModel(m))
	text := ParseInput{Reader: strings.NewReader("One line.\n\nAnother line."), Name: "a.txt"}
	if _, err := e.Parse(t.Context(), text, ParseOptions{OnlyCleanContent: true, CleanBelow: 0.001}); err != nil || len(m.requests()) == 0 {
		t.Errorf("%v, %d requests, want one at least", err, len(m.requests()))
	}
}

func TestScrapeOptions_leftOutAndCleanBelowAreRefusedWhereTheyMeanNothing(t *testing.T) {
	e := cachingEngine(t, newGranary(silo), withModel(says("")))
	for _, c := range []struct {
		field, want string
		o           ScrapeOptions
	}{
		{"winnow.leftOut", "winnow.leftOut: true; want false with onlyMainContent false", ScrapeOptions{LeftOut: true, OnlyMainContent: new(false)}},
		{"winnow.cleanBelow", "winnow.cleanBelow: 1.5; want 0 (always clean) to 1", ScrapeOptions{OnlyCleanContent: true, CleanBelow: 1.5}},
		{"winnow.cleanBelow", "winnow.cleanBelow: -0.1; want 0 (always clean) to 1", ScrapeOptions{OnlyCleanContent: true, CleanBelow: -0.1}},
		{"winnow.cleanBelow", "winnow.cleanBelow: NaN; want 0 (always clean) to 1", ScrapeOptions{OnlyCleanContent: true, CleanBelow: math.NaN()}},
		{"winnow.cleanBelow", "winnow.cleanBelow: 0.5; want 0 without onlyCleanContent", ScrapeOptions{CleanBelow: 0.5}},
		{"winnow.cleanBelow", "winnow.cleanBelow: 0.5; want 0 with onlyMainContent false", ScrapeOptions{OnlyCleanContent: true, CleanBelow: 0.5, OnlyMainContent: new(false)}},
	} {
		_, err := e.Scrape(t.Context(), "https://granary.example/", c.o)
		wantRefusal(t, err, c.field, CodeBadRequest)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
		_, err = e.Parse(t.Context(), ParseInput{Reader: strings.NewReader(silo), Name: "a.html"}, ParseOptions{LeftOut: c.o.LeftOut, CleanBelow: c.o.CleanBelow, OnlyCleanContent: c.o.OnlyCleanContent, OnlyMainContent: c.o.OnlyMainContent, Timeout: time.Minute})
		wantRefusal(t, err, c.field, CodeBadRequest)
	}
}
