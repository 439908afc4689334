package page

import "testing"

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{"barley": "barl", "äöü": "äö", "a\xffb": "ab", "": "", "日本語": "日"} {
		if got := Shorten(text, 4); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
