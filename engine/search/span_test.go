package search

import (
	"errors"
	"testing"
	"time"
)

func TestParseSpan(t *testing.T) {
	for tbs, want := range map[string]string{
		"": "", " ": "", "qdr:h": "qdr:h", "qdr:y, sbd:1": "qdr:y,sbd:1", "sbd:1": "sbd:1", "sbd:0": "",
		"cdr:1,cd_min:1/2/2026,cd_max:03/04/2026": "cdr:1,cd_min:01/02/2026,cd_max:03/04/2026",
		"cdr:1,cd_max:03/04/2026":                 "cdr:1,cd_max:03/04/2026",
	} {
		s, err := ParseSpan(tbs)
		if err != nil || s.String() != want {
			t.Errorf("%q: %q, %v", tbs, s, err)
		}
		if again, err := ParseSpan(s.String()); err != nil || again != s {
			t.Errorf("%q: again %v, %v", tbs, again, err)
		}
	}
	for _, tbs := range []string{"qdr:", "qdr:x", "qdr:d3", "cdr:1", "cdr:0,cd_min:1/2/2026", "cd_min:1/2/2026", "cdr:1,cd_min:2026-01-02", "cdr:1,cd_min:13/13/2026",
		"cdr:1,cd_min:3/4/2026,cd_max:1/2/2026", "qdr:d,cdr:1,cd_min:1/2/2026", "sbd:2", "tea", "qdr:d,"} {
		_, err := ParseSpan(tbs)
		if opt, ok := errors.AsType[*OptionError](err); !ok || opt.Field != "tbs" {
			t.Errorf("%q: %v", tbs, err)
		}
	}
}

func TestSpan_bounds(t *testing.T) {
	now := time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC)
	for tbs, want := range map[string][2]string{
		"":                        {"", ""},
		"qdr:h":                   {"2026-03-31T11", ""},
		"qdr:w":                   {"2026-03-24T12", ""},
		"qdr:y":                   {"2025-03-31T12", ""},
		"cdr:1,cd_min:03/01/2026": {"2026-03-01T00", ""},
		"cdr:1,cd_min:03/01/2026,cd_max:03/01/2026": {"2026-03-01T00", "2026-03-02T00"},
	} {
		s, err := ParseSpan(tbs)
		if err != nil {
			t.Fatal(err)
		}
		from, to := s.Bounds(now)
		for i, got := range []time.Time{from, to} {
			text := ""
			if !got.IsZero() {
				text = got.Format("2006-01-02T15")
			}
			if text != want[i] {
				t.Errorf("%q: bound %d is %s, want %s", tbs, i, text, want[i])
			}
		}
	}
}

func TestCategory(t *testing.T) {
	for _, c := range []struct {
		url  string
		want Category
	}{
		{"https://github.com/a/b", GitHub}, {"https://gist.github.com/a", GitHub}, {"https://notgithub.com/", ""}, {"https://arxiv.org/abs/1", Research},
		{"https://a.example/x.PDF?y=1", PDF}, {"https://a.example/pdf/1234", PDF}, {"https://docs.readthedocs.io/", Developer}, {"::", ""},
	} {
		if got := FirstOf(AllCategories, c.url); got != c.want {
			t.Errorf("%s: %q, want %q", c.url, got, c.want)
		}
	}
	for name, want := range map[string]Category{"PDF": PDF, "repo": Developer, " docs ": Developer, "github": GitHub} {
		if got, ok := ParseCategory(name); !ok || got != want {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
	if _, ok := ParseCategory("tea"); ok {
		t.Error("tea is a category")
	}
}

func TestWithOperators(t *testing.T) {
	for want, q := range map[string]Query{
		"x": {Text: "x"},
		"x site:github.com -site:a.example -site:b.example":  {Text: "x", Categories: []Category{GitHub}, ExcludeDomains: []string{"a.example", "b.example"}},
		"x (site:github.com OR filetype:pdf) site:a.example": {Text: "x", Categories: []Category{GitHub, PDF}, IncludeDomains: []string{"a.example"}},
		"x (site:a.example OR site:b.example)":               {Text: "x", IncludeDomains: []string{"a.example", "b.example"}},
	} {
		if got := withOperators(q); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
