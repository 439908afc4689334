package enginetest

import (
	_ "embed"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser"
)

// stillJS makes a page look the same each time; see the file.
//
//go:embed still.js
var stillJS string

// Screenshot is how a page is drawn and compared with a golden picture. The zero value draws the viewport and allows no pixel to differ
// visibly.
type Screenshot struct {
	// Dir is the folder of the pictures. Defaults to testdata/screenshots.
	Dir string
	// FullPage draws the whole page, at most 16384 CSS pixels high, in place of the viewport.
	FullPage bool
	// Mask are CSS selectors: what their matches cover is painted over before pictures are compared. One without a match fails the test.
	// Frames are not looked into, but can be masked.
	Mask []string
	// Tolerance is the share of the pixels that may differ, 0 to 1: 0.01 is one in a hundred. Zero: none may.
	Tolerance float64
	// Threshold is how far red, green or blue of a pixel have to be off to count as different, 1 to 255. Zero is 24.
	Threshold int
	// SystemFonts draws text in the fonts of the machine, as users see it. False: text for which the page brings no font is drawn in the
	// Go fonts, Latin, Greek and Cyrillic letters alike on every machine; other scripts, and text in frames, are in the machine's all the
	// same.
	SystemFonts bool
}

// MatchScreenshot fails the test where a page doesn't look as its golden picture, testdata/screenshots/NAME.png. The failure names the
// files of the new picture and of one in which the differences are red. With the flag -update, which packages have whose TestMain uses
// [Shared], the picture is written. For masks, tolerance and more see [Screenshot].
//
// Before a picture is taken, animations that end are at their end, endless ones at their beginning, and fonts and images have loaded.
// Pictures that differ from the golden one are taken again until two in a row are equal. The page is changed for that, for good: its
// fonts are replaced, transitions are off, the text cursor is invisible. What shows the time needs a [Clock]; videos, canvases and
// animated images need a mask. Anti-aliasing and text shapes may vary between versions of the browser.
func MatchScreenshot(t testing.TB, page *Page, name string) {
	t.Helper()
	Screenshot{}.Match(t, page, name)
}

// Match is [MatchScreenshot] in this way.
func (s Screenshot) Match(t testing.TB, page *Page, name string) {
	t.Helper()
	if err := s.resolve(name); err != nil {
		t.Fatalf("enginetest: screenshot %q: %v", name, err)
	}
	file := filepath.Join(s.Dir, filepath.FromSlash(name)+".png")
	want, err := readPicture(file)
	if err != nil {
		t.Fatalf("enginetest: screenshot %q: %v", name, err)
	}
	got, differs, err := s.take(page, want)
	if err != nil {
		t.Fatalf("enginetest: screenshot %q of %s: %v", name, page.URL(), err)
	}
	switch {
	case !differs:
	case flagSet("update"):
		if err := writePicture(file, got); err != nil {
			t.Error("enginetest:", err)
		}
	case want == nil:
		t.Errorf("enginetest: there is no %s; if %s is right, %s", file, s.keep(t, page, name+".png", got), with("update"))
	default:
		t.Errorf("enginetest: %s does not look like %s: %v\n\tnew picture: %s\n\tdifference:  %s\n\tif the new one is right, %s",
			page.URL(), file, compare(want, got, s.Threshold), s.keep(t, page, name+".png", got),
			s.keep(t, page, name+"-difference.png", differing(want, got, s.Threshold)), with("update"))
	}
}

// resolve fills defaults in and checks the fields.
func (s *Screenshot) resolve(name string) error {
	if s.Dir == "" {
		s.Dir = filepath.Join("testdata", "screenshots")
	}
	if s.Threshold == 0 {
		s.Threshold = 24
	}
	switch {
	case !(s.Tolerance >= 0 && s.Tolerance <= 1):
		return fmt.Errorf("field Tolerance: %v; want 0 to 1", s.Tolerance)
	case s.Threshold < 1 || s.Threshold > 255:
		return fmt.Errorf("field Threshold: %v; want 1 to 255", s.Threshold)
	case !filepath.IsLocal(filepath.FromSlash(name)):
		return errors.New("want a name that is a path below the folder of the pictures, without its ending")
	}
	return nil
}

// maxShots is how often a page is drawn that looks different each time.
const maxShots = 8

// take draws a page until it looks as the golden picture, or like itself twice.
func (s *Screenshot) take(page *Page, want *image.RGBA) (got *image.RGBA, differs bool, err error) {
	var before *image.RGBA
	for range maxShots {
		if got, err = s.shoot(page); err != nil {
			return nil, false, err
		}
		if want != nil && compare(want, got, s.Threshold).share() <= s.Tolerance {
			return got, false, nil
		}
		if before != nil && compare(before, got, s.Threshold).share() <= s.Tolerance {
			return got, true, nil
		}
		before = got
	}
	return nil, false, fmt.Errorf("it looks different each time, %d times; mask what moves", maxShots)
}

// still is what still.js returns.
type still struct {
	Masks []struct{ X, Y, W, H float64 }
	Bad   []string
	Ratio float64
}

// shoot draws a page, with its masks.
func (s *Screenshot) shoot(page *Page) (*image.RGBA, error) {
	request := map[string]any{
		"fonts": fontFaces(), "sans": sansFamily, "mono": monoFamily, "mask": append([]string{}, s.Mask...), "full": s.FullPage,
	}
	if s.SystemFonts {
		request["fonts"] = []fontFace{}
	}
	var found still
	if err := page.inspect(fmt.Sprintf("() => (\n%s\n)(%s)", strings.TrimSpace(stillJS), quoted(request)), &found); err != nil {
		return nil, err
	}
	if len(found.Bad) > 0 {
		return nil, fmt.Errorf("field Mask: %q; want selectors that match something", found.Bad)
	}
	data, _, err := page.tab.Screenshot(page.t.Context(), browser.ScreenshotOptions{FullPage: s.FullPage})
	if err != nil {
		return nil, err
	}
	got, err := decode(data)
	if err == nil {
		found.paint(got)
	}
	return got, err
}

// paint covers what is masked.
func (f still) paint(on *image.RGBA) {
	for _, m := range f.Masks {
		from := image.Pt(int(math.Floor(m.X*f.Ratio)), int(math.Floor(m.Y*f.Ratio)))
		to := image.Pt(int(math.Ceil((m.X+m.W)*f.Ratio)), int(math.Ceil((m.Y+m.H)*f.Ratio)))
		draw.Draw(on, image.Rectangle{from, to}, image.NewUniform(maskColor), image.Point{}, draw.Src)
	}
}

// keep writes a picture of a failure and returns where it is, or why it isn't.
func (s *Screenshot) keep(t testing.TB, page *Page, name string, picture *image.RGBA) string {
	path, err := page.kit.pictures.write(t, filepath.Base(filepath.FromSlash(name)), encode(picture))
	if err != nil {
		return err.Error()
	}
	return path
}

func writePicture(file string, picture *image.RGBA) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, encode(picture), 0o666)
}
