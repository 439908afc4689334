package doctor

import (
	"fmt"
	"net/http"
)

// siteURL is the site that is recorded, elsewhere a host that its pages call. Both are virtual.
const (
	siteHost  = "silence.example"
	siteURL   = "https://" + siteHost + "/"
	elsewhere = "elsewhere.example"
	sitePages = 3
)

// silentText is in the text of each page once its script has run.
const silentText = "made by script"

// site serves pages that link to one another and call the other host at an address that is never the same: when the recording is played,
// it has no answer, and a page that could leave would.
func site() map[string]http.Handler {
	page := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!DOCTYPE html><title>%s</title><main><h1 id="h">page</h1><p>It has <a href="/">a first page</a>, <a href="/a">a second</a>
and <a href="/b">a third one</a>.</p></main>
<script>h.textContent = "%s"; fetch("https://%s/" + Math.random()).catch(() => 0); new Image().src = "https://%s/" + Math.random() + ".png"</script>`,
			r.URL.Path, silentText, elsewhere, elsewhere)
	}
	mux := http.NewServeMux()
	for _, path := range []string{"/{$}", "/a", "/b"} {
		mux.HandleFunc(path, page)
	}
	return map[string]http.Handler{
		siteHost: mux,
		elsewhere: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			fmt.Fprint(w, "ok")
		}),
	}
}
