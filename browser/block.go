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

// block passes the browser its list of blocked addresses. The browser itself refuses them, with no word to the driver.
func block(ctx context.Context, t *tab.Tab, o PageOptions) error {
	patterns := blockedPatterns(o)
	if len(patterns) == 0 {
		return nil
	}
	none := map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0, "maxPostDataSize": 0} // bodies that are never requested
	if err := t.Send(ctx, "Network.enable", none); err != nil {
		return err
	}
	return t.Send(ctx, "Network.setBlockedURLs", map[string]any{"urls": patterns})
}

// blockedPatterns are those of Block, and of the kinds of Skip.
func blockedPatterns(o PageOptions) []string {
	patterns := make([]string, 0, len(o.Block))
	patterns = append(patterns, o.Block...)
	for _, kind := range o.Skip {
		for _, ending := range skipEndings[kind] {
			for _, e := range []string{ending, strings.ToUpper(ending)} { // the browser distinguishes them
				patterns = append(patterns, "*://*/*."+e, "*://*/*."+e+"?*")
			}
		}
	}
	return patterns
}

// hide puts the style that hides what selectors match into every document. The custom property name marks what it hides.
func hide(ctx context.Context, t *tab.Tab, selectors []string, name string) error {
	if len(selectors) == 0 {
		return nil
	}
	list, err := json.Marshal(selectors)
	if err != nil {
		return err
	}
	source := fmt.Sprintf("(%s)(%s, %q)", hideJS, list, name)
	return tab.Run(ctx, t, "hide", func() error { return t.Page.AddInitScript(playwright.Script{Content: &source}) })
}
