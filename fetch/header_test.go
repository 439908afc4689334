package fetch

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestValidateHeader(t *testing.T) {
	long := strings.Repeat("x", maxHeaderValue)
	for _, test := range []struct {
		name, value string
		ok          bool
	}{
		{"X-Key", "v", true},
		{"x-key", "", true},
		{"Cookie", "a=1; b=2", true},
		{"Authorization", "Bearer x", true},
		{"User-Agent", "Mozilla/5.0 (ü)", true},
		{"Accept-Encoding", "identity", true},
		{"X-Key", "a\tb", true},
		{"X-Key", long, true},
		{"X-Key", long + "x", false},
		{"Host", "a", false},
		{"hOsT", "a", false},
		{"Connection", "close", false},
		{"Keep-Alive", "1", false},
		{"TE", "trailers", false},
		{"Trailer", "x", false},
		{"Transfer-Encoding", "chunked", false},
		{"Upgrade", "h2c", false},
		{"HTTP2-Settings", "x", false},
		{"Content-Length", "0", false},
		{"Proxy-Authorization", "x", false},
		{"proxy-anything", "x", false},
		{"", "x", false},
		{"A B", "x", false},
		{"A:", "x", false},
		{"Ä", "x", false},
		{":authority", "x", false},
		{"X-Key", "a\r\nHost: b", false},
		{"X-Key", "a\nb", false},
		{"X-Key", "a\x00b", false},
	} {
		err := ValidateHeader(test.name, test.value)
		var e *HeaderError
		if (err == nil) != test.ok || err != nil && (!errors.As(err, &e) || e.Name != test.name) {
			t.Errorf("%q: %.20q: %v, want ok %v", test.name, test.value, err, test.ok)
		}
		if err != nil && test.value != "" && len(test.value) > 1 && strings.Contains(err.Error(), test.value) {
			t.Errorf("%v shows the value", err)
		}
	}
}

func FuzzValidateHeader(f *testing.F) {
	f.Add("X-Key", "value")
	f.Add("Host", "a")
	f.Add("proxy-x", "\r\n")
	f.Fuzz(func(t *testing.T, name, value string) {
		if ValidateHeader(name, value) != nil {
			return
		}
		if strings.ContainsAny(name+value, "\r\n\x00") || name == "" || strings.ContainsAny(name, ": ") {
			t.Errorf("%q: %q was accepted", name, value)
		}
		for _, bad := range []string{"Host", "Connection", "Transfer-Encoding", "Content-Length"} {
			if strings.EqualFold(name, bad) || strings.HasPrefix(http.CanonicalHeaderKey(name), "Proxy-") {
				t.Errorf("%q was accepted", name)
			}
		}
	})
}
