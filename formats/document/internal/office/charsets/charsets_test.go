package charsets

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
)

func TestDetectWide_apostrophesAndQuotesOfWesternTextsAreNone(t *testing.T) {
	for _, text := range []string{"don’t can’t won’t isn’t he’s", "été, déjà, où, ça, naïve, cœur", "“a” – ‘b’ … “c”", "Größe Maße Füße Öl Äpfel"} {
		body, err := charmap.Windows1252.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := detectWide(body); got != "" {
			t.Errorf("%s: got %s", text, got)
		}
	}
}
