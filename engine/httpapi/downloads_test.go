package httpapi

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// A file that a click has the browser save is in the answer.
func TestScrape_aFileThatAClickHasSavedIsInTheAnswer(t *testing.T) {
	s := newService(t, withBrowser(t), func(eo *engine.Options, _ *Options) {
		eo.Hosts["files.example"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" {
				w.Header().Set("Content-Type", "text/csv")
				w.Header().Set("Content-Disposition", "attachment; filename=list.csv")
				_, _ = w.Write([]byte("a,b"))
				return
			}
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<p>files</p><a href=/list>list</a>"))
		})
	})
	a := s.red("POST", "/v2/scrape", `{"url":"files.example","actions":[{"type":"click","selector":"a"}]}`)
	if a.text("code") == string(engine.CodeAllEnginesFailed) && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("this machine has no browser, and this test installs none: ", a.raw)
	}
	want := `"downloads":[{"action":0,"name":"list.csv","url":"http://files.example/list","type":"text/csv","size":3,"sha256":"1eb7c54d52831bbfe8942af0b1c56b7409523a59ed6ca99c1174fef7eb32c1b5","asset":"data:text/csv;base64,YSxi"}]`
	if a.status != http.StatusOK || !strings.Contains(a.raw, want) {
		t.Errorf("got %d %s, want %s", a.status, a.raw, want)
	}
}
