package pagefile

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestName_isReadableWhereTheURLIsPlain(t *testing.T) {
	for href, want := range map[string]string{
		"https://a.example/":        "a.example",
		"https://a.example/b":       "a.example_b",
		"https://a.example/b/":      "a.example_b_",
		"https://a.example//":       "a.example__",
		"https://a.example/b/c.htm": "a.example_b_c.htm",
	} {
		if got := Name(href); got != want {
			t.Errorf("%s: got %s, want %s", href, got, want)
		}
	}
}

// awkward URLs, each of which wants a name of its own.
var awkward = []string{
	"", "/", "..", "../../etc/passwd", "https://", "https://a.example", "https://a.example/", "http://a.example/",
	"https://a.example/b_c", "https://a.example/b/c", "https://a.example/B/c", "https://a.example/b%2fc", "https://a.example/b%2Fc",
	"https://a.example/b?c", "https://a.example/b?c=", "https://a.example/b#c", "https://a.example:8443/b", "https://user:pw@a.example/b",
	"https://a.example/../../etc/passwd", `https://a.example/..\..\x`, "https://a.example/\x00", "https://a.example/%00", "https://a.example/ü", "https://a.example/u",
	"https://../", "https://.ssh/", "https://a.example_b/", "https://a.example/con", "https://[::1]/", "file:///etc/passwd", "https:///etc",
	"https://a.example/" + strings.Repeat("x", 5000), "https://a.example/" + strings.Repeat("x", 5001), "https://a.example/" + strings.Repeat("ü", 300),
	"https://a.example/" + strings.Repeat("y", maxPlainLen-len("a.example/")), "https://a.example/" + strings.Repeat("y", maxPlainLen-len("a.example/")+1),
}

func checkName(t *testing.T, href string) string {
	t.Helper()
	name := Name(href)
	if name == "" || strings.Trim(name, plainChars+"_~") != "" || len(name) > 160 || name[0] == '.' || !filepath.IsLocal(name) {
		t.Errorf("%.100q: unsafe name %q", href, name)
	}
	return name
}

func TestName_isSafeAndEachURLsOwn(t *testing.T) {
	seen := map[string]string{}
	for _, href := range awkward {
		name := checkName(t, href)
		if other, ok := seen[name]; ok {
			t.Errorf("%.100q and %.100q have the same name %s", href, other, name)
		}
		seen[name] = href
	}
}

// Names that another URL's readable form could be made to look like.
func TestName_canNotBeForged(t *testing.T) {
	for _, href := range awkward {
		forged := "https://" + strings.Replace(Name(href), "_", "/", 1)
		if forged != href && Name(forged) == Name(href) {
			t.Errorf("%.100q takes the file of %.100q", forged, href)
		}
	}
}

func FuzzFileName(f *testing.F) {
	for i, href := range awkward {
		f.Add(href, awkward[len(awkward)-1-i])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if x, y := checkName(t, a), checkName(t, b); (x == y) != (a == b) {
			t.Errorf("%q: %s, %q: %s", a, x, b, y)
		}
	})
}
