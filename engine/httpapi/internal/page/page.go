package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
)

//go:embed files
var files embed.FS

// policy is the Content-Security-Policy: nothing but the page's own files and answers, no inline script or style, no
// HTML made of text. Screenshots are data URIs; a live view may be framed where it is mounted on the same origin.
var policy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "frame-src 'self'",
	"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// kinds are the media types of the files. They don't depend on the machine's tables.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// Index is the name of the page itself.
const Index = "index.html"

// Asset is one file of the page.
type Asset struct {
	data      []byte
	kind, tag string
}

// Settings are what the page knows of the service before its first request.
type Settings struct {
	Model    bool // a language model is configured
	Examples []Example
}

// Example is an address to try.
type Example struct {
	URL, About string
	Formats    []string
}

// Assets returns the files of the page by their names.
func Assets(s Settings) map[string]Asset {
	assets := map[string]Asset{}
	entries, err := files.ReadDir("files")
	for _, e := range entries {
		var data []byte
		if data, err = files.ReadFile("files/" + e.Name()); err != nil {
			break
		}
		if e.Name() == Index {
			if data, err = filled(data, s); err != nil {
				break
			}
		}
		sum := sha256.Sum256(data)
		assets[e.Name()] = Asset{data, kinds[path.Ext(e.Name())], `"` + hex.EncodeToString(sum[:12]) + `"`}
	}
	if err != nil {
		panic("httpapi: cannot read the embedded page: " + err.Error())
	}
	return assets
}

func filled(index []byte, s Settings) ([]byte, error) {
	t, err := template.New(Index).Funcs(template.FuncMap{"host": host, "join": strings.Join}).Parse(string(index))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, s)
	return b.Bytes(), err
}

// host is what a button says of an address that is not described.
func host(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// ServeHTTP answers with the file. Browsers keep it and ask whether it is still the same.
func (a Asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", policy)
	h.Set("Content-Type", a.kind)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("ETag", a.tag)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(a.data))
}
