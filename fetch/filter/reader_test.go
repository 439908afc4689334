package filter

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestNew_skippedLinesHaveReasons(t *testing.T) {
	tests := []struct {
		line string
		want Reason
	}{
		{"/banner(?!x)[0-9]+/", RegexRule},
		{"@@/banner[/", RegexRule},
		{"/(a)\\1/$script", RegexRule},
		{"/./", TooGeneral},
		{"/^https?:/$script", TooGeneral},
		{"/" + strings.Repeat("x", 4100) + "/", PatternTooLong},
		{"/banner[0-9]+/", ""},
		{"/" + strings.Repeat("[a-z/.:]{1,1000}", 2) + "q9/", PatternTooLong}, // of 200 of them one comparison took three minutes
		{"/banner[a-z]{400,1000}/", ""},
		{"/banner/$domain=/^a/", Malformed},
		{"/banner/$removeparam=/utm/", "unsupported option: removeparam"},
		{"/banner[/$]/", ""},
		{"a.com#?#div:-abp-has(.ad)", ExtendedHiding},
		{"a.com##div:has-text(ad)", ExtendedHiding},
		{"a.com#$#hide-if-contains x", StyleRule},
		{"a.com##div:style(color: red)", StyleRule},
		{"a.com##+js(set, x, 1)", Scriptlet},
		{"a.com#%#alert(1)", Scriptlet},
		{"a.com##^script:has-text(x)", MarkupRule},
		{"a.com$$script[tag-content=\"x\"]", MarkupRule},
		{"||a.com^$csp=script-src 'none'", "unsupported option: csp"},
		{"||a.com^$script,redirect=noop.js", "unsupported option: redirect"},
		{"$removeparam=utm_source", "unsupported option: removeparam"},
		{"||a.com^$elemhide", "unsupported option: elemhide"},
		{"@@||a.com^$~elemhide", "unsupported option: elemhide"},
		{"||a.com^$object", "unsupported option: no supported type"},
		{"||a.com^$script,~script", "unsupported option: no supported type"},
		{"||a.com^$hologram", UnknownOption},
		{"||a.com^$domain=", Malformed},
		{"||a.com^$domain=a..b", Malformed},
		{"||a.com^$domain=/x/", Malformed},
		{"||a.com^$domain=a.com,domain=b.com", Malformed},
		{"||a.com^$~domain=a.com", Malformed},
		{"||a.com^$domain=bücher.example", International},
		{"||bücher.example^", International},
		{"bücher.example##.ad", International},
		{"0.0.0.0 ads.com", Malformed},
		{"/x/##.ad", Malformed},
		{"a.com##", BadSelector},
		{"a.com##.ad{}", BadSelector},
		{"a..b##.ad", Malformed},
		{"*", TooGeneral},
		{"*$script", TooGeneral},
		{"a", TooGeneral},
		{"@@", ""},
		{"||a.com^$_,script,__", ""},
		{"/" + strings.Repeat("x", 1100), PatternTooLong},
		{"/" + strings.Repeat("x", 300) + "^", PatternTooLong},
	}
	for _, tt := range tests {
		s, err := New(Options{Lists: []List{{Name: "n", Source: strings.NewReader(tt.line)}}})
		if err != nil {
			t.Fatal(err)
		}
		r := s.Reports()[0]
		if tt.want == "" {
			if len(r.Skipped) > 0 {
				t.Errorf("%q was skipped: %v", tt.line, r.Skipped)
			}
			continue
		}
		if r.Skipped[tt.want] != 1 || len(r.Skipped) != 1 || r.Rules+r.Hiding != 0 {
			t.Errorf("%q: got %+v, want one %q", tt.line, r, tt.want)
		}
	}
}

