package content

import (
	"strings"

	"golang.org/x/net/html"
)

// isNamedOverlay reports a class, id or label that is put together of what an overlay is about and what it is, such as "cookie-banner",
// "ageGate" or "Newsletter popup", with nothing else in it but words that say nothing.
func isNamedOverlay(n *html.Node) bool {
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "class", "id":
			for token := range strings.FieldsSeq(a.Val) {
				if namesOverlay(token) {
					return true
				}
			}
		case "aria-label":
			if namesOverlay(strings.ReplaceAll(a.Val, " ", "-")) {
				return true
			}
		}
	}
	return false
}

// maxOverlayName is the length in bytes up to which names are looked at.
const maxOverlayName = 60

func namesOverlay(token string) bool {
	if len(token) > maxOverlayName || !strings.ContainsAny(token[:min(len(token), 1)], overlayStarts) {
		return false
	}
	s := strings.ToLower(token)
	var about, form overlaySubject
	for s != "" {
		word := overlayWord(s)
		if word == "" {
			return false
		}
		w := overlayWords[word]
		about, form = about|w.about, form|w.form
		s = strings.TrimLeft(s[len(word):], "-_")
	}
	return about&form != 0
}

// overlayWord is the longest of the known words that s begins with, or "".
func overlayWord(s string) string {
	for n := min(len(s), maxOverlayWord); n > 0; n-- {
		if _, known := overlayWords[s[:n]]; known {
			return s[:n]
		}
	}
	return ""
}

// overlaySubject is a set of what overlays are about.
type overlaySubject uint8

const (
	aboutCookies overlaySubject = 1 << iota
	aboutLetters
	aboutAge
	aboutBrowser
)

// overlayPart is what one word of a name says: the subject it names, and the subjects of which boxes are called so.
type overlayPart struct{ about, form overlaySubject }

const aboutAll = aboutCookies | aboutLetters | aboutAge

var overlayWords = func() map[string]overlayPart {
	out := make(map[string]overlayPart)
	add := func(part overlayPart, words ...string) {
		for _, w := range words {
			out[w] = part
		}
	}
	add(overlayPart{about: aboutCookies}, "cookie", "cookies", "gdpr", "ccpa", "dsgvo", "rgpd")
	add(overlayPart{about: aboutCookies, form: aboutCookies}, "consent")
	add(overlayPart{about: aboutLetters}, "newsletter", "subscribe", "subscription", "mailing", "email", "signup")
	add(overlayPart{about: aboutAge}, "age")
	add(overlayPart{about: aboutBrowser}, "browser", "browsers")
	add(overlayPart{about: aboutBrowser, form: aboutBrowser}, "browsehappy", "browserupgrade", "browser-upgrade", "chromeframe", "noscript-warning", "noscript-message", "no-js-message", "nojs-message")
	add(overlayPart{form: aboutAll}, "popup", "pop-up", "modal", "overlay", "dialog", "lightbox", "flyin", "fly-in", "flyout")
	add(overlayPart{form: aboutCookies}, "banner", "bar", "notice", "message", "law", "disclaimer", "compliance", "notification", "prompt", "toast", "policy-banner")
	add(overlayPart{form: aboutAge}, "gate", "verification", "verify", "verifier", "check", "checker", "restriction", "wall", "confirmation", "confirm")
	add(overlayPart{form: aboutBrowser}, "outdated", "unsupported", "upgrade", "old", "deprecated", "obsolete", "incompatible", "not-supported", "update")
	add(overlayPart{form: aboutCookies | aboutBrowser}, "warning", "alert")
	add(overlayPart{}, "js", "eu", "the", "is", "site", "main", "root", "container", "wrapper", "wrap", "inner", "box", "block", "component", "module", "widget", "section", "backdrop")
	return out
}()

var maxOverlayWord, overlayStarts = func() (longest int, starts string) {
	for w := range overlayWords {
		longest = max(longest, len(w))
		if first := w[:1]; !strings.Contains(starts, first) {
			starts += first + strings.ToUpper(first)
		}
	}
	return longest, starts
}()
