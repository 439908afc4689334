package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/playwright-community/playwright-go"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// hideJS hides what selectors match; see the file.
//
//go:embed hide.js
var hideJS string

// skipEndings are the endings of addresses of each kind that PageOptions.Skip can name.
var skipEndings = map[string][]string{
	"image": {"png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "ico", "svg", "tif", "tiff", "jxl"},
	"font":  {"woff", "woff2", "ttf", "otf", "eot"},
	"media": {"mp4", "webm", "m4v", "mov", "avi", "mkv", "ogv", "mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac", "m3u8", "mpd", "ts"},
}

// keepAway passes the browser its list of blocked addresses. The browser itself refuses them, with no word to the driver.
func (p *Page) keepAway(ctx context.Context) error {
	if err := p.hide(ctx); err != nil {
		return err
	}
	patterns := make([]string, 0, len(p.opts.Block))
	patterns = append(patterns, p.opts.Block...)
	for _, kind := range p.opts.Skip {
		for _, ending := range skipEndings[kind] {
			for _, e := range []string{ending, strings.ToUpper(ending)} { // the browser distinguishes them
				patterns = append(patterns, "*://*/*."+e, "*://*/*."+e+"?*")
			}
		}
	}
	if len(patterns) == 0 {
		return nil
	}
	none := map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0} // bodies that are never requested
	if err := p.tab.Send(ctx, "Network.enable", none); err != nil {
		return err
	}
	return p.tab.Send(ctx, "Network.setBlockedURLs", map[string]any{"urls": patterns})
}

// hide puts the style that hides into every document.
func (p *Page) hide(ctx context.Context) error {
	if len(p.opts.Hide) == 0 {
		return nil
	}
	selectors, err := json.Marshal(p.opts.Hide)
	if err != nil {
		return err
	}
	source := fmt.Sprintf("(%s)(%s, %q)", hideJS, selectors, p.hiddenName())
	return tab.Run(ctx, p.tab, "hide", func() error { return p.tab.Page.AddInitScript(playwright.Script{Content: &source}) })
}

// hiddenName is the custom property that distinguishes elements hidden by this package from those that the page hides itself.
func (p *Page) hiddenName() string { return "--" + p.readyKey }
