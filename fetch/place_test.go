package fetch

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSameOrigin(t *testing.T) {
	for _, test := range []struct {
		from, to string
		same     bool
	}{
		{"http://a.example/", "http://a.example/x", true},
		{"http://a.example/", "http://A.example:80/x", true},
		{"http://a.example/", "https://a.example/", true}, // the upgrade
		{"http://a.example:80/", "https://a.example:443/", true},
		{"https://a.example/", "http://a.example/", false},
		{"http://a.example:8080/", "https://a.example/", false},
		{"http://a.example:8080/", "https://a.example:8080/", false},
		{"http://a.example/", "https://a.example:444/", false},
		{"http://a.example/", "http://a.example:0/", false},
		{"http://a.example/", "http://a.example:8080/", false},
		{"http://a.example/", "http://www.a.example/", false},
		{"https://a.example/", "https://a.example.evil.example/", false},
		{"https://a.example/", "https://a.example@evil.example/", false},
		{"https://a.example/", "https://a.example./", false},
		{"https://bücher.example/", "https://xn--bcher-kva.example/", true},
		{"http://127.0.0.1/", "http://0x7f.1/", true},
	} {
		from, err1 := parsePlace(test.from)
		to, err2 := parsePlace(test.to)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if got := from.sameOrigin(to); got != test.same {
			t.Errorf("%s to %s: %v, want %v", test.from, test.to, got, test.same)
		}
	}
}

func TestPlace_locationsThatAreNotUTF8(t *testing.T) {
	p, err := parsePlace("http://a.example/x/y#old")
	if err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]string{
		"/caf\xe9":  "http://a.example/caf%E9#old",
		"/café":     "http://a.example/caf%C3%A9#old",
		"z#":        "http://a.example/x/z#",
		"z#new":     "http://a.example/x/z#new",
		"//b:81/\\": "http://b:81//#old",
	} {
		next, err := p.next(location)
		if err != nil || next.href() != want {
			t.Errorf("%q: %v %v, want %s", location, next, err, want)
		}
	}
	if _, err := p.next(strings.Repeat("x", maxURL+1)); err == nil {
		t.Error("a Location over the limit was accepted")
	}
	if _, err := p.next("/" + strings.Repeat("x", maxURL-10)); err != nil {
		t.Errorf("a long path was refused: %v", err)
	}
}

// The parser would take minutes for each of them.
func TestPlace_longAuthoritiesAreNotParsed(t *testing.T) {
	long := strings.Repeat("a@", maxURL/2-16)
	p, err := parsePlace("http://a.example/")
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"http://", "http:", "http:////", "HTTPS:\\\\", "//", "\\\\", "/\t/", " //", "\x01http://", "/\n\\"} {
		if _, err := p.next(before + long); !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v, want ErrURL", before, err)
		}
		if _, err := parsePlace(before + long); !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v, want ErrURL", before, err)
		}
	}
}

func FuzzPlace_next(f *testing.F) {
	for _, s := range []string{"/x", "//b.example", "?q=\xe9", "http://[::1]:80/%zz", "https:\\\\a", "mailto:x", "/a|b", "///", "http://a:0/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, location string) {
		p, err := parsePlace("http://user:pw@a.example/x#f")
		if err != nil {
			t.Fatal(err)
		}
		next, err := p.next(location)
		if err != nil {
			return
		}
		href := next.href()
		if !utf8.ValidString(href) || strings.ContainsAny(href, "\r\n\t ") && !strings.Contains(href, "#") {
			t.Errorf("%q led to %q", location, href)
		}
		if uri := next.wire.RequestURI(); strings.ContainsAny(uri, "\r\n ") || !strings.HasPrefix(uri, "/") {
			t.Errorf("%q makes the request line %q", location, uri)
		}
		if next.wire.Scheme != "http" && next.wire.Scheme != "https" || next.wire.Host == "" {
			t.Errorf("%q led to %q", location, next.wire)
		}
	})
}
