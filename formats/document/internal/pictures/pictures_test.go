package pictures

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"
)

// encoded is a picture of w by h pixels.
func encoded(tb testing.TB, encode func(io.Writer, image.Image) error, w, h int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := encode(&b, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black, color.White})); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func asJPEG(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }
func asGIF(w io.Writer, m image.Image) error  { return gif.Encode(w, m, nil) }

// huge is a PNG that claims more pixels than it has.
func huge(tb testing.TB, w, h uint32) []byte {
	b := encoded(tb, png.Encode, 2, 2)
	binary.BigEndian.PutUint32(b[16:], w)
	binary.BigEndian.PutUint32(b[20:], h)
	return b
}

const plainSVG = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd">` +
	`<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><a href="https://example.org/on"><rect width="4"/></a></svg>`

// bmp, webP and avif are the beginnings of such pictures, of 3 by 5 pixels.
var (
	bmp  = "BM" + strings.Repeat("\x00", 12) + "\x28\x00\x00\x00" + "\x03\x00\x00\x00" + "\xFB\xFF\xFF\xFF" + "\x00"
	webP = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x02\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	avif = "\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1miaf" + "\x00\x00\x00\x14ispe\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x05"
)

func TestInspect_goesByContent(t *testing.T) {
	for name, c := range map[string]struct{ body, media, why string }{
		"PNG":              {string(encoded(t, png.Encode, 3, 5)), "image/png", ""},
		"JPEG":             {string(encoded(t, asJPEG, 3, 5)), "image/jpeg", ""},
		"GIF":              {string(encoded(t, asGIF, 3, 5)), "image/gif", ""},
		"WebP":             {webP, "image/webp", ""},
		"AVIF":             {avif, "image/avif", ""},
		"BMP":              {bmp, "image/bmp", ""},
		"SVG":              {plainSVG, "image/svg+xml", ""},
		"EMF":              {"\x01\x00\x00\x00\x6c\x00\x00\x00" + strings.Repeat("\x00", 32) + " EMF", "", Kind},
		"WMF":              {"\xd7\xcd\xc6\x9a\x00\x00", "", Kind},
		"TIFF":             {"II*\x00\x08\x00\x00\x00", "", Kind},
		"JPEG 2000":        {"\x00\x00\x00\x0CjP  \r\n\x87\n", "", Kind},
		"a page":           {"<html><p>svg</p></html>", "", Kind},
		"nothing":          {"", "", Kind},
		"a cut-off PNG":    {"\x89PNG\r\n\x1a\n\x00\x00", "", Damaged},
		"a cut-off JPEG":   {"\xFF\xD8\xFF\xE0\x00\x10JFIF", "", Damaged},
		"no pixels":        {string(huge(t, 0, 7)), "", Damaged},
		"too many pixels":  {string(huge(t, 20_000, 20_000)), "", Large},
		"sides of 2³² - 1": {string(huge(t, 1<<32-1, 1<<32-1)), "", Large},
	} {
		media, why := inspect([]byte(c.body))
		if media != c.media && why == "" || why != c.why {
			t.Errorf("%s: got %q, %q, want %q, %q", name, media, why, c.media, c.why)
		}
	}
}

func TestSizes(t *testing.T) {
	for name, body := range map[string]string{
		"png": string(encoded(t, png.Encode, 3, 5)), "jpeg": string(encoded(t, asJPEG, 3, 5)), "gif": string(encoded(t, asGIF, 3, 5)),
		"webp": webP, "avif": avif, "bmp": bmp,
	} {
		_, size := kindOf([]byte(body))
		if w, h := size([]byte(body)); w != 3 || h != 5 {
			t.Errorf("%s: got %d by %d", name, w, h)
		}
	}
}

func TestInspectSVG_leavesOutWhatActs(t *testing.T) {
	for name, c := range map[string]struct{ inside, why string }{
		"a script":                     {`<script>alert(1)</script>`, Script},
		"one with a prefix":            {`<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>`, Script},
		"a handler":                    {`<rect onclick="alert(1)"/>`, Script},
		"in capitals":                  {`<rect OnLoad="alert(1)"/>`, Script},
		"a link to a script":           {`<a href="javascript:alert(1)"/>`, Script},
		"spelled otherwise":            {`<a xlink:href=" &#106;ava&#10;Script:alert(1)"/>`, Script},
		"set by an animation":          {`<set attributeName="href" to="javascript:alert(1)"/>`, Script},
		"a page inside":                {`<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>`, Script},
		"a page as data":               {`<use href="data:text/html,x"/>`, Script},
		"a picture inside":             {`<image href="data:image/png;base64,AAAA"/>`, ""},
		"a style sheet":                {`<?xml-stylesheet href="x.xsl"?>`, Script},
		"an entity":                    {`&lol;`, Damaged},
		"no XML":                       {`<a href=x>`, Damaged},
		"text that only speaks of one": {`<text>on click = script</text>`, ""},
	} {
		if _, why := inspect([]byte("<svg>" + c.inside + "</svg>")); why != c.why {
			t.Errorf("%s: got %q, want %q", name, why, c.why)
		}
	}
	for name, body := range map[string]string{
		"entities": `<!DOCTYPE svg [<!ENTITY a "b">]><svg/>`, "another root": `<x><svg/></x>`, "only space": "<!-- svg -->",
		"another encoding": `<?xml version="1.0" encoding="UTF-16"?><svg/>`, "too long": "<svg>" + strings.Repeat(" ", maxSVG) + "</svg>",
	} {
		if _, why := inspect([]byte(body)); why == "" {
			t.Errorf("%s: kept", name)
		}
	}
}

