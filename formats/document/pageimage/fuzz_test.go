package pageimage

import (
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/pdf/pdftest"
)

// FuzzDraw draws what any bytes show, within the bounds, and goes on whatever they are.
func FuzzDraw(f *testing.F) {
	for _, seed := range [][]byte{boxes(), pdftest.ThreePages(), pdftest.Text("low water"), []byte("%PDF-1.7\n")} {
		f.Add(seed)
	}
	r := bounded(f, Options{Pixels: 40_000, Timeout: 50 * time.Millisecond, AtOnce: 1})
	f.Fuzz(func(t *testing.T, body []byte) {
		file, err := r.Open(t.Context(), body, "")
		if err != nil {
			return
		}
		defer file.Close()
		for page := 1; page <= min(file.NumPages(), 3); page++ {
			picture, err := file.Draw(t.Context(), page, View{})
			if (picture == nil) != (err != nil) {
				t.Errorf("page %d: a picture %t, and %v", page, picture != nil, err)
			} else if err == nil && picture.Rect.Dx()*picture.Rect.Dy() > 40_000 {
				t.Errorf("page %d: %v", page, picture.Rect)
			}
			file.Text(t.Context(), page)
		}
	})
}
