package liveview

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
	"strings"
)

// The page's parts.
var (
	//go:embed view.html
	viewHTML string
	//go:embed view.css
	viewCSS string
	//go:embed view.js
	viewJS string
)

// viewPage is the page with its style and script in it, and the policy by which nothing else can be.
type viewPage struct {
	html    []byte
	policy  string
	framing bool // pages of others may show it
}

func newViewPage(ancestors []string) *viewPage {
	frames := "'none'"
	if len(ancestors) > 0 {
		frames = strings.Join(ancestors, " ")
	}
	html := strings.NewReplacer("/*style*/", viewCSS, "/*script*/", viewJS).Replace(viewHTML)
	return &viewPage{html: []byte(html), framing: len(ancestors) > 0, policy: strings.Join([]string{
		"default-src 'none'", "script-src " + hashOf(viewJS), "style-src " + hashOf(viewCSS), "connect-src 'self'",
		"base-uri 'none'", "form-action 'none'", "require-trusted-types-for 'script'", "frame-ancestors " + frames,
	}, "; ")}
}

// hashOf names an inline element by its text, as Content-Security-Policy wants it.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// setHeaders sets what holds for every answer: addresses are secrets, and what is shown is for no other page.
func (p *viewPage) setHeaders(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", p.policy)
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	if !p.framing {
		h.Set("X-Frame-Options", "DENY")
	}
}
