package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// snapshotJS reads a document as an accessibility tree, and answers for its elements; see the file.
//
//go:embed snapshot.js
var snapshotJS string

// snapshotWorld names the world in which elements have their numbers. It lasts as long as its document.
const snapshotWorld = "snapshot"

// Bounds of a snapshot: characters unless said otherwise, rows of a document, characters read of a document.
const (
	defaultSnapshot  = 40_000
	maxSnapshot      = 400_000
	snapshotRows     = 5_000
	snapshotDocument = 500_000
)

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

// shown is the last snapshot's data for acting on its references.
type shown struct {
	key    string
	next   int           // the number that the next new element gets
	places map[int][]int // by number: the frames on the way to the element, as each document numbers them
}

// snapshotPart is what a document gave.
type snapshotPart struct {
	Rows       []snapshotRow `json:"rows"`
	Next       int           `json:"next"`
	Cut        bool          `json:"cut"`
	Title, URL string
}

// snapshotRow is [depth, role, name, properties, number, frame].
type snapshotRow struct {
	depth         int
	role, name    string
	properties    [][]string
	number, frame int
}

func (r *snapshotRow) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&r.depth, &r.role, &r.name, &r.properties, &r.number, &r.frame})
}

// Snapshot reads what the page shows as an accessibility tree: open shadow trees and the visible frames of any site are in it, in
// the bounds of [Page.Content]; invisible parts are not, nor those hidden by Hide and Consent. Elements that can be acted on have
// references, e1, e2, …, which no other element of the page ever gets, for [Page.Element] and the methods by reference. They are
// kept where the page's scripts can neither see nor forge them, until the next snapshot. What passwords hold is never shown. Text of
// the color of its background counts as seen.
func (p *Page) Snapshot(ctx context.Context, o SnapshotOptions) (Snapshot, error) {
	if o.MaxChars < 0 || o.MaxChars > maxSnapshot {
		return Snapshot{}, &OptionError{"MaxChars", strconv.Itoa(o.MaxChars), fmt.Sprintf("1 to %d, or 0 for %d", maxSnapshot, defaultSnapshot)}
	}
	if o.MaxChars == 0 {
		o.MaxChars = defaultSnapshot
	}
	for range 3 {
		s := snapshotting{reading: reading{page: p, key: newKey(), end: p.framesEnd()}, options: o}
		out, err := s.take(ctx)
		if err == nil || !contextGone(err) {
			return out, err
		}
		if err := p.Wait(ctx, 50*time.Millisecond); err != nil {
			return Snapshot{}, err
		}
	}
	return Snapshot{}, fmt.Errorf("take a snapshot: the page was replaced three times: %w", ErrUnread)
}

// snapshotting is one snapshot on its way.
type snapshotting struct {
	reading
	options SnapshotOptions
	shown   shown
	text    strings.Builder
	cut     int // lines that didn't fit
	partial bool
}

func (s *snapshotting) take(ctx context.Context) (Snapshot, error) {
	defer s.leave(ctx)
	if s.page.shown.key == "" {
		if err := s.page.watchPopups(ctx); err != nil {
			return Snapshot{}, err
		}
		s.page.shown = shown{key: newKey(), next: 1}
	}
	s.shown = shown{key: s.page.shown.key, next: s.page.shown.next, places: map[int][]int{}}
	var w world
	main, err := do(ctx, s.page, "take a snapshot", func() (part snapshotPart, err error) {
		if w, err = s.page.snapshotWorld(&s.homes); err != nil {
			return part, err
		}
		return s.document(w, s.shown.next, documentWait)
	})
	if err != nil {
		if !contextGone(err) && !s.page.lost(err) && ctx.Err() == nil {
			err = fmt.Errorf("%w: %w", ErrUnread, err)
		}
		return Snapshot{}, err
	}
	s.add(ctx, main, w, nil, 0)
	if s.cut > 0 || s.partial {
		fmt.Fprintf(&s.text, "[cut: %d more lines are not shown]\n", s.cut)
	}
	s.page.shown = s.shown
	return Snapshot{Text: s.text.String(), URL: main.URL, Title: main.Title, Refs: len(s.shown.places), Cut: s.cut > 0 || s.partial}, nil
}

