package charset

import (
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// Sent undoes what Chromium does: it decodes texts by their header, others as windows-1252, and JSON, XML and scripts as UTF-8.
func TestSent(t *testing.T) {
	for _, test := range []struct{ contentType, sent, decodedBy string }{
		{"text/plain", "plain", "windows-1252"}, {"text/plain", "caf\xe9 \x81\x9d", "windows-1252"}, {"text/plain", "Жук", "windows-1252"},
		{"", "\xd6\xd5\xcb", "windows-1252"}, {"text/css", "Жук", "windows-1252"}, {"application/json", `"é Жук"`, "utf-8"}, {"text/xml", "<a>é</a>", "utf-8"},
		{"text/plain; charset=koi8-r", "\xd6\xd5\xcb", "koi8-r"}, {"application/json; charset=shift_jis", "\x83j\x83\x83", "shift_jis"},
		{"text/plain; charset=utf-8", "Жук", "utf-8"}, {"text/plain; charset=windows-1253", "\xc1\x81", "windows-1253"}, {"text/plain; charset=nonsense", "Жук", "utf-8"},
		{"application/zip", "\xc3\xa9", "utf-8"}, {"text/plain", "\xff\xfe", "utf-8"},
	} {
		decoded := []byte(test.sent)
		if test.decodedBy != "utf-8" {
			e, err := htmlindex.Get(test.decodedBy)
			if err != nil {
				t.Fatal(err)
			}
			decoded = nil
			for _, b := range []byte(test.sent) {
				one, _ := e.NewDecoder().Bytes([]byte{b})
				if string(one) == "\ufffd" && b < 0xa0 { // as the standard says
					one = []byte(string(rune(b)))
				}
				decoded = append(decoded, one...)
			}
			if test.decodedBy == "shift_jis" {
				decoded, _ = e.NewDecoder().Bytes([]byte(test.sent))
			}
		}
		if got := Sent(test.contentType, decoded); string(got) != test.sent {
			t.Errorf("%s: got %q, want %q", test.contentType, got, test.sent)
		}
	}
}
