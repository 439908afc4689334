package weburl

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestTarget(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"https://example.com", "https://example.com/"},
		{"  https://example.com/a b ", "https://example.com/a%20b"},
		{"example.com/x?q=1#top", "http://example.com/x?q=1#top"},
		{"example.com:8080/x", "http://example.com:8080/x"},
		{"localhost:8080", "http://localhost:8080/"},
		{"HTTPS://Example.COM:443/%7Ea", "https://example.com/%7Ea"},
		{"http:example.com", "http://example.com/"},
		{"https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4"},
		{"https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"},
		{"http://127.0.0.1:80/", "http://127.0.0.1/"},
		{"http://[::1]:8080/", "http://[::1]:8080/"},
		{"http://0x7f.1/", "http://127.0.0.1/"},
		{"http://intranet/wiki", "http://intranet/wiki"},
		{"http://user:pw@example.com/", "http://user:pw@example.com/"},
		{"https://example.com/?u=https://other.example/", "https://example.com/?u=https://other.example/"},
	} {
		got, err := Target(c.in)
		if err != nil || got != c.want {
			t.Errorf("Target(%q) = %q, %v; want %q", c.in, got, err, c.want)
		}
	}
}

func TestTarget_refusesWhatIsNoWebAddress(t *testing.T) {
	for _, in := range []string{
		"", "   ", "https://", "http://", "https://https://example.com", "http:http://example.com", "ftp://example.com/",
		"file:///etc/passwd", "javascript:alert(1)", "mailto:a@example.com", "data:text/html,x", "about:blank",
		"http://exa mple.com/", "http://[::1", "http://example.com:99999/", "http://a..b/", "http://./", "//", "?q", "#x",
		"http://example.com/" + strings.Repeat("a", MaxLength),
	} {
		got, err := Target(in)
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("Target(%.40q) = %.40q, %v; want ErrInvalid", in, got, err)
		}
	}
}

func FuzzTarget(f *testing.F) {
	for _, s := range []string{"example.com", "https://a.example/ü?x#y", "http:\\\\x", "http://[::1]:1/", "1:2", "a:b@c", "\x00", "http://xn--/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		href, err := Target(in)
		if err != nil {
			return
		}
		u, err := url.Parse(href)
		if err != nil {
			return // WHATWG accepts paths that net/url doesn't; fetch refuses those itself
		}
		if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			t.Errorf("Target(%q) = %q", in, href)
		}
		if again, err := Target(href); err != nil || again != href {
			t.Errorf("Target(%q) = %q, and of that %q, %v", in, href, again, err)
		}
	})
}

// net/url refuses some URLs that browsers, and so Target, accept: whose host it
// is, and whether a password is in it, must be seen all the same.
func TestHostname_ofEveryAcceptedURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://a.example/%zz":            "a.example a.example:443 false",
		"http://u:p@a.example:81/%0?%":     "a.example a.example:81 true",
		"http://@a.example/":               "a.example a.example:80 false",
		"http://[::1]/@":                   "::1 [::1]:80 false",
		"https://[::1]:8443/%":             "::1 [::1]:8443 false",
		"http://a.example/?http://u@b.c:9": "a.example a.example:80 false",
	} {
		href, err := Target(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(Hostname(href), " ", HostPort(href), " ", HasCredentials(href)); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
