// Package reader gives any page as markdown to whatever can fetch a URL. It may change without notice.
//
//	curl -H 'Authorization: Bearer KEY' -H 'Accept: text/markdown' https://api.example/read/https://example.com/a?b=c
//
// All that follows /read/ is the URL of the page, its query included. The answer is text/markdown where the request accepts that, the
// whole document of POST /v2/scrape where it accepts application/json, and otherwise the markdown as text/plain, which browsers show.
// The header X-Page-Status has the page's own status, and Link its address where redirects have ended. An error is that of the scrape.
// The request is translated into one of package httpapi, which checks the key, counts and logs it. [Door] gives it to httpapi.Options:
//
//	httpapi.New(e, httpapi.Options{Keys: keys, Doors: []httpapi.Door{reader.Door()}})
package reader

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/engine/httpapi"
	"github.com/winnow-go/winnow/engine/httpapi/internal/inner"
)

// Path is what the URL of the page follows.
const Path = "/read/"

// Door is the route for httpapi.Options.
func Door() httpapi.Door { return httpapi.Door{Path: Path, Open: read} }

func read(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			inner.Refuse(w, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "this route accepts only GET")
			return
		}
		url := pageURL(r)
		if url == "" {
			inner.Refuse(w, http.StatusBadRequest, "BAD_REQUEST", "want the URL of a page after "+Path+", such as "+Path+"https://example.com/")
			return
		}
		a, err := inner.Do(api, r, "/v2/scrape", map[string]any{"url": url, "formats": []string{"markdown"}, "integration": "reader"})
		if err != nil {
			panic(err) // texts can be encoded
		}
		reply(w, accepted(r), a)
	})
}

// oneSlash is what some proxies make of the two after a scheme.
var oneSlash = regexp.MustCompile(`(?i)^(https?):/+`)

// pageURL is all that follows Path, as it was sent.
func pageURL(r *http.Request) string {
	url := oneSlash.ReplaceAllString(strings.TrimPrefix(r.URL.EscapedPath(), Path), "$1://")
	if r.URL.RawQuery != "" {
		url += "?" + r.URL.RawQuery
	}
	return url
}

const (
	markdownType = "text/markdown"
	jsonType     = "application/json"
	plainType    = "text/plain"
)

// accepted is the type of the answer: the first that the request names and that there is.
func accepted(r *http.Request) string {
	for _, line := range r.Header.Values("Accept") {
		for one := range strings.SplitSeq(line, ",") {
			kind, _, _ := mime.ParseMediaType(one)
			if kind == markdownType || kind == jsonType || kind == plainType {
				return kind
			}
		}
	}
	return plainType
}

// reply answers with the document of a scrape as that type, or with its error.
func reply(w http.ResponseWriter, kind string, a *inner.Answer) {
	if !a.OK() || kind == jsonType {
		a.PassOn(w)
		return
	}
	var d struct {
		Data struct {
			Markdown string
			Metadata struct {
				URL        string
				StatusCode int
			}
		}
	}
	_ = json.Unmarshal(a.Body, &d) // it is the API's own
	h := w.Header()
	h.Set("Content-Type", kind+"; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept")
	if m := d.Data.Metadata; m.URL != "" {
		h.Set("X-Page-Status", strconv.Itoa(m.StatusCode))
		h.Set("Link", "<"+strings.NewReplacer("<", "%3C", ">", "%3E").Replace(m.URL)+`>; rel="canonical"`)
	}
	_, _ = io.WriteString(w, strings.TrimRight(d.Data.Markdown, "\n")+"\n") // a client that is gone needs no answer
}
