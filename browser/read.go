package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser/internal/reading"
)

// readingOptions are the options of the page's reader.
func (p *Page) readingOptions() reading.Options {
	o := reading.Options{MaxBody: p.opts.MaxBody}
	if len(p.opts.Hide) > 0 || p.opts.Consent {
		o.Hidden = p.hiddenName()
	}
	return o
}

// Content returns the document as it is now, serialized: with open shadow trees in place of the content that they hide, the slots filled,
// and with the visible frames of any site as <div data-original-tag="iframe" data-src="…">, their links made absolute. A frame that can't
// be read in a second is left empty, as are frames that could not be loaded, frames more than 5 deep, beyond the 40th, or over 2 MiB.
// Elements hidden by Hide and Consent are left out, and so are closed shadow trees, which no script can see. The page's scripts can't
// change what is read other than by changing the document. A document over PageOptions.MaxBody is ErrTooLarge; the browser's own page for
// a failed load is a *NavigationError.
func (p *Page) Content(ctx context.Context) (string, error) {
	html, err := p.reader.Content(ctx)
	if shown, ok := errors.AsType[*reading.ErrorPage](err); ok {
		return "", fmt.Errorf("read the page: %w", &NavigationError{URL: shown.URL, Err: shown})
	}
	return html, err
}

// Inspect runs script, the text of a JavaScript function without parameters, on the main document and returns its result as JSON, at
// most 4 MiB. The script runs in a world of its own: it sees the document, its styles and open shadow trees, but nothing that the page's
// scripts have defined or changed, and they can't see it. It must not wait: it is ended after 4 seconds, and an answer that takes longer
// than 6 is ErrUnread.
func (p *Page) Inspect(ctx context.Context, script string) (json.RawMessage, error) {
	return p.reader.Inspect(ctx, script)
}