// keeper keeps pictures under addresses that count up.
type keeper struct {
	kept []Picture
	err  error
}

func (k *keeper) keep(p Picture) (string, error) {
	k.kept = append(k.kept, p)
	return "pic" + string(rune('0'+len(k.kept))), k.err
}

func TestSet_keepsEachPictureOnce(t *testing.T) {
	k := &keeper{}
	s := New(k.keep, Limits{Count: 2, Bytes: 1 << 20})
	a, b := encoded(t, png.Encode, 2, 2), encoded(t, asGIF, 2, 2)
	got := []string{s.Add("1.png", a), s.Add("2.gif", b), s.Add("3.png", bytes.Clone(a)), s.Add("4.emf", []byte("x")), s.Add("5.jpg", encoded(t, asJPEG, 2, 2))}
	if want := []string{"pic1", "pic2", "pic1", "", ""}; !slices.Equal(got, want) || len(k.kept) != 2 {
		t.Errorf("got %q, %d kept", got, len(k.kept))
	}
	if p := k.kept[0]; p.MediaType != "image/png" || !bytes.Equal(p.Body, a) || len(p.Hash) != 64 {
		t.Errorf("got %+v", p)
	}
	want := []string{"Pictures were left out (of kinds that browsers don't show): 4.emf.", "Pictures were left out (more than is kept of one file): 5.jpg."}
	if got := s.Warnings(); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestSet_bounds(t *testing.T) {
	a := encoded(t, png.Encode, 2, 2)
	k := &keeper{}
	s := New(k.keep, Limits{Count: 9, Bytes: int64(len(a)) + 1})
	if s.Add("1", a) == "" || s.Add("2", encoded(t, png.Encode, 3, 3)) != "" || s.Add("3", []byte("x")) != "" {
		t.Errorf("bytes: %d kept", len(k.kept))
	}
	s = New(k.keep, Limits{Count: 9, Bytes: 1 << 40})
	if s.Add("large.png", append(a, make([]byte, MaxBytes)...)) != "" || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0], Large) {
		t.Errorf("one picture: %q", s.Warnings())
	}
	long := strings.Repeat("x", maxAddresses/3)
	s = New(func(Picture) (string, error) { return long, nil }, Limits{Count: 9, Bytes: 1 << 20})
	for i, want := range []string{long, long, long, "", ""} {
		if got := s.Add("1", a); got != want {
			t.Errorf("place %d: %d bytes", i, len(got))
		}
	}
	if got := s.Again("short", "x"); got != "x" {
		t.Errorf("a short address after the long ones: %q", got)
	}
	for range 3 * maxKnown {
		s.Leave(Damaged, strings.Repeat("n", 200)+string(rune(len(s.left.known))))
	}
	if got := s.Warnings(); len(got) > 2 || len(got[0])+len(got[1]) > 3000 {
		t.Errorf("warnings of %d bytes", len(strings.Join(got, "")))
	}
}

func TestSet_endsWithTheFirstError(t *testing.T) {
	k := &keeper{err: errors.New("full")}
	s := New(k.keep, Limits{Count: 9, Bytes: 1 << 20})
	parts := s.Parts()
	if s.Add("1", encoded(t, png.Encode, 2, 2)) != "" || s.Add("2", encoded(t, png.Encode, 3, 2)) != "" || s.Err() != k.err || len(k.kept) != 1 || parts.Wanted() {
		t.Errorf("got %v, %d", s.Err(), len(k.kept))
	}
	var none *Set
	if none.Wanted() || none.Err() != nil || none.Warnings() != nil || none.Add("1", nil) != "" || none.Parts().Address("x", nil) != "" {
		t.Error("a set that keeps none")
	}
}

func TestParts_readEachOnce(t *testing.T) {
	k, reads := &keeper{}, 0
	s := New(k.keep, Limits{Count: 9, Bytes: 1 << 20})
	p, a := s.Parts(), encoded(t, png.Encode, 2, 2)
	read := func(most int64) ([]byte, error) { reads++; return a, nil }
	for _, name := range []string{"a/1.png", "a/1.png", "b/1.png"} {
		if address := p.Address(name, read); address != "pic1" {
			t.Errorf("%s is at %q", name, address)
		}
	}
	if reads != 2 {
		t.Errorf("%d reads, %d kept", reads, len(k.kept))
	}
	p.Address("gone.png", func(int64) ([]byte, error) { return nil, io.EOF })
	p.Address("zeros.png", func(most int64) ([]byte, error) { return make([]byte, most+1), nil })
	if p.Address("late.png", read) != "" {
		t.Error("parts that are left out take no room")
	}
	if got := strings.Join(s.Warnings(), " "); !strings.Contains(got, "missing): gone.png.") || !strings.Contains(got, "one file): zeros.png, late.png.") {
		t.Errorf("got %q", got)
	}
}

func FuzzInspect(f *testing.F) {
	for _, body := range []string{webP, avif, bmp, plainSVG, "<svg><script/></svg>", string(encoded(f, asJPEG, 3, 5)), string(huge(f, 1<<31, 1))} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		media, why := inspect(body)
		if why != "" {
			return
		}
		if !strings.HasPrefix(media, "image/") {
			t.Fatalf("media type %q", media)
		}
		low := bytes.ToLower(body)
		if media == svgType && (bytes.Contains(low, []byte("<script")) && !bytes.Contains(low, []byte("<!--")) && !bytes.Contains(low, []byte("cdata"))) {
			t.Fatalf("kept %q", body)
		}
	})
}
