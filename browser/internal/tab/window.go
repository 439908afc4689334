package tab

import "context"

// Window is a tab that a page opens. The browser announces it before it exists.
type Window struct {
	URL     string
	Gesture bool // a person's click or key opens it
}

// WatchWindows calls opened with each tab that the page's own documents open, beside those of frames that have processes of their own. It
// runs on the library's dispatch goroutine and must not block.
func (t *Tab) WatchWindows(ctx context.Context, opened func(Window)) error {
	t.CDP.On("Page.windowOpen", func(event any) {
		address, _ := Field(event, "url").(string)
		gesture, _ := Field(event, "userGesture").(bool)
		opened(Window{address, gesture})
	})
	return t.Send(ctx, "Page.enable", map[string]any{})
}
