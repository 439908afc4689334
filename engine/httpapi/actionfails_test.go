package httpapi

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// An action that doesn't finish is an error body and nothing else, whatever the timeout.
func TestScrape_anActionThatFailsHasNoDocument(t *testing.T) {
	s := newService(t, withBrowser(t), func(eo *engine.Options, _ *Options) {
		eo.Hosts["still.example"] = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<p>here already</p>"))
		})
	})
	for _, request := range []string{
		`{"url":"still.example","timeout":6000,"actions":[{"type":"wait","selector":"#never"}]}`,
		`{"url":"still.example","timeout":60000,"actions":[{"type":"click","selector":"#none"}]}`,
	} {
		a := s.red("POST", "/v2/scrape", request)
		if a.text("code") == string(engine.CodeAllEnginesFailed) && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
			t.Skip("this machine has no browser, and this test installs none: ", a.raw)
		}
		if a.status != http.StatusInternalServerError || a.text("code") != string(engine.CodeAction) || a.get("data") != nil || strings.Contains(a.raw, "here already") {
			t.Errorf("%s: got %d %s", request, a.status, a.raw)
		}
	}
}
