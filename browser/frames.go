package browser

import (
	"sync"

	"github.com/playwright-community/playwright-go"
)

// maxFrames bounds how many frames of a page are known: a page that makes more shows the first.
const maxFrames = 200

// frameTree knows which frames are in which. The library has lists of its own, but they can't be read while events come in.
type frameTree struct {
	mu     sync.Mutex
	frames []frameOf
}

type frameOf struct{ frame, parent playwright.Frame }

func (t *frameTree) attached(f playwright.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.frames) < maxFrames {
		t.frames = append(t.frames, frameOf{f, f.ParentFrame()})
	}
}

func (t *frameTree) detached(f playwright.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, known := range t.frames {
		if known.frame == f {
			t.frames = append(t.frames[:i], t.frames[i+1:]...)
			return
		}
	}
}

// of returns the frames within a frame, in the order in which they came.
func (t *frameTree) of(parent playwright.Frame) []playwright.Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	var children []playwright.Frame
	for _, known := range t.frames {
		if known.parent == parent {
			children = append(children, known.frame)
		}
	}
	return children
}
