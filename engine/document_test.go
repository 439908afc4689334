package engine

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/formats"
)

func fullDocument() Document {
	at := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	return Document{
		Markdown: "# x", Summary: "s", HTML: "<h1>x</h1>", RawHTML: "<html>", RawBase64: "eA==",
		Links: []string{"https://a.example/"}, Images: []string{"https://a.example/i.png"},
		Audio: "https://a.example/a.mp3", Video: "https://a.example/v.mp4", Answer: "42", Highlights: "h",
		Screenshot: "data:image/png;base64,eA==", JSON: json.RawMessage(`{"a":1}`),
		Attributes:     []formats.Attribute{{Selector: "a", Attribute: "href", Values: []string{"x"}}},
		Actions:        &actions.Output{JavaScriptReturns: []actions.JavaScriptReturn{{Type: "number", Value: json.RawMessage("1")}}},
		Warning:        "w",
		ChangeTracking: &ChangeTracking{PreviousScrapeAt: &at, ChangeStatus: "changed", Visibility: "visible", Diff: "d", JSON: json.RawMessage(`{}`)},
		Branding:       &formats.Brand{ColorScheme: "light", Colors: map[string]string{"primary": "#ffffff"}},
		Metadata: Metadata{
			Metadata: formats.Metadata{Title: "x", Language: "en", OGLocaleAlternate: []string{"de_DE"},
				Extra: map[string][]string{"generator": {"hand"}, "theme-color": {"#fff", "#000"}}},
			Acquisition: Acquisition{SourceURL: "a.example", URL: "https://a.example/", StatusCode: 404, ContentType: "text/html",
				ScrapeID: "id", Error: "Not Found", ProxyUsed: "basic", Timezone: "Europe/Berlin", RenderedBy: "http",
				RenderReason: "why", ReadyReason: "quiet", ConcurrencyLimited: true, ConcurrencyQueueDurationMs: 12},
		},
	}
}

func TestDocument_roundTripsThroughJSON(t *testing.T) {
	for name, want := range map[string]Document{"full": fullDocument(), "empty": {}} {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Document
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v\nwant %+v\njson %s", name, got, want, data)
		}
	}
}

// The names are those of the specification's tables of the scrape document,
// metadata, changeTracking and branding.
func TestDocument_hasTheNamesOfTheSpecification(t *testing.T) {
	data, err := json.Marshal(fullDocument())
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, "document", doc, "markdown summary html rawHtml screenshot audio links actions metadata warning changeTracking branding")
	var meta map[string]any
	if err := json.Unmarshal(doc["metadata"], &meta); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, "metadata", meta, "title language sourceURL url ogLocaleAlternate statusCode contentType error concurrencyLimited concurrencyQueueDurationMs generator theme-color")
	if meta["generator"] != "hand" {
		t.Errorf("a single meta tag is %v, want a string", meta["generator"])
	}
	if list, ok := meta["theme-color"].([]any); !ok || len(list) != 2 {
		t.Errorf("a repeated meta tag is %v, want an array", meta["theme-color"])
	}
	var tracking map[string]any
	if err := json.Unmarshal(doc["changeTracking"], &tracking); err != nil {
		t.Fatal(err)
	}
	wantKeys(t, "changeTracking", tracking, "previousScrapeAt changeStatus visibility diff json")
}

func wantKeys[V any](t *testing.T, what string, got map[string]V, names string) {
	t.Helper()
	for name := range strings.FieldsSeq(names) {
		if _, ok := got[name]; !ok {
			t.Errorf("%s has no %q", what, name)
		}
	}
}

func TestMetadata_aPageCannotOverwriteTheEnginesKeys(t *testing.T) {
	m := Metadata{Metadata: formats.Metadata{Extra: map[string][]string{"statusCode": {"999"}, "scrapeId": {"x"}, "error": {"x"}}}}
	m.StatusCode = 200
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var got Metadata
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.StatusCode != 200 || got.ScrapeID != "" || got.Error != "" {
		t.Errorf("got %s", data)
	}
}

// The table of the specification's scrape options, and the field that carries each.
func TestScrapeOptions_carryEveryFieldOfTheSpecification(t *testing.T) {
	names := "formats onlyMainContent onlyCleanContent includeTags excludeTags maxAge minAge headers waitFor mobile " +
		"skipTlsVerification timeout parsers actions location removeBase64Images blockAds proxy storeInCache lockdown profile zeroDataRetention"
	var fields []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[ScrapeOptions]()) {
		fields = append(fields, strings.ToLower(f.Name))
	}
	for name := range strings.FieldsSeq(names) {
		if !slices.Contains(fields, strings.ToLower(name)) {
			t.Errorf("ScrapeOptions has no %s", name)
		}
	}
}

func TestDocument_linksThatWereAskedForAreListedAlsoWhenThereAreNone(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{"a.example": htmlPage("<p>Words without a link or a picture.</p>")}, func(o *Options) { o.Render = RenderNever })
	for want, asked := range map[string][]formats.Type{`"links":[],"images":[],`: {formats.Links, formats.Images}, "": {formats.Markdown}} {
		var o ScrapeOptions
		for _, f := range asked {
			o.Formats = append(o.Formats, formats.Format{Type: f})
		}
		doc, err := e.Scrape(t.Context(), "http://a.example/", o)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(text); want == "" && strings.Contains(got, `"links"`) || !strings.Contains(got, want) {
			t.Errorf("%v: got %s", asked, got)
		}
	}
}
