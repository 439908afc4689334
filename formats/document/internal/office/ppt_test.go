package office

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"
)

func oldSlidesSample(t *testing.T, name string) []byte {
	t.Helper()
	body, err := os.ReadFile("testdata/golden/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestPPT_structureOfSlides(t *testing.T) {
	warned(t, PPT, oldSlidesSample(t, "marks.ppt"), "<h2>Grain and malt</h2><ul><li>Barley<ul><li>of winter — Gerste</li></ul></li><li>Wheat</li></ul>"+
		"<h3>Notes</h3><p>Speak of rye, too.</p><h2>Prices</h2><table><tr><td>Grain</td><td>Price</td></tr><tr><td></td><td>12</td></tr></table>"+
		"<h2>A picture</h2><p>x</p>", "Pictures, drawings and objects were left out: 1 picture.")
	warned(t, PPT, oldSlidesSample(t, "hidden.ppt"), "<h2>Slide 1</h2><p>A free text<br>in two lines</p>",
		"Hidden slides were left out.", "Comments were left out: 1 comment.")
}

func TestPPT_refusals(t *testing.T) {
	body := oldSlidesSample(t, "marks.ppt")
	at := bytes.Index(body, []byte{0x5F, 0xC0, 0x91, 0xE3})
	encrypted := slices.Clone(body)
	copy(encrypted[at:], []byte{0xDF, 0xC4, 0xD1, 0xF3})
	if _, err := PPT(t.Context(), encrypted, Options{}); !errors.Is(err, ErrEncrypted) {
		t.Errorf("encrypted: got %v", err)
	}
	clear(body[at : at+8])
	if _, err := PPT(t.Context(), body, Options{}); !errors.As(err, new(*DamagedError)) {
		t.Errorf("no edit: got %v", err)
	}
	doc, err := PPT(t.Context(), oldSlidesSample(t, "marks.ppt"), Options{Limits: Limits{Pages: 1, Cells: 1}})
	if err != nil || doc.Slides != 1 || !slices.Contains(doc.Warnings, "The presentation has more slides than the limit; the rest was left out.") {
		t.Errorf("slides: got %+v, %v", doc, err)
	}
}
