package engine

import (
	"testing"
)

func TestResolve_parsersAreHonouredOrRefused(t *testing.T) {
	e := newTestEngine(t, Options{})
	for _, good := range [][]Parser{nil, {}, {{Type: "pdf"}}, {{Type: "image"}}, {{Type: "pdf", Mode: "ocr", MaxPages: maxPDFPages, Pages: true, Blocks: true, PageMarkers: true, Password: "x"}, {Type: "image"}}} {
		if _, err := e.resolve("https://a.example", ScrapeOptions{Parsers: good}); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for field, bad := range map[string][]Parser{
		"parsers[0].type":     {{Type: "word"}},
		"parsers[1].type":     {{Type: "pdf"}, {Type: "pdf", Pages: true}},
		"parsers[0].mode":     {{Type: "pdf", Mode: "slow"}},
		"parsers[0].maxPages": {{Type: "pdf", MaxPages: maxPDFPages + 1}},
		"parsers[1]":          {{Type: "pdf"}, {Type: "image", Mode: "ocr"}},
	} {
		_, err := e.Scrape(t.Context(), "https://a.example", ScrapeOptions{Parsers: bad})
		wantRefusal(t, err, field, CodeBadRequest)
	}
}

func TestPlan_fingerprintTellsParsersApart(t *testing.T) {
	e := newTestEngine(t, Options{})
	seen := map[string]bool{}
	for _, parsers := range [][]Parser{nil, {}, {{Type: "pdf", MaxPages: 2}}, {{Type: "pdf", Password: "x"}}, {{Type: "image"}}} {
		p, err := e.resolve("https://a.example", ScrapeOptions{Parsers: parsers})
		if err != nil {
			t.Fatal(err)
		}
		if seen[p.Rendering.Fingerprint()] {
			t.Errorf("%+v is rendered like another", parsers)
		}
		seen[p.Rendering.Fingerprint()] = true
	}
	if p, _ := e.resolve("https://a.example", ScrapeOptions{Parsers: []Parser{{Type: "pdf"}}}); !seen[p.Rendering.Fingerprint()] {
		t.Error("the default, given explicitly, is rendered apart")
	}
}
