package scope

import (
	"errors"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/weburl"
)

func TestNew_refusesWhatItCannotHonour(t *testing.T) {
	const seed = "https://example.com/"
	many := func(n int) []string { return slices.Repeat([]string{"a"}, n) }
	cases := []struct {
		name, field string
		options     Options
	}{
		{"no seed", "url", Options{}},
		{"relative seed", "url", Options{Seed: "/docs"}},
		{"seed of no web protocol", "url", Options{Seed: "ftp://example.com/"}},
		{"negative maxDepth", "maxDepth", Options{Seed: seed, MaxDepth: new(-1)}},
		{"negative maxDiscoveryDepth", "maxDiscoveryDepth", Options{Seed: seed, MaxDiscoveryDepth: new(-1)}},
		{"bad include", "includePaths[1]", Options{Seed: seed, IncludePaths: []string{"a", "("}}},
		{"bad exclude", "excludePaths[0]", Options{Seed: seed, ExcludePaths: []string{"[z-a]"}}},
		{"look-around", "excludePaths[0]", Options{Seed: seed, ExcludePaths: []string{"(?!a)"}}},
		{"too many", "includePaths", Options{Seed: seed, IncludePaths: many(1001)}},
		{"too many together", "excludePaths", Options{Seed: seed, IncludePaths: many(500), ExcludePaths: many(501)}},
		{"too long", "includePaths[0]", Options{Seed: seed, IncludePaths: []string{strings.Repeat("a", 2001)}}},
		{"too long together", "includePaths[50]", Options{Seed: seed, IncludePaths: append(slices.Repeat([]string{strings.Repeat("a", 2000)}, 50), "a")}},
		{"too costly", "includePaths[0]", Options{Seed: seed, IncludePaths: []string{strings.Repeat("a{1000}", 250)}}},
	}
	for _, c := range cases {
		s, err := New(c.options)
		e, ok := errors.AsType[*OptionError](err)
		if !ok || e.Field != c.field || s != nil {
			t.Errorf("%s: got %v, want an error of %s", c.name, err, c.field)
			continue
		}
		if text := err.Error(); !strings.HasPrefix(text, c.field+" ") || len(text) > 400 {
			t.Errorf("%s: %d bytes: %s", c.name, len(text), text)
		}
	}
}

func TestNew_errorsKeepTheirCause(t *testing.T) {
	_, err := New(Options{Seed: "https://["})
	if !errors.Is(err, weburl.ErrInvalid) {
		t.Errorf("got %v", err)
	}
	_, err = New(Options{Seed: "https://example.com", IncludePaths: []string{"a**"}})
	if cause, ok := errors.AsType[*syntax.Error](err); !ok || cause.Code != syntax.ErrInvalidRepeatOp {
		t.Errorf("got %v", err)
	}
}

func TestNew_takesAsMuchAsItSays(t *testing.T) {
	o := Options{Seed: "https://example.com/", IncludePaths: slices.Repeat([]string{strings.Repeat("ü", 2000)}, 50), ExcludePaths: nil}
	if _, err := New(o); err != nil {
		t.Error(err)
	}
	o = Options{Seed: "https://example.com/", IncludePaths: slices.Repeat([]string{"a"}, 500), ExcludePaths: slices.Repeat([]string{"b"}, 500), MaxDepth: new(0)}
	if _, err := New(o); err != nil {
		t.Error(err)
	}
}

func TestJudge_patterns(t *testing.T) {
	cases := []struct {
		name    string
		options Options
		path    string
		want    Reason
	}{
		{"unanchored", Options{IncludePaths: []string{"blog"}}, "/my-blog/a", ""},
		{"anchored", Options{IncludePaths: []string{"^/blog$"}}, "/blog/a", IncludePattern},
		{"case counts", Options{IncludePaths: []string{"blog"}}, "/Blog", IncludePattern},
		{"case ignored", Options{IncludePaths: []string{"(?i)blog"}}, "/Blog", ""},
		{"any of several", Options{IncludePaths: []string{"x", "b"}}, "/b", ""},
		{"not the query", Options{IncludePaths: []string{"q=1"}}, "/a?q=1", IncludePattern},
		{"not the host", Options{ExcludePaths: []string{"example"}}, "/a", ""},
		{"exclude first", Options{IncludePaths: []string{"a"}, ExcludePaths: []string{"a"}}, "/a", ExcludePattern},
		{"full URL, query", Options{IncludePaths: []string{"[?]q=1$"}, RegexOnFullURL: true}, "/a?q=1", ""},
		{"full URL, host", Options{ExcludePaths: []string{"^https://example[.]com/a"}, RegexOnFullURL: true}, "/a", ExcludePattern},
		{"full URL, anchored path", Options{IncludePaths: []string{"^/a"}, RegexOnFullURL: true}, "/a", IncludePattern},
		{"full URL, route", Options{IncludePaths: []string{"#/a$"}, RegexOnFullURL: true}, "/#/a", ""},
		{"letters beyond ASCII as they read", Options{IncludePaths: []string{"^/bücher/"}}, "/bücher/a", ""},
		{"letters beyond ASCII as they are sent", Options{IncludePaths: []string{"%C3%BC"}}, "/bücher/a", ""},
		{"exclude either way", Options{ExcludePaths: []string{"a b"}}, "/a%20b", ExcludePattern},
		{"bytes that are no text", Options{IncludePaths: []string{"^/%FF$"}}, "/%FF", ""},
		{"stray percent sign", Options{IncludePaths: []string{"^/100%$"}}, "/100%", ""},
		{"empty pattern", Options{ExcludePaths: []string{""}}, "/a", ExcludePattern},
	}
	for _, c := range cases {
		s := mustNew(t, c.options)
		if v := s.Judge(Link{URL: "https://example.com" + c.path, From: "https://example.com/"}); v.Reason != c.want {
			t.Errorf("%s: got %q (%s), want %q", c.name, v.Reason, v.Detail, c.want)
		}
	}
}

func TestJudge_patternsDontSeeCredentials(t *testing.T) {
	s := mustNew(t, Options{Seed: "https://bad:bad@example.com/", ExcludePaths: []string{"bad"}, RegexOnFullURL: true})
	v := s.Judge(Link{URL: "https://bad:bad@example.com/a", From: "https://example.com/"})
	if v.URL != "https://bad:bad@example.com/a" || v.Key != "https://example.com/a" {
		t.Errorf("got %+v", v)
	}
}
