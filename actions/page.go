package actions

import (
	"context"
	"time"
)

// Page is a live page in a browser, as the actions need it.
//
// Where an action makes it open a tab, that tab is the page from then on, until
// it closes itself: then the one before it is the page again. Of several tabs
// the one that a person would have before them stays, the others are closed.
// Effects has a note of each.
//
// These rules hold for every method:
//   - It is called from one goroutine at a time, and the page belongs to the
//     caller of [Run], who closes it. Run never does.
//   - It returns soon after ctx is done, whatever the page is busy with (an
//     endless script included), with an error that wraps ctx.Err(). The page may
//     be unusable from then on. With a ctx that is done already it does nothing.
//   - What the page itself refuses is a *[Failure] with its [Reason], found with
//     errors.As; the page stays usable. Any other error means that the browser
//     failed (crashed, closed).
//   - selector is CSS. It looks into the page's main document, and where that
//     has had no match for a second, into all frames, of whatever origin: there
//     the match has to be the only one, else it is Ambiguous. Where a document has no
//     match of its own, its open shadow trees are looked into. A path of frames and of
//     elements with such trees before it, as [FramePath] reads it, looks in there
//     alone. One that doesn't parse is BadSelector.
//   - timeout is how long the page itself waits for an element, longer than zero.
//     Its end is a Failure and never context.DeadlineExceeded.
//   - A navigation that an earlier action has begun is no error: the method works
//     on the document that is there, or on the next one.
//   - The caller owns the results.
//
// Package actionstest has the suite that every Page must pass.
type Page interface {
	// WaitSelector returns when any element that matches is visible (has a box
	// with an area and isn't hidden by style), at once if one is already. After
	// timeout: TimedOut, with Detail saying whether nothing matched or nothing
	// that matched was visible. The notes say what else its caller should know,
	// each a sentence: that the element belonged to a cookie banner that is gone.
	WaitSelector(ctx context.Context, selector string, timeout time.Duration) (notes []string, err error)

	// Click clicks as a user does: it brings the element into view, waits until
	// it is visible, enabled, at rest and not covered, moves the mouse on its
	// middle and presses, so that the page sees trusted events. What still stands in
	// the way after the timeout is the Failure: NoMatch, NotVisible, Disabled,
	// Covered (Detail: the opening tag of what covers it), Moving, OutOfView or Detached.
	Click(ctx context.Context, selector string, o ClickOptions) (Clicked, error)

	// Type types text into the element that has the focus, one character after
	// the other with the key events of each; a line break is the Enter key and
	// what no key can type is inserted. Long text may be inserted at once, each
	// line but for its last character. NotFocused when nothing that takes text has
	// the focus.
	Type(ctx context.Context, text string) error

	// Press presses and releases a key, for whatever has the focus, else for the
	// document. key is one that [Validate] accepts: names joined by "+", of which
	// all but the last are held. A page that can't press it: BadKey.
	Press(ctx context.Context, key string) error

	// Scroll moves the window or an element, and returns when it has reached its
	// position, at once even where the page's style requests a smooth movement.
	// Reaching the end of the page is no error.
	Scroll(ctx context.Context, o ScrollOptions) error

	// Screenshot draws the page and returns the picture with its media type:
	// image/png, or image/jpeg when o.Quality is set.
	Screenshot(ctx context.Context, o ScreenshotOptions) (data []byte, mediaType string, err error)

	// Scrape returns the address and the serialized document of the page as it is now.
	Scrape(ctx context.Context) (ScrapeResult, error)

	// Evaluate runs a script in the page and returns its value, by
	// [ScriptExpression] and [ParseReturn]: a page evaluates the expression and
	// passes the resulting string to ParseReturn. It has no timeout but ctx.
	// When a navigation takes the document away before the value is known, the
	// type is "unknown" and the value null.
	Evaluate(ctx context.Context, script string) (JavaScriptReturn, error)

	// PDF prints the whole page with its backgrounds and returns the file.
	PDF(ctx context.Context, o PDFOptions) ([]byte, error)

	// Effects returns what the actions have led to since its last call, beside what
	// shows on the page. Run calls it after each action.
	Effects(ctx context.Context) (Effects, error)
}

// Effects of actions.
type Effects struct {
	// Notes are sentences: that another tab is the page now, and which ones were closed.
	Notes []string
	// Downloads are the files that the browser was made to save.
	Downloads []File
}

// File is what a browser was made to save.
type File struct {
	Name string // as the site suggests it; never trust it as a path
	URL  string
	Type string // the Content-Type of its answer; "" where there was none, as of what a script has made
	Data []byte
}

// ClickOptions of one click.
type ClickOptions struct {
	// All clicks every match at the time of the call, in document order, and
	// waits for none to appear: those of the main document, or, where it has
	// none, those of all frames. Having no match is no error, nor is a match
	// that is gone or invisible when its turn comes. Otherwise the first match in document order
	// is clicked.
	All bool
	// Timeout is how long each element may take to become fit for the click. On one that is fit a slow browser may take longer: a
	// mouse that was pressed in time has clicked, and where it wasn't, up to 30 s go by.
	Timeout time.Duration
}

// Clicked is what a click came to.
type Clicked struct {
	Count int      // the elements that were clicked
	Notes []string // what else its caller should know, each a sentence: how many of all, in which frame
}

// ScrollOptions of one scroll.
type ScrollOptions struct {
	// Up moves towards the beginning. Defaults to down.
	Up bool
	// Selector's first match is brought into view and its content moved by its
	// own visible height. NoMatch when there is none after Timeout. Empty: the
	// window is moved by the height of its viewport.
	Selector string
	Timeout  time.Duration
}

// ScreenshotOptions of one screenshot. The zero value is a png of the viewport.
type ScreenshotOptions struct {
	// FullPage draws the whole document, as far down as the browser can draw.
	FullPage bool
	// Quality 1 to 100 gives a jpeg. Zero: png.
	Quality int
	// Viewport is the window's size while the picture is taken; the former size
	// is put back. Zero: the page's.
	Viewport Viewport
}

// PDFOptions of one print. The zero value is Letter, upright, not scaled.
type PDFOptions struct {
	Format    string  // as in [Action]; empty: Letter
	Landscape bool    // the long side of the paper lies across
	Scale     float64 // 0.1 to 2; zero: 1
}
