package reading

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// contentJS serializes one document; see the file.
//
//go:embed content.js
var contentJS string

// The limits of reading a page's frames: how deep, how many, how much of each and of all, and how long the reading may take: that is less
// where the caller's time is short. A frame has to wait for a busy machine's processor too, and what it shows is worth the time.
const (
	MaxFrameDepth  = 5
	MaxFrames      = 40
	maxFrameLength = 2 << 20
	maxFramesTotal = 8 << 20
	frameWait      = 5 * time.Second
	framesWait     = 10 * time.Second
	documentWait   = 10 * time.Second // for one document, however large
	contentTries   = 20               // while the page loads again and again: a busy machine needs many
)

// contentWorld names the world in which a document is read. A repeated reading finds the existing world, so that a
// document gets no more of them.
const contentWorld = "content"

// Content returns the document as it is now, serialized, with open shadow trees and visible frames. A document over Options.MaxBody is
// ErrTooLarge; the browser's own page for a failed load is an *ErrorPage.
func (p *Reader) Content(ctx context.Context) (string, error) {
	for range contentTries {
		r := reading{reader: p, key: tab.NewKey(), end: p.framesEnd(ctx)}
		html, err := r.read(ctx)
		switch {
		case err != nil && contextGone(err):
			if err := p.tab.Wait(ctx, 50*time.Millisecond); err != nil {
				return "", err
			}
			continue
		case !errors.Is(err, errScript):
			return html, err
		}
		break
	}
	return tab.Do(ctx, p.tab, "read the page", p.tab.Page.Content)
}

// ErrTooLarge is found in the error of Content for a document over Options.MaxBody.
var ErrTooLarge = errors.New("body is too large")

// ErrorPage means that the browser shows a page of its own, which has no content of a site, for an address that it could not load.
type ErrorPage struct{ URL string }

func (e *ErrorPage) Error() string { return "the browser shows its error page" }

func isErrorPage(err error) bool {
	_, is := errors.AsType[*ErrorPage](err)
	return is
}

// errScript means that contentJS didn't finish, as in a document that nests too deep for it.
var errScript = errors.New("the script failed")

// reading is one reading of a page and its frames.
type reading struct {
	reader *Reader
	key    string // marks the places of frames
	end    time.Time
	count  int
	bytes  int
	homes  frameHomes
}

// part is the reading of one document.
type part struct {
	html   string
	frames []int // numbers of the marked frames, in order
	size   float64
	world  world
}

// read reads the main document and what is in it.
func (r *reading) read(ctx context.Context) (string, error) {
	p := r.reader
	defer r.leave(ctx)
	main, err := tab.Do(ctx, p.tab, "read the page", func() (part, error) {
		root, err := r.homes.add(p.tab.CDP)
		if err != nil {
			return part{}, err
		}
		if address, failed := r.homes.failed[root]; failed {
			return part{}, &ErrorPage{address}
		}
		return r.document(frameAt{p.tab.CDP, root}, false)
	})
	switch {
	case err != nil && (ctx.Err() != nil || p.tab.Gone(err) || contextGone(err) || isErrorPage(err)):
		return "", err
	case err != nil:
		return "", fmt.Errorf("%w: %w", errScript, err)
	case main.size > 0:
		return "", fmt.Errorf("read the page: %.0f characters, over %d: %w", main.size, p.Options.MaxBody, ErrTooLarge)
	}
	return r.fill(ctx, main, 1), nil
}

// document runs contentJS in a document.
func (r *reading) document(at frameAt, inner bool) (part, error) {
	w, err := at.world(contentWorld)
	if err != nil {
		return part{}, err
	}
	ask, err := json.Marshal(r.ask(inner))
	if err != nil {
		return part{}, err
	}
	answer, err := w.evaluate(fmt.Sprintf("(%s)(%s)", contentJS, ask), documentWait)
	out := part{world: w, size: tab.Number(tab.Field(answer, "size"))}
	out.html, _ = tab.Field(answer, "html").(string)
	numbers, _ := tab.Field(answer, "frames").([]any)
	for _, n := range numbers {
		out.frames = append(out.frames, int(tab.Number(n)))
	}
	return out, err
}

// ask is the argument of contentJS.
func (r *reading) ask(inner bool) []any {
	limit := r.reader.Options.MaxBody
	if inner {
		limit = maxFrameLength
	}
	return []any{r.key, inner, r.reader.Options.Hidden, limit, MaxFrames}
}

// framesEnd is when the reading of frames ends at the latest.
func (p *Reader) framesEnd(ctx context.Context) time.Time {
	wait := framesWait
	if end, ok := ctx.Deadline(); ok {
		wait = min(wait, time.Until(end)/3)
	}
	return time.Now().Add(wait + p.Options.Slack)
}

func (r *reading) left() time.Duration {
	return max(0, min(frameWait+r.reader.Options.Slack, time.Until(r.end)))
}

// fill puts the frames' documents into their places.
func (r *reading) fill(ctx context.Context, outer part, depth int) string {
	html := outer.html
	for _, i := range outer.frames {
		mark := "<!--" + r.key + ":" + strconv.Itoa(i) + "-->"
		html = strings.Replace(html, mark, r.inner(ctx, outer.world, i, depth), 1)
	}
	return html
}

// inner reads the document of a frame, "" where it is unavailable.
func (r *reading) inner(ctx context.Context, in world, i, depth int) string {
	if depth > MaxFrameDepth || r.count >= MaxFrames || r.bytes >= maxFramesTotal || r.left() == 0 {
		return ""
	}
	r.count++
	at, ok := r.locate(ctx, in, i)
	if !ok {
		return ""
	}
	found, err, answered := tab.Try(ctx, r.reader.tab, r.left(), func() (part, error) { return r.document(at, true) })
	if !answered || err != nil {
		return ""
	}
	r.bytes += len(found.html)
	return r.fill(ctx, found, depth+1)
}

// locate finds the document of a marked frame.
func (r *reading) locate(ctx context.Context, in world, i int) (frameAt, bool) {
	return r.locateAs(ctx, in, fmt.Sprintf("globalThis[%q][%d]", r.key, i))
}

// locateAs finds the document of the frame that the expression names.
func (r *reading) locateAs(ctx context.Context, in world, expression string) (frameAt, bool) {
	id, err, answered := tab.Try(ctx, r.reader.tab, r.left(), func() (string, error) { return in.frameOf(expression) })
	if !answered || err != nil {
		return frameAt{}, false
	}
	if r.homes.sessions[id] == nil {
		r.visitRemote(ctx)
	}
	session := r.homes.sessions[id]
	_, failed := r.homes.failed[id]
	return frameAt{session, id}, session != nil && !failed
}
