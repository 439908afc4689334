package httpapi

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"time"
)

// The page on which people try the service: index.html, its style, icon and ES modules. It asks the same routes as any client.
//
//go:embed page
var pageFiles embed.FS

// pagePolicy is the page's Content-Security-Policy: nothing but its own files and answers, no inline script or style, no
// HTML made of text. Screenshots are data URIs; a live view may be framed where it is mounted on the same origin.
var pagePolicy = strings.Join([]string{
	"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "connect-src 'self'", "frame-src 'self'",
	"frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
}, "; ")

// pageAsset is one file of the page.
type pageAsset struct {
	data      []byte
	kind, tag string
}

// assetKinds are the media types of the page's files. They aren't left to the machine's tables.
var assetKinds = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// readPage reads the page's files, by name.
func readPage() map[string]pageAsset {
	assets := map[string]pageAsset{}
	entries, err := pageFiles.ReadDir("page")
	for _, e := range entries {
		var data []byte
		if data, err = pageFiles.ReadFile("page/" + e.Name()); err != nil {
			break
		}
		sum := sha256.Sum256(data)
		assets[e.Name()] = pageAsset{data, assetKinds[path.Ext(e.Name())], `"` + hex.EncodeToString(sum[:12]) + `"`}
	}
	if err != nil {
		panic("httpapi: the embedded page can't be read: " + err.Error())
	}
	return assets
}

// pageTable are the routes of the page. They are open to all and not rated: the files hold no secret, and what the page
// asks for is asked with the key that a person gives it.
func pageTable() []route {
	assets := readPage()
	return []route{
		{"GET /{$}", open, 0, func(c *call) error { return c.asset(assets["index.html"]) }},
		{"GET /page/{file}", open, 0, func(c *call) error {
			found, ok := assets[c.r.PathValue("file")]
			if !ok || found.kind == assetKinds[".html"] { // the page itself is at / alone
				return notFound("the page has no such file")
			}
			return c.asset(found)
		}},
	}
}

// asset answers with a file of the page. Browsers keep it and ask whether it is still the same.
func (c *call) asset(a pageAsset) error {
	h := c.w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Content-Type", a.kind)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("ETag", a.tag)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	http.ServeContent(c.w, c.r, "", time.Time{}, bytes.NewReader(a.data))
	return nil
}
