package clip

import "testing"

func TestBytes(t *testing.T) {
	for text, want := range map[string]string{"": "", "abcd": "abcd", "abcde": "abcd", "abcé": "abc", "a\xffbcd": "abc", "a\xffb": "ab", "ééé": "éé", "日本語": "日"} {
		if got := Bytes(text, 4); got != want {
			t.Errorf("Bytes(%q, 4) = %q, want %q", text, got, want)
		}
	}
}

func TestRunes(t *testing.T) {
	for text, want := range map[string]string{"": "", "éé": "éé", "ééé": "éé"} {
		if got := Runes(text, 2); got != want {
			t.Errorf("Runes(%q, 2) = %q, want %q", text, got, want)
		}
	}
}
