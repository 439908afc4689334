package doctor

import (
	"fmt"
	"net/http"
)

// siteURL is the site that is recorded, on a virtual host. Its pages call elsewhere, which is none: while the site is recorded its name has
// no address, and the recording has no answer of it.
const (
	siteHost  = "silence.example"
	siteURL   = "https://" + siteHost + "/"
	elsewhere = "https://elsewhere.example/"
	sitePages = 3
)

// silentText is in the text of each page once its script has run.
const silentText = "made by script"

const sitePage = `<!DOCTYPE html><title>A page</title><main><h1 id="h">page</h1><p>It has <a href="/">a first page</a>, <a href="/a">a second</a>
and <a href="/b">a third one</a>.</p></main>
<script>h.textContent = "` + silentText + `"; fetch("` + elsewhere + `").catch(() => 0); new Image().src = "` + elsewhere + `a.png"</script>`

// site serves pages that link to one another.
func site() map[string]http.Handler {
	mux := http.NewServeMux()
	for _, path := range []string{"/{$}", "/a", "/b"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, sitePage, "<p>This is "+r.URL.Path)
		})
	}
	return map[string]http.Handler{siteHost: mux}
}
