package reading

import (
	"sync/atomic"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Options of a reader.
type Options struct {
	MaxBody int64         // bytes of Content
	Hidden  string        // the custom property of elements that are not part of the content; "" for none
	Slack   time.Duration // more time for frames, in tests that aren't about slow ones
}

// Reader reads the documents of one tab. It is used by one goroutine at a time, but for the events that Frames listens to.
type Reader struct {
	Frames  FrameTree // which frames the tab has
	Options Options

	tab   *tab.Tab
	shown shown                  // by the last snapshot
	popup atomic.Pointer[string] // the address of the last one; see Popup
}

// New makes the reader of a tab.
func New(t *tab.Tab) *Reader { return &Reader{tab: t} }
