package code

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// capture is what a worker writes to one of its streams, the first MaxOutput bytes of each call. The end of a call's output shows as a
// mark in the stream; what comes after it belongs to the next call.
type capture struct {
	mu        sync.Mutex
	now, next text
	mark      []byte // nil between calls
	held      []byte // the last bytes, which may be the begin of the mark
	seen      chan struct{}
	over      bool // nothing more will come
}

// begin starts a call whose output ends with the mark, and returns a channel that is closed when the mark has come.
func (c *capture) begin(mark string) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now, c.next = c.next, text{}
	c.mark, c.seen = []byte(mark), make(chan struct{})
	if c.over {
		c.finish(nil)
	}
	return c.seen
}

// readAll reads r to its end, which is the end of the call too.
func (c *capture) readAll(r io.Reader) {
	_, _ = io.Copy(c, r)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	if c.mark != nil {
		c.finish(nil)
	}
}

// Write takes everything and never fails: a writer doesn't notice the bound.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mark == nil {
		c.next.add(p)
		return len(p), nil
	}
	c.held = append(c.held, p...)
	if before, after, found := bytes.Cut(c.held, c.mark); found {
		c.held = before
		c.finish(after)
		return len(p), nil
	}
	if n := len(c.held) - len(c.mark) + 1; n > 0 {
		c.now.add(c.held[:n])
		c.held = append(c.held[:0], c.held[n:]...)
	}
	return len(p), nil
}

// finish ends the call; what came after its mark is the next one's.
func (c *capture) finish(after []byte) {
	c.now.add(c.held)
	c.next.add(after)
	c.mark, c.held = nil, nil
	close(c.seen)
}

// end returns the call's output, whether its mark has come or not.
func (c *capture) end() (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mark != nil {
		c.finish(nil)
	}
	return c.now.String(), c.now.cut
}

// text is the first MaxOutput bytes of what is added.
type text struct {
	data []byte
	cut  bool
}

func (t *text) add(p []byte) {
	room := MaxOutput - len(t.data)
	t.cut = t.cut || len(p) > room
	t.data = append(t.data, p[:min(len(p), room)]...)
}

// cutNote ends a text that was longer.
var cutNote = fmt.Sprintf("\n[cut: more than %d bytes]\n", MaxOutput)

// String is valid UTF-8 of at most MaxOutput bytes, with the note where something is missing.
func (t *text) String() string {
	s := strings.ToValidUTF8(string(t.data), string(utf8.RuneError))
	if !t.cut && len(s) <= MaxOutput {
		return s
	}
	t.cut = true
	end := min(len(s), MaxOutput-len(cutNote))
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + cutNote
}

// bounded cuts a text like an output.
func bounded(s string) (string, bool) {
	var t text
	t.add([]byte(s))
	return t.String(), t.cut
}
