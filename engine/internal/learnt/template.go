package learnt

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Template is what pages of a host have in common that are made in one way. The zero value is none.
type Template struct {
	// Host of the pages, in lower case, with a port that isn't the usual one.
	Host string
	// Pattern of their paths, for people: "/blog/*".
	Pattern string
	// Digest of all of it, in 32 hexadecimal digits.
	Digest string
}

// Signs are what the template of a page is known by.
type Signs struct {
	URL     string   // of the page, absolute and normalised
	Shape   string   // of its layout
	Scripts []string // the addresses of its scripts
	Places  []string // names of the places that scripts fill
	Does    []string // what its inline scripts do; digits in it don't count
}

// TemplateOf returns the template of a page. Two pages are of one template where the beginnings of their paths, their layouts, their
// scripts, what these do and the places that they fill are the same.
func TemplateOf(s Signs) Template {
	pattern := patternOf(s.URL)
	if pattern == "" {
		return Template{}
	}
	var scripts []string
	for _, src := range s.Scripts {
		src, _, _ = strings.Cut(src, "?")
		scripts = append(scripts, src)
	}
	var does []string
	for _, one := range s.Does {
		does = append(does, strings.Map(withoutDigits, one))
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{pattern, s.Shape, set(scripts), set(s.Places), set(does)}, "\x00")))
	return Template{Host: strings.ToLower(weburl.Host(s.URL)), Pattern: pattern, Digest: hex.EncodeToString(sum[:16])}
}

func withoutDigits(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// set joins texts in order, each once.
func set(list []string) string {
	slices.Sort(list)
	return strings.Join(slices.Compact(list), "\n")
}

// patternOf keeps of a path its first part, after that of a language, and its depth: "/en/blog/*/*". What follows distinguishes
// pages, and layouts distinguish templates.
func patternOf(href string) string {
	address, _, _ := strings.Cut(weburl.Template(href), "?")
	_, way, ok := strings.Cut(address, "/")
	if !ok {
		return ""
	}
	parts := strings.Split(way, "/")
	kept := 1
	if isLanguage(parts[0]) {
		kept = 2
	}
	for i := range parts {
		if i >= kept || i == len(parts)-1 && parts[i] != "" {
			parts[i] = "*" + extension(parts[i])
		}
	}
	return "/" + strings.Join(parts, "/")
}

// extension is that of a file: pages are made by other programs than feeds and pictures.
func extension(part string) string {
	if ext := path.Ext(part); len(ext) <= 6 {
		return ext
	}
	return ""
}

// isLanguage reports the parts of paths that name a language: "en", "pt-br".
func isLanguage(part string) bool {
	language, region, ok := strings.Cut(part, "-")
	return isLetters(language) && (!ok || isLetters(region))
}

func isLetters(s string) bool {
	return len(s) == 2 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}
