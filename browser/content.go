package browser

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/playwright-community/playwright-go"
)

// contentJS serialises one document; see the file.
//
//go:embed content.js
var contentJS string

// What of a page's frames is read: how deep, how many, how much of each and of all, and how long the reading may take.
const (
	maxFrameDepth  = 5
	maxFramesRead  = 40
	maxFrameLength = 2 << 20
	maxFramesTotal = 8 << 20
	frameWait      = time.Second
	framesWait     = 3 * time.Second
)

// Content returns the document as it is now, serialised: with open shadow trees in the place of what they hide, and with the visible
// frames as <div data-original-tag="iframe" data-src="…">, their links made absolute. A frame that can't be read in a second is
// left empty, as are those more than 5 deep, beyond the 40th, or over 2 MiB. What Hide and Consent have hidden is left out. A document over
// PageOptions.MaxBody is ErrTooLarge.
func (p *Page) Content(ctx context.Context) (string, error) {
	for range 3 {
		r := reading{page: p, key: newKey(), end: time.Now().Add(framesWait)}
		part, err := r.document(ctx, p.page.MainFrame())
		switch {
		case err != nil && replaced(err):
			if err := p.Wait(ctx, 50*time.Millisecond); err != nil {
				return "", err
			}
			continue
		case err != nil:
			return "", err
		case part.ok:
			return r.fill(ctx, p.page.MainFrame(), part, 1), nil
		}
		break // the page's own scripts have broken ours
	}
	return do(ctx, p, "read the page", p.page.Content)
}

// reading is one reading of a page and its frames.
type reading struct {
	page  *Page
	key   string // marks the places of frames
	end   time.Time
	count int
	bytes int
}

// part is what one document gave.
type part struct {
	html   string
	frames []playwright.Frame       // within the document
	places map[int]playwright.Frame // those that are to be put in
	ok     bool
}

// document reads the main document. Where its frames' elements can't be found any more, it is read without.
func (r *reading) document(ctx context.Context, f playwright.Frame) (part, error) {
	p := r.page
	frames, elements := r.elements(ctx, f)
	read := func(elements []any) (any, error) {
		return do(ctx, p, "read the page", func() (any, error) { return f.Evaluate(contentJS, r.ask(elements, false)) })
	}
	value, err := read(elements)
	if err != nil && len(elements) > 0 && ctx.Err() == nil && !p.lost(err) {
		value, err = read([]any{})
	}
	if err != nil {
		if ctx.Err() != nil || p.lost(err) || replaced(err) {
			return part{}, err
		}
		return part{}, nil
	}
	answer, _ := value.(map[string]any)
	if size := number(answer["size"]); size > 0 {
		return part{}, fmt.Errorf("read the page: %.0f characters, over %d: %w", size, p.opts.MaxBody, ErrTooLarge)
	}
	return parsePart(answer, frames), nil
}

// ask is the argument of contentJS.
func (r *reading) ask(elements []any, inner bool) []any {
	hidden, limit := "", r.page.opts.MaxBody
	if len(r.page.opts.Hide) > 0 || r.page.opts.Consent {
		hidden = r.page.hiddenName()
	}
	if inner {
		limit = maxFrameLength
	}
	return []any{elements, r.key, inner, hidden, limit}
}

// elements finds the elements of the frames in a frame.
func (r *reading) elements(ctx context.Context, f playwright.Frame) (frames []playwright.Frame, elements []any) {
	elements = []any{}
	for _, child := range r.page.frames.of(f) {
		if len(frames) == maxFramesRead || r.left() <= 0 {
			break
		}
		element, err, answered := try(ctx, r.page, r.left(), child.FrameElement)
		if answered && err == nil {
			frames, elements = append(frames, child), append(elements, element)
		}
	}
	return frames, elements
}

func (r *reading) left() time.Duration { return min(frameWait, time.Until(r.end)) }

func parsePart(answer map[string]any, frames []playwright.Frame) part {
	out := part{frames: frames, places: map[int]playwright.Frame{}}
	out.html, out.ok = answer["html"].(string)
	numbers, _ := answer["frames"].([]any)
	for _, n := range numbers {
		if i := int(number(n)); i >= 0 && i < len(frames) {
			out.places[i] = frames[i]
		}
	}
	return out
}

// fill puts the frames' documents into their places.
func (r *reading) fill(ctx context.Context, f playwright.Frame, outer part, depth int) string {
	html := outer.html
	for i, child := range outer.places {
		mark := "<!--" + r.key + ":" + strconv.Itoa(i) + "-->"
		html = strings.Replace(html, mark, r.inner(ctx, child, depth), 1)
	}
	return html
}

// inner reads the document of a frame, "" where it can't be had.
func (r *reading) inner(ctx context.Context, f playwright.Frame, depth int) string {
	if depth > maxFrameDepth || r.count >= maxFramesRead || r.bytes >= maxFramesTotal || r.left() <= 0 {
		return ""
	}
	r.count++
	frames, elements := r.elements(ctx, f)
	value, err, answered := try(ctx, r.page, max(r.left(), 0), func() (any, error) { return f.Evaluate(contentJS, r.ask(elements, true)) })
	answer, _ := value.(map[string]any)
	if !answered || err != nil || answer == nil {
		return ""
	}
	found := parsePart(answer, frames)
	r.bytes += len(found.html)
	return r.fill(ctx, f, found, depth+1)
}
