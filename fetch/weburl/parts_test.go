package weburl

import "testing"

func TestSameOrigin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"https://a.example/x", "https://a.example/y?z", true},
		{"https://u:p@a.example/x", "https://a.example/", true},
		{"http://a.example/", "https://a.example/", true},
		{"https://a.example/", "http://a.example/", false},
		{"http://a.example:8080/", "https://a.example:8080/", false},
		{"http://a.example/", "https://a.example:8443/", false},
		{"http://[::1]/", "https://[::1]/", true},
		{"https://a.example/", "https://www.a.example/", false},
		{"https://a.example/", "https://a.example:8443/", false},
	} {
		if got := SameOrigin(c.a, c.b); got != c.want {
			t.Errorf("%s, %s: %t", c.a, c.b, got)
		}
	}
}
