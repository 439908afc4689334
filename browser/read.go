package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/browser/internal/reading"
)

// Content returns the document as it is now, serialized: with open shadow trees in place of the content that they hide, the slots filled,
// and with the visible frames of any site, and objects of HTML, as <div data-original-tag="iframe" data-src="…">, their links made
// absolute. A frame that can't be read in 5 seconds is left empty, as are frames that could not be loaded, frames more than 5 deep,
// beyond the 40th, or over 2 MiB. All frames together get 10 seconds, and at most a third of what is left until ctx's deadline.
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

// InspectAsync is [Page.Inspect] for a script that may be an async function: its result is awaited, as long as ctx lasts; when that ends
// the page is closed. ErrUnread is then also the error of a document that is replaced meanwhile.
func InspectAsync(ctx context.Context, p *Page, script string) (json.RawMessage, error) {
	return p.reader.InspectAsync(ctx, script)
}

// State returns the cookies, localStorage and IndexedDB of every site that the page has visited, as JSON for PageOptions.State.
// They are secrets. Cookies that PageOptions.Headers has brought are left out, unless the site has changed them.
func (p *Page) State(ctx context.Context) ([]byte, error) {
	return p.headers.withoutGiven(p.storage.read(ctx))
}

// WholeState returns the cookies, localStorage and IndexedDB of every site that the page, and other pages of its context, have visited,
// and the sessionStorage of its document, as JSON for PageOptions.State. They are secrets. For a page that is too busy to answer, or
// whose sessionStorage is over 4 MiB, sessionStorage is left out. Cookies of the caller's are as in State.
func (p *Page) WholeState(ctx context.Context) ([]byte, error) {
	return p.headers.withoutGiven(p.storage.readAll(ctx))
}

// Console returns the last 200 lines that the page's scripts wrote or threw, "type: text", the oldest first. It is safe for concurrent
// use, also after Close.
func (p *Page) Console() []string {
	console, _ := p.traffic.lines()
	return console
}

// Requests returns the last 200 requests that were answered or failed: "GET https://… 200", "GET https://… blocked" (by Block or Skip), the
// oldest first. It is safe for concurrent use, also after Close.
func (p *Page) Requests() []string {
	_, requests := p.traffic.lines()
	return requests
}

// Handled returns what was done about cookie banners on this page, such as "OneTrust: rejected" or "cookie banner: hidden". One may be
// shown all the same where unseen is true: the page did not answer in time whether it shows one, or that it is hidden. It is safe for
// concurrent use, also after Close.
func (p *Page) Handled() (done []string, unseen bool) { return p.banners.done(), p.banners.left() }
