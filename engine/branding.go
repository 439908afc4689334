package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/brand"
)

// noBranding says that the branding format can't be made.
func noBranding(err error) *Error { return &Error{Code: CodeBrandingNotSupported, Err: err} }

// judgeBrand takes samples of the live page's look and judges them. A page that can't be
// read has none, with a warning; it is asked after all that changes the page.
func (b *browsing) judgeBrand(ctx context.Context, src *source) error {
	if !b.plan.wants(formats.Branding) {
		return nil
	}
	if !src.isHTML() {
		return noBranding(fmt.Errorf("branding of content of type %q: %w", src.mediaType, ErrNotSupported))
	}
	return b.unbranded(b.step("branding", func() (string, error) {
		data, err := b.page.Inspect(ctx, brand.Script)
		if err != nil {
			return "", err
		}
		samples, err := brand.Decode(data)
		if err != nil {
			return "", err
		}
		src.brand = brand.Judge(samples)
		return fmt.Sprintf("%d elements, %d bytes", len(samples.Looks), len(data)), nil
	}))
}

// unbranded forgives that a page couldn't be read.
func (s *scrape) unbranded(err error) error {
	if !errors.Is(err, browser.ErrUnread) {
		return err
	}
	s.warn("There is no branding: %v", err)
	return nil
}

// brandless names the format that can't be made without a browser.
func (s *scrape) brandless(err error) error {
	if _, ok := errors.AsType[*browser.InstallError](err); ok && s.plan.wants(formats.Branding) {
		return noBranding(err)
	}
	return err
}
