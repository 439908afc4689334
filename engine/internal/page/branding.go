package page

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/brand"
)

// NoBranding says that the branding format can't be made.
func NoBranding(err error) error { return &UnsupportedError{UnsupportedBranding, err} }

// judgeBrand takes samples of the live page's look and judges them. A page that can't be
// read has none, with a warning; that comes after all that changes the page.
func (v *Visit) judgeBrand(ctx context.Context, src *Page) error {
	if !v.Request.Wants(formats.Branding) {
		return nil
	}
	if !src.IsHTML() {
		return NoBranding(fmt.Errorf("branding of content of type %q: %w", src.MediaType, ErrNotSupported))
	}
	return v.unbranded(v.step("branding", func() (string, error) {
		data, err := v.Tab.Inspect(ctx, brand.Script)
		if err != nil {
			return "", err
		}
		samples, err := brand.Decode(data)
		if err != nil {
			return "", err
		}
		src.Brand = brand.Judge(samples)
		return fmt.Sprintf("%d elements, %d bytes", len(samples.Looks), len(data)), nil
	}))
}

// unbranded forgives that a page couldn't be read.
func (a *Acquisition) unbranded(err error) error {
	if !errors.Is(err, browser.ErrUnread) {
		return err
	}
	a.warn("There is no branding: %v", err)
	return nil
}

// brandless names the format that can't be made without a browser.
func (a *Acquisition) brandless(err error) error {
	if _, ok := errors.AsType[*browser.InstallError](err); ok && a.Request.Wants(formats.Branding) {
		return NoBranding(err)
	}
	return err
}
