package filter

import (
	"slices"
	"strings"
	"testing"
)

func TestPageNames_longestFirst(t *testing.T) {
	tests := []struct {
		host     string
		entities bool
		want     string
	}{
		{"www.a.co.uk", false, "www.a.co.uk a.co.uk co.uk uk"},
		{"www.a.co.uk", true, "www.a.co.uk www.a.* a.co.uk a.* co.uk uk"},
		{"co.uk", true, "co.uk uk"},
		{"localhost", true, "localhost"},
		{"192.0.2.1", true, "192.0.2.1 0.2.1 2.1 1"},
		{"", true, ""},
	}
	for _, tt := range tests {
		if got := pageNames(tt.host, tt.entities); !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("pageNames(%q, %v) = %q, want %q", tt.host, tt.entities, got, tt.want)
		}
	}
}

func TestSiteOf_byPublicSuffix(t *testing.T) {
	tests := map[string]string{
		"a.b.example.co.uk": "example.co.uk", "x.github.io": "x.github.io", "github.io": "github.io", "localhost": "localhost",
		"192.0.2.1": "192.0.2.1", "[::1]": "[::1]", "a.1": "a.1", "": "",
	}
	for host, want := range tests {
		if got := siteOf(host); got != want {
			t.Errorf("siteOf(%q) = %q, want %q", host, got, want)
		}
	}
}

func TestNormalHost_portDotCase(t *testing.T) {
	tests := map[string]string{
		"A.com": "a.com", "a.com.": "a.com", "a.com:80": "a.com", "[::1]:80": "[::1]", "[::1]": "[::1]", "::1": "::1", ":80": "", "": "",
		strings.Repeat("a", 254): "",
	}
	for host, want := range tests {
		if got := normalHost(host); got != want {
			t.Errorf("normalHost(%q) = %q, want %q", host, got, want)
		}
	}
}
