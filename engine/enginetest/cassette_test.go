package enginetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch"
)

func recordedSite(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch {
		case r.URL.Path == "/price":
			fmt.Fprint(w, "12 € a sack of "+r.FormValue("of"))
		case strings.HasPrefix(r.URL.Path, "/"):
			fmt.Fprint(w, `<h1>Rye</h1><p id=p></p><script>
const of = location.hash.slice(1) || "rye"
fetch("/price?t=" + Date.now(), {method: "POST", body: new URLSearchParams({of})}).then(r => r.text()).then(text => p.textContent = text)</script>`)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func private(o *engine.Options) { o.Policy.AllowPrivate = true }

func TestCassette_recordsAndReplays(t *testing.T) {
	needBrowser(t)
	site := recordedSite(t)
	tape := Tape{File: filepath.Join(t.TempDir(), "deep", "site.wacz"), Strict: true}
	visit := func(tape Tape, paths ...string) string {
		return (&recorder{TB: t}).run(func(t testing.TB) {
			e := tape.Engine(t, private)
			for _, path := range paths {
				if got := Open(t, e, site.URL+path).Text("body"); !strings.HasPrefix(got, "Rye") {
					t.Errorf("%s: %q", path, got)
				}
			}
		})
	}
	wants(t, visit(tape, "/"), "there is no cassette "+tape.File, "run go test with -record")
	setFlag(t, "record", "true")
	wants(t, visit(tape, "/", "/more"))
	setFlag(t, "record", "false")
	site.Close()
	wants(t, visit(tape, "/", "/more"))
	wants(t, visit(tape, "/"), "no answer to 0 of ", "and 1 that were not made", "not made GET "+site.URL+"/more")
	loose := Tape{File: tape.File}
	wants(t, visit(loose, "/"))
	wants(t, visit(loose, "/#oats"), "no answer to 1 of 2 requests", "missing  POST "+site.URL+"/price?t=", "nearest: "+site.URL+"/price?t=")
	if failures := visit(loose, "/new"); !strings.Contains(failures, "missing  GET "+site.URL+"/new") {
		t.Error(failures)
	}
	wants(t, visit(Tape{File: "x.warc"}, "/"), `"x.warc": want a name that ends in .wacz`)
	left, err := os.ReadDir(filepath.Dir(tape.File))
	if err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
}

// What a full browser requests by itself, and a headless shell doesn't, is no difference.
func TestCassette_servesEveryBrowser(t *testing.T) {
	var p playback
	p.add(fetch.Replayed{Method: "GET", URL: "https://bakery.example/favicon.ico", Miss: "not recorded"})
	if diff := p.diff(Tape{File: "testdata/none.wacz"}); diff != "" {
		t.Error(diff)
	}
	p.add(fetch.Replayed{Method: "GET", URL: "https://bakery.example/rye.ico", Miss: "not recorded"})
	wants(t, p.diff(Tape{File: "testdata/none.wacz"}), "testdata/none.wacz")
}

// A test that fails while it records leaves the cassette as it was.
func TestCassette_isKeptByATestThatFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.wacz")
	if err := os.WriteFile(file, []byte("the one before"), 0o600); err != nil {
		t.Fatal(err)
	}
	setFlag(t, "record", "true")
	r := &recorder{TB: t}
	wants(t, r.run(func(t testing.TB) { Cassette(t, file); t.Error("out of flour") }), "out of flour")
	if now, err := os.ReadFile(file); string(now) != "the one before" || err != nil {
		t.Errorf("%.100q, %v", now, err)
	}
	wants(t, strings.Join(r.logs, "\n"), "is not replaced", "site.recording.wacz")
}
