package weburl

import (
	"slices"
	"strings"
	"testing"
)

func TestKey(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.example/":                  "https://a.example",
		"http://a.example":                    "https://a.example",
		"HTTP://WWW.A.Example:80/":            "https://a.example",
		"https://www.a.example:443/x/":        "https://a.example/x",
		"https://a.example:8443/x":            "https://a.example:8443/x",
		"https://www.com/":                    "https://www.com",
		"https://a.example/index.html":        "https://a.example",
		"https://a.example/docs/index.php":    "https://a.example/docs",
		"https://a.example/docs/INDEX.HTM":    "https://a.example/docs",
		"https://a.example/index.shtml?p=1":   "https://a.example?p=1",
		"https://a.example/sitemap/index.xml": "https://a.example/sitemap",
		"https://a.example/reindex.html":      "https://a.example/reindex.html",
		"https://a.example/x//":               "https://a.example/x/",
		"https://a.example/x?":                "https://a.example/x",
		"https://a.example/x/?b=2&a=1":        "https://a.example/x?b=2&a=1",
		"https://a.example/x#part":            "https://a.example/x",
		"https://a.example/#/inbox":           "https://a.example#/inbox",
		"https://a.example/app#!/inbox/1":     "https://a.example/app#!/inbox/1",
		"https://a.example/x?u=http://b/#y":   "https://a.example/x?u=http://b/",
		"https://[2001:db8::1]:80/x":          "https://[2001:db8::1]:80/x",
		"https://bücher.example/ä":            "https://xn--bcher-kva.example/%C3%A4",
		"https://a.example/a/../b/./c":        "https://a.example/b/c",
	} {
		href, err := Target(raw)
		if err != nil {
			t.Fatal(err)
		}
		got := Key(href)
		if got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

func TestKeyPrefixes(t *testing.T) {
	for raw, want := range map[string][]string{
		"https://www.a.example/x/":   {"https://a.example/x\x00"},
		"https://a.example/*":        {"https://a.example\x00", "https://a.example/", "https://a.example?", "https://a.example#"},
		"a.example*":                 {"https://a.example\x00", "https://a.example/", "https://a.example?", "https://a.example#"},
		"http://a.example/docs/*":    {"https://a.example/docs\x00", "https://a.example/docs/", "https://a.example/docs?", "https://a.example/docs#"},
		"https://a.example/docs/v1*": {"https://a.example/docs/v1"},
		// What is no part of the key does not widen it to hosts and pages that only begin alike.
		"https://a.example/index.html*":         {"https://a.example\x00", "https://a.example?", "https://a.example#", "https://a.example/index.html"},
		"https://a.example/docs/index.php?p=1*": {"https://a.example/docs?p=1"},
		"https://a.example/x?*":                 {"https://a.example/x\x00", "https://a.example/x?"},
		"https://a.example/#part*":              {"https://a.example\x00"},
		"https://a.example/#*":                  {"https://a.example\x00", "https://a.example#"},
		"https://a.example/#!*":                 {"https://a.example\x00", "https://a.example#!"},
		"https://a.example/#/in*":               {"https://a.example#/in"},
		"https://a.example/#/*":                 {"https://a.example#/"},
	} {
		got, err := KeyPrefixes(raw)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %q", raw, got, err, want)
		}
	}
	if _, err := KeyPrefixes("*"); err == nil {
		t.Error("a bare star is taken for a URL")
	}
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{"http://www.a.example/index.html?x#/y", "https://u:p@h/", "a//..//", "a/%00$$/*", "a/index.html*"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		href, err := Target(raw)
		if err != nil {
			return
		}
		key := Key(href)
		prefixes, err := KeyPrefixes(href)
		kept := func(prefix string) bool { return strings.HasPrefix(key+KeyEnd, prefix) }
		if err != nil || !slices.ContainsFunc(prefixes, kept) || !strings.HasSuffix(href, "*") && prefixes[0] != key+KeyEnd {
			t.Errorf("%q: key %q, prefixes %q, %v", href, key, prefixes, err)
		}
	})
}

func TestHostPrefix_coversTheHost(t *testing.T) {
	for prefix, want := range map[string]string{
		"https://a.example\x00":     "https://a.example/\x00",
		"https://a.example/x\x00":   "https://a.example/\x00",
		"https://a.example/x":       "https://a.example/\x00",
		"https://a.example?q=1\x00": "https://a.example/\x00",
	} {
		if got := HostPrefix(prefix); got != want {
			t.Errorf("HostPrefix(%q) = %q, want %q", prefix, got, want)
		}
	}
}
