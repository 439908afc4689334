package mapping

import "testing"

func TestPathFilter(t *testing.T) {
	for _, c := range []struct{ asked, base, want string }{
		{"https://a.example/", "https://a.example/", ""},
		{"https://a.example/", "https://a.example/en/", ""},
		{"https://a.example/docs", "https://a.example/docs", "/docs"},
		{"https://a.example/docs/?x=/y#z", "https://a.example/docs/", "/docs"},
		{"https://a.example/docs/index.html", "https://a.example/docs/index.html", "/docs"},
		{"https://a.example/docs/v1.2", "https://a.example/docs/v1.2", "/docs/v1.2"},
		{"https://a.example/.well-known", "https://a.example/.well-known", "/.well-known"},
		{"https://a.example/index.html", "https://a.example/index.html", ""},
		{"https://a.example/docs", "https://a.example/docs/latest/", "/docs"},
		{"https://a.example/docs", "https://www.a.example/docs/latest/", "/docs"},
		{"https://a.example/docs", "https://a.example/handbook/", "/handbook"},
		{"https://a.example/docs", "https://b.example/handbook/", "/handbook"},
		{"https://a.example/docs", "https://b.example/", ""},
		{"https://a.example/file.", "https://a.example/file.", "/file."},
	} {
		if got := pathFilter(c.asked, c.base); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.asked, c.base, got, c.want)
		}
	}
}

func TestUnder(t *testing.T) {
	for path, want := range map[string]bool{"/docs": true, "/docs/": true, "/docs/a": true, "/docs-old": false, "/doc": false, "/": false, "/a/docs": false} {
		if got := under("/docs", path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}

func TestBareSlash(t *testing.T) {
	for href, want := range map[string]string{
		"https://a.example/":      "https://a.example/",
		"https://a.example/b/":    "https://a.example/b",
		"https://a.example/b//":   "https://a.example/b",
		"https://a.example/b/?x":  "https://a.example/b/?x",
		"https://a.example/b/#/x": "https://a.example/b/#/x",
		"https://a.example/b":     "https://a.example/b",
		"https://a.example//":     "https://a.example/",
	} {
		if got := bareSlash(href); got != want {
			t.Errorf("%s: %s, want %s", href, got, want)
		}
	}
}

func TestIsBase(t *testing.T) {
	for href, want := range map[string]bool{
		"https://a.example/": true, "https://www.a.example/": true, "http://a.co.uk:8080/": true, "http://192.0.2.1/": true, "http://intranet/": true,
		"https://u:p@a.example/": true, "https://b.a.example/": false, "https://a.example/x": false, "https://a.example/?x": false,
	} {
		if got := isBase(href); got != want {
			t.Errorf("%s: %t", href, got)
		}
	}
}

func TestWithoutUser(t *testing.T) {
	for href, want := range map[string]string{
		"https://u:p@a.example/x@y": "https://a.example/x@y", "https://a.example/x@y": "https://a.example/x@y", "http://u@a.example:81/": "http://a.example:81/",
	} {
		if got := withoutUser(href); got != want {
			t.Errorf("%s: %s", href, got)
		}
	}
}
