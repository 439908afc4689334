package browser

import (
	"context"
	"fmt"

	"github.com/playwright-community/playwright-go"
)

// maxShotHeight bounds a full-page screenshot, in CSS pixels: Chromium can't draw higher ones in one piece.
const maxShotHeight = 16_384

// ScreenshotOptions of one screenshot. The zero value is a png of the viewport.
type ScreenshotOptions struct {
	FullPage bool     // the whole page, at most 16384 CSS pixels high
	Quality  int      // 0: png; 1 to 100: jpeg of that quality
	Viewport Viewport // the window's size for this and what follows; zero: unchanged
}

// Content returns the document as it is now, serialised.
func (p *Page) Content(ctx context.Context) (string, error) {
	return do(ctx, p, "read the page", p.page.Content)
}

// Screenshot draws the page and returns the picture and its media type.
func (p *Page) Screenshot(ctx context.Context, o ScreenshotOptions) ([]byte, string, error) {
	if o.Quality < 0 || o.Quality > 100 {
		return nil, "", &OptionError{"Quality", fmt.Sprint(o.Quality), "0 to 100"}
	}
	if o.Viewport != (Viewport{}) {
		if err := p.resize(ctx, o.Viewport); err != nil {
			return nil, "", err
		}
	}
	options, media := playwright.PageScreenshotOptions{Type: playwright.ScreenshotTypePng, Timeout: new(0.0)}, "image/png"
	if o.Quality > 0 {
		options.Type, options.Quality, media = playwright.ScreenshotTypeJpeg, &o.Quality, "image/jpeg"
	}
	if o.FullPage {
		if err := p.fullPage(ctx, &options); err != nil {
			return nil, "", err
		}
	}
	data, err := do(ctx, p, "draw the page", func() ([]byte, error) { return p.page.Screenshot(options) })
	return data, media, err
}

func (p *Page) resize(ctx context.Context, v Viewport) error {
	if err := v.check(); err != nil {
		return err
	}
	return run(ctx, p, "change the viewport", func() error { return p.page.SetViewportSize(v.Width, v.Height) })
}

// fullPage asks for the whole page, or for the upper part of one that is too high.
func (p *Page) fullPage(ctx context.Context, o *playwright.PageScreenshotOptions) error {
	size, err := do(ctx, p, "measure the page", func() (any, error) {
		return p.page.Evaluate(`() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]`)
	})
	if err != nil {
		return err
	}
	o.FullPage = new(true)
	pair, _ := size.([]any)
	if len(pair) == 2 && number(pair[1]) > maxShotHeight {
		o.Clip = &playwright.Rect{Width: min(number(pair[0]), maxViewport), Height: maxShotHeight}
	}
	return nil
}

// number reads a number from a script's result, which the library gives as int or float.
func number(v any) float64 {
	switch n := v.(type) {
	case int:
		return float64(n)
	case float64:
		return n
	}
	return 0
}