func TestNew_reportCountsLines(t *testing.T) {
	text := "\ufeff[Adblock Plus 2.0]\r\n! Title: x\n\n||a.com^\r\n  ||b.com^  \n##.ad\n# a comment\n||a.com^\n" +
		"!#if env_firefox\n||c.com^\n!#if x\n!#endif\n||d.com^\n!#endif\n||e.com^"
	s, err := New(Options{Lists: []List{{Name: "first", Source: strings.NewReader(text)}, {Name: "second", Source: strings.NewReader("")}}})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("%+v", s.Reports())
	want := "[{Name:first Lines:15 Rules:3 Hiding:1 Skipped:map[conditional:2 duplicate:1] Examples:[" +
		"{Line:8 Reason:duplicate Text:||a.com^} {Line:10 Reason:conditional Text:||c.com^} {Line:13 Reason:conditional Text:||d.com^}]" +
		" Truncated:false} {Name:second Lines:0 Rules:0 Hiding:0 Skipped:map[] Examples:[] Truncated:false}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestNew_limitsHold(t *testing.T) {
	list := "||a.com^\n" + strings.Repeat("x", 200) + "\n||b.com^\n||c.com^\n"
	tests := []struct {
		name    string
		options Options
		blocked string
		want    func(Report) bool
	}{
		{"line", Options{MaxLine: 100}, "a.com b.com c.com", func(r Report) bool { return r.Skipped[LineTooLong] == 1 && r.Lines == 4 }},
		{"line just fits", Options{MaxLine: 200}, "a.com b.com c.com", func(r Report) bool { return r.Rules == 4 }},
		{"rules", Options{MaxLine: 100, MaxRules: 2}, "a.com b.com", func(r Report) bool { return r.Skipped[OverLimit] == 1 }},
		{"bytes", Options{MaxBytes: 210}, "a.com", func(r Report) bool { return r.Truncated && r.Lines == 2 }},
		{"bytes in a line", Options{MaxBytes: 215}, "a.com", func(r Report) bool { return r.Truncated && r.Lines == 2 }},
		{"bytes just fit", Options{MaxBytes: int64(len(list))}, "a.com b.com c.com", func(r Report) bool { return !r.Truncated }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.options.Lists = []List{{Name: "n", Source: iotest.OneByteReader(strings.NewReader(list))}}
			s, err := New(tt.options)
			if err != nil {
				t.Fatal(err)
			}
			var blocked []string
			for _, host := range []string{"a.com", "b.com", "c.com"} {
				if s.MatchHost(host, "x.org") {
					blocked = append(blocked, host)
				}
			}
			if got := strings.Join(blocked, " "); got != tt.blocked || !tt.want(s.Reports()[0]) {
				t.Errorf("blocked %q, want %q; report %+v", got, tt.blocked, s.Reports()[0])
			}
		})
	}
}

func TestNew_bytesAreForAllLists(t *testing.T) {
	lists := []List{{Name: "1", Source: strings.NewReader("||a.com^\n")}, {Name: "2", Source: strings.NewReader("||b.com^\n")}}
	s, err := New(Options{MaxBytes: 12, Lists: lists})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Reports(); r[0].Truncated || !r[1].Truncated || s.MatchHost("b.com", "x.org") {
		t.Errorf("reports %+v", r)
	}
}

func TestNew_tooManyGeneralRulesAreSkipped(t *testing.T) {
	var list strings.Builder
	for i := range maxGeneral + 10 {
		fmt.Fprintf(&list, "word%d\n", i)
	}
	s, err := New(Options{Lists: []List{{Source: strings.NewReader(list.String())}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Reports()[0].Skipped[TooGeneral]; got != 10 {
		t.Errorf("skipped %d, want 10", got)
	}
}

func TestNew_readErrorNamesTheList(t *testing.T) {
	broken := errors.New("disk on fire")
	source := io.MultiReader(strings.NewReader("||a.com^\n"), iotest.ErrReader(broken))
	_, err := New(Options{Lists: []List{{Name: "easy.txt", Source: source}}})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "easy.txt") {
		t.Errorf("got %v", err)
	}
}

func TestNew_optionsOutOfRangeAreErrors(t *testing.T) {
	for field, o := range map[string]Options{
		"MaxBytes": {MaxBytes: -1}, "MaxLine": {MaxLine: 1 << 30}, "MaxRules": {MaxRules: -5}, "Lists[0].Source": {Lists: []List{{Name: "x"}}},
	} {
		_, err := New(o)
		var wrong *OptionError
		if !errors.As(err, &wrong) || wrong.Field != field || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: got %v", field, err)
		}
	}
}

func TestNew_rulesForUnseenTypesAreSkipped(t *testing.T) {
	lines := "||a.com^$websocket\n||b.com^$document\n||c.com^$websocket,script\n||d.com^\n@@||e.com^$document\n"
	s, err := New(Options{Unseen: []Type{Document, WebSocket}, Lists: []List{{Name: "l", Source: strings.NewReader(lines)}}})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Reports()[0]
	if r.Rules != 3 || r.Skipped["unsupported option: websocket"] != 1 || r.Skipped["unsupported option: document"] != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestReport_asOneLine(t *testing.T) {
	lines := "||a.com^\na.com##+js(x)\nb.com##+js(x)\n||a.com^$csp=x\n##.x\n/re(?=x)/\n"
	s, err := New(Options{Lists: []List{{Name: "l.txt", Source: strings.NewReader(lines)}}})
	if err != nil {
		t.Fatal(err)
	}
	got := s.Reports()[0].Summary()
	want := "l.txt: 1 request rules, 1 hiding rules; 4 lines have no effect: scriptlet 2, unsupported option: csp 1, unsupported regular expression 1"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
