package weburl

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
)

type vector struct {
	Input   string  `json:"input"`
	Base    *string `json:"base"`
	Href    string  `json:"href"`
	Failure bool    `json:"failure"`
}

// webVectors are the cases that concern links: the result is http(s), or must fail with an
// http(s) input or base.
func webVectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/urltestdata.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	var out []vector
	for _, r := range raw {
		var v vector
		if r[0] != '{' {
			continue // a comment
		}
		if err := json.Unmarshal(r, &v); err != nil {
			t.Fatal(err)
		}
		if isWeb(v) {
			out = append(out, v)
		}
	}
	return out
}

func isWeb(v vector) bool {
	if !v.Failure {
		return strings.HasPrefix(v.Href, "http:") || strings.HasPrefix(v.Href, "https:")
	}
	input := strings.ToLower(strings.TrimSpace(v.Input))
	return strings.HasPrefix(input, "http") || v.Base != nil && strings.HasPrefix(*v.Base, "http")
}

func (v vector) run() (string, error) {
	if v.Base == nil {
		return Parse(v.Input)
	}
	b, err := NewBase(*v.Base)
	if err != nil {
		return "", err
	}
	return b.Resolve(v.Input)
}

func TestResolve_allWebPlatformCases(t *testing.T) {
	vectors := webVectors(t)
	if len(vectors) != 424 {
		t.Fatalf("got %d cases, want 424", len(vectors))
	}
	for _, v := range vectors {
		got, err := v.run()
		switch {
		case v.Failure && err == nil:
			t.Errorf("%q on %v: got %q, want an error", v.Input, v.Base, got)
		case v.Failure && !errors.Is(err, ErrInvalid):
			t.Errorf("%q: error %v is not ErrInvalid", v.Input, err)
		case !v.Failure && got != v.Href:
			t.Errorf("%q on %v: got %q (%v), want %q", v.Input, v.Base, got, err, v.Href)
		}
	}
}

func TestResolve_everydayReferences(t *testing.T) {
	b, err := NewBase("https://example.com/docs/guide/start.html?v=2#top")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		"":                                     "https://example.com/docs/guide/start.html?v=2",
		"#install":                             "https://example.com/docs/guide/start.html?v=2#install",
		"?v=3":                                 "https://example.com/docs/guide/start.html?v=3",
		"next.html":                            "https://example.com/docs/guide/next.html",
		"./next.html#a":                        "https://example.com/docs/guide/next.html#a",
		"../../../up":                          "https://example.com/up",
		"/root?q=a+b&c=d/e":                    "https://example.com/root?q=a+b&c=d/e",
		"//cdn.example.org":                    "https://cdn.example.org/",
		"http://other.example?":                "http://other.example/?",
		"mailto:a@example.com":                 "mailto:a@example.com",
		" /trimmed\n":                          "https://example.com/trimmed",
		"/a b":                                 "https://example.com/a%20b",
		`/it's?it's`:                           "https://example.com/it's?it%27s",
		"HTTPS://EXAMPLE.com:443/./a/%2e%2e/b": "https://example.com/b",
		"https://bücher.example/ä":             "https://xn--bcher-kva.example/%C3%A4",
	}
	for ref, want := range cases {
		if got, err := b.Resolve(ref); got != want || err != nil {
			t.Errorf("Resolve(%q): got %q, %v, want %q", ref, got, err, want)
		}
	}
}

func TestParse_tooLongIsAnError(t *testing.T) {
	_, err := Parse("https://example.com/" + strings.Repeat("a", MaxLength))
	if !errors.Is(err, ErrTooLong) || !errors.Is(err, ErrInvalid) {
		t.Errorf("got %v, want ErrTooLong", err)
	}
}

func TestHost(t *testing.T) {
	cases := map[string]string{
		"https://user:pw@example.com:8080/a@b": "example.com:8080",
		"http://example.com?x":                 "example.com",
		"mailto:a@example.com":                 "",
	}
	for href, want := range cases {
		if got := Host(href); got != want {
			t.Errorf("Host(%q): got %q, want %q", href, got, want)
		}
	}
}

// FuzzResolve holds the fast way equal to the standard's state machine.
func FuzzResolve(f *testing.F) {
	for _, v := range webVectors(f) {
		base := "http://example.com/a/b?c#d"
		if v.Base != nil {
			base = *v.Base
		}
		f.Add(base, v.Input)
	}
	for _, ref := range []string{"../x", "./..", "a/../b", "/%2e/", "//a.b.c/", "http://a-b.example", "http://1.2.3", "x:y", ".../a", "..", "a/."} {
		f.Add("https://u:p@example.com:81/dir/sub/?q", ref)
	}
	f.Fuzz(func(t *testing.T, base, ref string) {
		b, err := NewBase(base)
		if err != nil {
			return
		}
		got, gotErr := b.Resolve(ref)
		want, wantErr := b.slow(ref)
		if got != want || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%q on %q: got %q, %v, want %q, %v", ref, base, got, gotErr, want, wantErr)
		}
		if u, err := parse(ref); err == nil {
			if got, gotErr := Parse(ref); got != u.Href(false) || gotErr != nil {
				t.Errorf("Parse(%q): got %q, %v, want %q", ref, got, gotErr, u.Href(false))
			}
		} else if got, gotErr := Parse(ref); gotErr == nil {
			t.Errorf("Parse(%q): got %q, want %v", ref, got, err)
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	base, err := NewBase("https://example.com/docs/guide/start.html")
	if err != nil {
		b.Fatal(err)
	}
	for name, ref := range map[string]string{"plain": "/products/list?page=2&sort=price", "unusual": "/pröducts/list?page=2"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := base.Resolve(ref); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
