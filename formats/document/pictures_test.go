package document

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// drawer plays page pictures of a file of count pages.
type drawer struct {
	count, opened, closed int
	err                   error
	password              string
}

func (d *drawer) OpenPages(_ context.Context, in Input) (OpenPages, error) {
	d.opened++
	d.password = in.Password
	if d.err != nil {
		return nil, d.err
	}
	return d, nil
}

func (d *drawer) NumPages() int { return d.count }

func (d *drawer) DrawPage(_ context.Context, number int) (Image, error) {
	return Image{Body: fmt.Appendf(nil, "page %d", number), MediaType: "image/png"}, nil
}

func (d *drawer) Close() error {
	d.closed++
	return nil
}

// echo is an OCR that reads what drawer draws.
type echo struct{}

func (echo) Recognize(_ context.Context, img Image) (Recognized, error) {
	return Recognized{Paragraphs: []Paragraph{{Text: "read from " + string(img.Body)}}}, nil
}

// outlinedPDF has letters, of which each is a shape, on the second and third of four pages.
func outlinedPDF() []byte {
	shapes := ") Tj ET " + strings.Repeat("72 700 m 80 700 l 76 712 l h f ", 20) + "BT ("
	return madePDF("The first page.", shapes, shapes, "The last page.")
}

func TestConvert_recognitionReadsPagePictures(t *testing.T) {
	d := &drawer{count: 4}
	res, err := Convert(t.Context(), Input{Body: outlinedPDF(), Password: "sesame"}, Options{OCR: echo{}, PagePictures: d, Blocks: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"The first page.", "read from page 2", "read from page 3", "The last page."} {
		if b := res.Pages[i].Blocks; len(b) != 1 || b[0].Text != want || (b[0].Source == "ocr") != strings.HasPrefix(want, "read") {
			t.Errorf("page %d: got %+v", i+1, b)
		}
	}
	if d.opened != 1 || d.closed != 1 || d.password != "sesame" || len(res.Warnings) > 0 {
		t.Errorf("got %+v, %q", d, res.Warnings)
	}
	d = &drawer{count: 1}
	if _, err := Convert(t.Context(), Input{Body: madePDF("Text.")}, Options{OCR: echo{}, PagePictures: d}); err != nil || d.opened != 0 {
		t.Errorf("a file of text: opened %d times, %v", d.opened, err)
	}
}

func TestConvert_pagePicturesThatFailAreNamed(t *testing.T) {
	for want, d := range map[string]*drawer{
		"no such file": {count: 4, err: errors.New("no such file")},
		"the page pictures are of 3 pages, the file has 4": {count: 3},
	} {
		res, err := Convert(t.Context(), Input{Body: outlinedPDF()}, Options{OCR: echo{}, PagePictures: d})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(res.Warnings, "page 2: text recognition: "+want) || d.opened != 1 || (d.closed == 1) != (d.err == nil) {
			t.Errorf("got %+v, %q", d, res.Warnings)
		}
	}
}
