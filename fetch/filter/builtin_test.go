package filter

import (
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

func builtinSet(t testing.TB) *Set {
	t.Helper()
	s, err := New(Options{Builtin: true})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestBuiltin_knownTrackersOnOtherSites(t *testing.T) {
	s := builtinSet(t)
	for _, host := range []string{
		"ad.doubleclick.net", "adservice.google.com", "pagead2.googlesyndication.com", "www.googletagservices.com", "www.googletagmanager.com",
		"ssl.google-analytics.com", "x.adsystem.com", "adservice.com", "ib.adnxs.com", "static.ads-twitter.com", "connect.facebook.net",
		"static.xx.fbcdn.net", "c.amazon-adsystem.com", "script.hotjar.com",
	} {
		if !s.MatchHost(host, "news.example.org") {
			t.Errorf("%s is let through", host)
		}
		if blocked, _ := s.Match(Request{URL: "https://" + host + "/x", PageHost: "news.example.org", Type: Script}); !blocked {
			t.Errorf("a script of %s is let through", host)
		}
	}
}

func TestBuiltin_ownersPagesAndOthersAreLeftAlone(t *testing.T) {
	s := builtinSet(t)
	tests := []struct{ host, page string }{
		{"static.hotjar.com", "www.hotjar.com"}, {"static.xx.fbcdn.net", "www.facebook.com"}, {"connect.facebook.net", "www.instagram.com"},
		{"notdoubleclick.net", "a.com"}, {"doubleclick.net.example.org", "a.com"}, {"www.google.com", "a.com"}, {"ajax.googleapis.com", "a.com"},
		{"www.youtube.com", "a.com"}, {"www.facebook.com", "a.com"}, {"cdn.jsdelivr.net", "a.com"}, {"yandex.ru", "a.com"}, {"doubleclick.net", ""},
	}
	for _, tt := range tests {
		if s.MatchHost(tt.host, tt.page) {
			t.Errorf("%s is blocked on %s", tt.host, tt.page)
		}
	}
}

// TestBuiltin_everyLineCounts: no line is malformed, twice there, covered by
// another, or a public suffix.
func TestBuiltin_everyLineCounts(t *testing.T) {
	hosts := map[string]bool{}
	for line := range strings.Lines(builtinText) {
		if rule := builtinRule(line); rule != "" {
			host := strings.Fields(line)[0]
			if _, why := parseRule(rule); why != "" {
				t.Errorf("%q: %s", rule, why)
			}
			if hosts[host] || host != lowerASCII(host) {
				t.Errorf("%s is there twice or not in lower case", host)
			}
			if suffix, known := publicsuffix.PublicSuffix(host); suffix == host || !known {
				t.Errorf("%s is a public suffix, or under none that is known", host)
			}
			hosts[host] = true
		}
	}
	for host := range hosts {
		for parent := parentHost(host); parent != ""; parent = parentHost(parent) {
			if hosts[parent] {
				t.Errorf("%s is covered by %s", host, parent)
			}
		}
	}
	if len(hosts) < 300 {
		t.Errorf("only %d hosts", len(hosts))
	}
	if got := len(builtinSet(t).wideHosts); got != len(hosts) {
		t.Errorf("%d hosts in the set, want %d", got, len(hosts))
	}
}
