package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The test binary plays the program: what it does is in its environment.
func init() {
	switch os.Getenv("WINNOW_FAKE_TESSERACT") {
	case "":
		return
	case "table":
		body, _ := io.ReadAll(os.Stdin)
		fmt.Print("level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n" +
			"1\t1\t0\t0\t0\t0\t0\t0\t200\t100\t-1\t\n2\t1\t1\t0\t0\t0\t20\t10\t100\t50\t-1\t\n3\t1\t1\t1\t0\t0\t20\t10\t100\t50\t-1\t\n" +
			"4\t1\t1\t1\t1\t0\t20\t10\t100\t20\t-1\t\n5\t1\t1\t1\t1\t1\t20\t10\t50\t20\t90\tlow\n5\t1\t1\t1\t1\t2\t70\t10\t50\t20\t80\twa-\n" +
			"5\t1\t1\t1\t2\t1\t20\t30\t50\t20\t70\tter\n3\t1\t1\t2\t0\t0\t20\t60\t100\t40\t-1\t\n" +
			fmt.Sprintf("5\t1\t1\t2\t1\t1\t20\t60\t50\t20\t100\t%d\n", len(body)) +
			fmt.Sprintf("5\t1\t1\t2\t1\t2\t20\t60\t50\t20\t100\t%s\n", strings.Join(os.Args[1:], "|")))
	case "hang":
		time.Sleep(time.Hour)
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<16)); err != nil {
				os.Exit(1)
			}
		}
	case "fail":
		fmt.Fprintln(os.Stderr, "no such language")
		os.Exit(1)
	}
	os.Exit(0)
}

func fake(t *testing.T, what string) *Tesseract {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("WINNOW_FAKE_TESSERACT", what)
	return &Tesseract{Program: program, Languages: "deu+eng"}
}

func TestTesseract_readsTheTable(t *testing.T) {
	got, err := fake(t, "table").Recognize(t.Context(), Image{Body: []byte("12345")})
	if err != nil {
		t.Fatal(err)
	}
	want := []Paragraph{
		{Text: "low water", BBox: [4]float64{0.1, 0.1, 0.6, 0.6}, Confidence: 0.8},
		{Text: "5 stdin|stdout|-l|deu+eng|tsv", BBox: [4]float64{0.1, 0.6, 0.6, 1}, Confidence: 1},
	}
	if !slices.EqualFunc(got.Paragraphs, want, func(a, b Paragraph) bool {
		return a.Text == b.Text && a.BBox == b.BBox && math.Abs(a.Confidence-b.Confidence) < 0.011
	}) {
		t.Errorf("got %+v, want %+v", got.Paragraphs, want)
	}
}

func TestTesseract_endsWithItsContext(t *testing.T) {
	ocr := fake(t, "hang")
	ocr.Timeout = 50 * time.Millisecond
	if _, err := ocr.Recognize(t.Context(), Image{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("by its own limit: got %v", err)
	}
	ocr.Timeout = 0
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := ocr.Recognize(ctx, Image{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("by its context: got %v", err)
	}
}

func TestTesseract_boundsItsOutput(t *testing.T) {
	ocr := fake(t, "flood")
	ocr.MaxOutput = 1000
	if _, err := ocr.Recognize(t.Context(), Image{}); err == nil || !strings.Contains(err.Error(), "1000 bytes") {
		t.Errorf("got %v", err)
	}
}

func TestTesseract_tellsWhatFailed(t *testing.T) {
	if _, err := fake(t, "fail").Recognize(t.Context(), Image{}); err == nil || !strings.Contains(err.Error(), "no such language") {
		t.Errorf("got %v", err)
	}
}

func TestTesseract_isNotThere(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if ocr := FindTesseract(); ocr != nil {
		t.Errorf("found %+v", ocr)
	}
	_, err := (&Tesseract{}).Recognize(t.Context(), Image{})
	if !errors.Is(err, ErrNoTesseract) || !strings.Contains(err.Error(), "install") {
		t.Errorf("got %v", err)
	}
}

// A program in the working folder is not the one that was installed.
func TestTesseract_theWorkingFolderDoesNotCount(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system: on Windows a program without .exe is none, so there is nothing in the folder to be found")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tesseract"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("PATH", ".")
	if ocr := FindTesseract(); ocr != nil {
		t.Errorf("found %+v", ocr)
	}
}

// With tesseract installed, words that are drawn are read again, also out of a PDF.
func TestTesseract_readsWhatIsDrawn(t *testing.T) {
	ocr := FindTesseract()
	if ocr == nil && os.Getenv("WINNOW_REQUIRE_TOOLS") != "" {
		t.Fatal("tesseract is not installed")
	}
	if ocr == nil {
		t.Skip("tesseract is not installed: only a stand-in program that speaks as it does was run, by the tests above")
	}
	res, err := Convert(t.Context(), Input{Body: scannedPDF(t, drawn(t, "The harbour at low water", "is quiet in the morning"))}, Options{OCR: ocr, Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	html := strings.ToLower(string(res.HTML))
	for _, word := range []string{"harbour", "low", "water", "quiet", "morning"} {
		if !strings.Contains(html, word) {
			t.Errorf("no %q in %s", word, html)
		}
	}
}

// drawn is an image with lines of text.
func drawn(t *testing.T, lines ...string) *image.Gray {
	t.Helper()
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 40, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	img := image.NewGray(image.Rect(0, 0, 800, 300))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for i, l := range lines {
		d := font.Drawer{Dst: img, Src: image.NewUniform(color.Black), Face: face, Dot: fixed.P(60, 100+70*i)}
		d.DrawString(l)
	}
	return img
}

// scannedPDF is a page that is an image.
func scannedPDF(t *testing.T, img *image.Gray) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	body := string(madePDF(""))
	dict := fmt.Sprintf("/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceGray/Length %d>>\nstream\n%s\nendstream", img.Rect.Dx(), img.Rect.Dy(), len(img.Pix), img.Pix)
	return []byte(strings.Replace(body, "/Width 8/Height 1/BitsPerComponent 1/ColorSpace/DeviceGray/Length 1>>\nstream\n\xaa\nendstream", dict, 1))
}
