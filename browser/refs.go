package browser

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/winnow-go/winnow/browser/internal/reading"
)

// The bounds of SnapshotOptions.MaxChars.
const (
	defaultSnapshot = 40_000
	maxSnapshot     = 400_000
)

// Refs are the elements of a page by reference: Snapshot lists them, the other methods work on one of them. One goroutine at a time may
// use them, the one that drives the page.
type Refs struct{ reader *reading.Reader }

// SnapshotOptions of one snapshot. The zero value shows everything, in 40,000 characters.
type SnapshotOptions struct {
	// Interactive leaves out what can't be acted on, but for headings, dialogs, forms and frames.
	Interactive bool
	// MaxChars bounds the text, 1 to 400,000 characters. Defaults to 40,000.
	MaxChars int
}

// Snapshot is the content of a page as it is shown.
type Snapshot struct {
	// Text has a line for each visible thing, indented by depth: its role, its name in quotes, its reference in brackets
	// where it can be acted on, and its state. All text of the page is quoted as JSON strings are, in one line each, so that
	// nothing of it can be taken for a reference.
	Text string
	// URL and Title of the document.
	URL, Title string
	// Refs counts the references of the whole page, including those that were cut.
	Refs int
	// Cut reports that the page has more than Text shows; its last line says so too.
	Cut bool
}

// Snapshot reads what the page shows as an accessibility tree: open shadow trees and the visible frames of any site are in it, in
// the bounds of [Page.Content]; invisible parts are not, nor those hidden by Hide and Consent. Elements that can be acted on have
// references, e1, e2, …, which no other element of the page ever gets, for the other methods. They are kept where the page's scripts can
// neither see nor forge them, until the next snapshot. What passwords hold is never shown. Text of the color of its background counts as
// seen.
func (r *Refs) Snapshot(ctx context.Context, o SnapshotOptions) (Snapshot, error) {
	if o.MaxChars < 0 || o.MaxChars > maxSnapshot {
		return Snapshot{}, &OptionError{"MaxChars", strconv.Itoa(o.MaxChars), fmt.Sprintf("1 to %d, or 0 for %d", maxSnapshot, defaultSnapshot)}
	}
	if o.MaxChars == 0 {
		o.MaxChars = defaultSnapshot
	}
	s, err := r.reader.Snapshot(ctx, reading.SnapshotOptions(o))
	return Snapshot(s), err
}

// Element describes the element of a reference.
type Element struct {
	// Ref of the element, such as "e7".
	Ref string
	// Role, Name and Type (of an input) as in the snapshot.
	Role, Name, Type string
	// Origin of the document that it is in.
	Origin string
	// URL that a link leads to.
	URL string
	// Selector is a CSS selector that finds this element alone, as the methods of actions.Page take it, also in another visit of the page
	// that looks alike. Empty where there is none: in frames and shadow trees.
	Selector string
	// ClickSelector is the selector of the element that is clicked in its stead, as the label of an invisible checkbox. Empty: Selector.
	ClickSelector string
	// Secret reports that it takes a password or the like; Filled that it holds something.
	Secret, Filled bool
	// OpensTab reports that a click on it would open a new tab; see [Refs.Stay].
	OpensTab bool
}

// Element describes the element of a reference of the last snapshot. As with all methods of Refs, an element that is gone is a
// *[actions.Failure]: actions.Detached, or actions.NoMatch where the last snapshot had no such reference.
func (r *Refs) Element(ctx context.Context, ref string) (Element, error) {
	e, err := r.reader.Element(ctx, ref)
	return Element(e), err
}

// Click clicks as [Page.Click] does: the element is brought into view, and must become visible, enabled, at rest and uncovered
// within timeout.
func (r *Refs) Click(ctx context.Context, ref string, timeout time.Duration) error {
	return r.reader.ClickRef(ctx, ref, timeout)
}

// Stay makes a click on the element open its target in this tab, and reports whether it would have opened another.
func (r *Refs) Stay(ctx context.Context, ref string) (changed bool, err error) {
	return r.reader.StayRef(ctx, ref)
}

// Focus gives the element the keyboard focus without a click. One that takes none is actions.NotFocused.
func (r *Refs) Focus(ctx context.Context, ref string) error { return r.reader.FocusRef(ctx, ref) }

// Select chooses the option of a list by its label or its value. An element that isn't a list, or has no such option, is
// actions.NoMatch; a disabled list actions.Disabled.
func (r *Refs) Select(ctx context.Context, ref, option string) error {
	return r.reader.SelectRef(ctx, ref, option)
}

// Scroll brings the element into view and moves its content by its own visible height, upwards or downwards.
func (r *Refs) Scroll(ctx context.Context, ref string, up bool) error {
	return r.reader.ScrollRef(ctx, ref, up)
}

// Popup returns the address of the last tab that the main document has opened since the last call of Popup, or since the first
// Snapshot; "" where it opened none. Such tabs are closed at once.
func (r *Refs) Popup() string { return r.reader.Popup() }
