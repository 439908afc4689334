package pagestore

import (
	"slices"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/page"
)

func TestStored_bytesRoundTrip(t *testing.T) {
	for name, src := range map[string]*page.Page{
		"page":            {Body: []byte("<p>x</p>")},
		"with screenshot": {Body: []byte("x"), Screenshot: page.Image{MediaType: "image/png", Bytes: []byte{0x89, 1, 2}}},
		"empty":           {},
	} {
		got := &page.Page{}
		if err := decodeBody(encodeBody(src), got); err != nil || !slices.Equal(got.Body, src.Body) || got.Screenshot.MediaType != src.Screenshot.MediaType || !slices.Equal(got.Screenshot.Bytes, src.Screenshot.Bytes) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Whatever stands in a file, reading it is an error at worst.
func FuzzDecodeStored(f *testing.F) {
	f.Add([]byte(`{"url":"https://a.example/","status":200}`), encodeBody(&page.Page{Body: []byte("x")}))
	f.Add([]byte(`{`), []byte{bodyFormat, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, meta, body []byte) {
		src := &page.Page{}
		if m, err := decodeStored(meta); err == nil {
			src = m.restore()
		}
		if decodeBody(body, src) == nil && len(src.Body)+len(src.Screenshot.Bytes) > len(body) {
			t.Error("more came out than went in")
		}
	})
}