// snapshotWorld is the main document's.
func (p *Page) snapshotWorld(homes *frameHomes) (world, error) {
	root, err := homes.add(p.cdp)
	if err != nil {
		return world{}, err
	}
	return frameAt{p.cdp, root}.world(snapshotWorld)
}

// document reads one document, in which new elements are numbered from next on.
func (s *snapshotting) document(w world, next int, limit time.Duration) (part snapshotPart, err error) {
	answer, err := w.ask(limit, s.shown.key, "rows", s.options.Interactive, next, snapshotRows, snapshotDocument)
	if err == nil {
		err = json.Unmarshal(answer, &part)
	}
	return part, err
}

// ask runs snapshotJS in a document and returns the resulting JSON.
func (w world) ask(limit time.Duration, args ...any) (json.RawMessage, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	value, err := w.evaluate(fmt.Sprintf("(%s)(%s)", snapshotJS, text), limit)
	answer, _ := value.(string)
	return json.RawMessage(answer), err
}

// add writes a document's lines, and those of its frames in their places.
func (s *snapshotting) add(ctx context.Context, part snapshotPart, w world, path []int, indent int) {
	s.partial = s.partial || part.Cut
	s.shown.next = max(s.shown.next, part.Next)
	for _, row := range part.Rows {
		if row.number > 0 {
			s.shown.places[row.number] = path
		}
		row.depth = min(max(row.depth, 0), 40) + indent
		s.line(row)
		if row.frame >= 0 {
			s.frame(ctx, w, row, path)
		}
	}
}

// frame adds the document of a frame, nothing where that is unavailable.
func (s *snapshotting) frame(ctx context.Context, in world, row snapshotRow, path []int) {
	if len(path) >= maxFrameDepth || s.count >= maxFramesRead || s.left() == 0 {
		return
	}
	s.count++
	w, err := s.into(ctx, in, s.shown.key, row.frame)
	if err != nil {
		return
	}
	next := s.shown.next
	part, err, answered := try(ctx, s.page, s.left(), func() (snapshotPart, error) { return s.document(w, next, frameWait) })
	if !answered {
		s.shown.next += snapshotRows // it may still assign numbers
	}
	if !answered || err != nil {
		return
	}
	s.add(ctx, part, w, append(path[:len(path):len(path)], row.frame), row.depth+1)
}

var errNoFrame = errors.New("the frame is gone")

// into returns the snapshot's world of a frame's document.
func (r *reading) into(ctx context.Context, in world, key string, frame int) (world, error) {
	at, ok := r.locateAs(ctx, in, fmt.Sprintf("globalThis[%q].frames[%d]", key, frame))
	if !ok {
		return world{}, errNoFrame
	}
	w, err, answered := try(ctx, r.page, r.left(), func() (world, error) { return at.world(snapshotWorld) })
	if !answered {
		err = errNoFrame
	}
	return w, err
}

// line writes one row, as long as there is room.
func (s *snapshotting) line(r snapshotRow) {
	var b strings.Builder
	b.WriteString(strings.Repeat("  ", r.depth) + "- " + r.role)
	if r.name != "" {
		b.WriteString(" " + quoted(r.name))
	}
	if r.number > 0 {
		fmt.Fprintf(&b, " [e%d]", r.number)
	}
	for _, p := range r.properties {
		if len(p) > 0 {
			b.WriteString(" " + p[0])
		}
		for i, value := range p[min(1, len(p)):] {
			b.WriteString(map[bool]string{true: "=", false: "|"}[i == 0] + quoted(value))
		}
	}
	b.WriteByte('\n')
	if s.cut > 0 || s.text.Len()+b.Len() > s.options.MaxChars {
		s.cut++
		return
	}
	s.text.WriteString(b.String())
}

// quoted is a JSON string, for people to read.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // strings only
	return strings.TrimSuffix(b.String(), "\n")
}
