package drive

import (
	"context"
	"time"
)

// Page is a live page. It is called from one goroutine at a time. What the page refuses is an *actions.Failure, which
// is reported to the model; any other error ends the run.
type Page interface {
	// Snapshot reads what the page shows, in at most so many characters. References hold until the next.
	Snapshot(ctx context.Context, maxChars int) (Snapshot, error)
	// Element returns the element of a reference of the last snapshot.
	Element(ctx context.Context, ref string) (Element, error)
	// Click, Focus and Select act on an element; Stay keeps what a click on it opens in this tab; Scroll moves its content,
	// or the window where ref is "".
	Click(ctx context.Context, ref string) error
	Focus(ctx context.Context, ref string) error
	Select(ctx context.Context, ref, option string) error
	Stay(ctx context.Context, ref string) error
	Scroll(ctx context.Context, ref string, up bool) error
	// Type and Press go to what has the focus.
	Type(ctx context.Context, text string) error
	Press(ctx context.Context, key string) error
	// Wait waits for d; Settle until what has been set going is done, in bounded time.
	Wait(ctx context.Context, d time.Duration) error
	Settle(ctx context.Context) error
	// Goto loads an address. One that can't be loaded is an error that is reported to the model.
	Goto(ctx context.Context, address string) error
	// URL is the address of the document that is shown. Popup is that of the tab which the page has opened since Popup was
	// asked before, "" for none; the tab is closed.
	URL() string
	Popup() string
	// Text is what the page says, as markdown without what people can't see.
	Text(ctx context.Context) (string, error)
}

// Snapshot is what a page shows.
type Snapshot struct{ Text, URL, Title string }

// Element is what a reference stands for.
type Element struct {
	Role, Name string
	// Origin of its document, and the URL that a link leads to.
	Origin, URL string
	// Selector finds the element in a replay, ClickSelector what is clicked in its stead; both may be empty.
	Selector, ClickSelector string
	// Secret, Filled and OpensTab say that it takes a password, holds something, and opens a tab when clicked.
	Secret, Filled, OpensTab bool
}
