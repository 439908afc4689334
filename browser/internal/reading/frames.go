package reading

import (
	"slices"
	"sync"

	"github.com/playwright-community/playwright-go"
)

// maxFrames bounds how many frames of a page are known: a page that makes more shows the first.
const maxFrames = 200

// FrameTree knows which frames a page has beside its main one. The library has a list of its own, but it can't be read while events
// come in.
type FrameTree struct {
	mu     sync.Mutex
	frames []playwright.Frame
}

// Attached notes a frame.
func (t *FrameTree) Attached(f playwright.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.frames) < maxFrames {
		t.frames = append(t.frames, f)
	}
}

// Detached forgets a frame.
func (t *FrameTree) Detached(f playwright.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.frames, f); i >= 0 {
		t.frames = slices.Delete(t.frames, i, i+1)
	}
}

// All returns the frames, in the order in which they came.
func (t *FrameTree) All() []playwright.Frame {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.frames)
}
