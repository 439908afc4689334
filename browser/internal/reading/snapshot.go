package reading

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// snapshotJS reads a document as an accessibility tree, and answers for its elements; see the file.
//
//go:embed snapshot.js
var snapshotJS string

// snapshotWorld names the world in which elements have their numbers. It lasts as long as its document.
const snapshotWorld = "snapshot"

// Bounds of a snapshot: characters unless said otherwise, rows of a document, characters read of a document.
const (
	MaxRows          = 5_000
	snapshotDocument = 500_000
)

// SnapshotOptions of one snapshot.
type SnapshotOptions struct {
	Interactive bool // without what can't be acted on, but for headings, dialogs, forms and frames
	MaxChars    int  // of the text
}

// Snapshot is the content of a page as it is shown.
type Snapshot struct {
	Text       string // a line for each visible thing, indented by depth
	URL, Title string
	Refs       int  // references of the whole page, including those that were cut
	Cut        bool // the page has more than Text shows
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

// Snapshot reads what the page shows as an accessibility tree, whose elements have references until the next snapshot.
func (p *Reader) Snapshot(ctx context.Context, o SnapshotOptions) (Snapshot, error) {
	for range 3 {
		s := snapshotting{reading: reading{reader: p, key: tab.NewKey(), end: p.framesEnd(ctx)}, options: o}
		out, err := s.take(ctx)
		if err == nil || !contextGone(err) {
			return out, err
		}
		if err := p.tab.Wait(ctx, 50*time.Millisecond); err != nil {
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
	if s.reader.shown.key == "" {
		if err := s.reader.watchPopups(ctx); err != nil {
			return Snapshot{}, err
		}
		s.reader.shown = shown{key: tab.NewKey(), next: 1}
	}
	s.shown = shown{key: s.reader.shown.key, next: s.reader.shown.next, places: map[int][]int{}}
	var w world
	main, err := tab.Do(ctx, s.reader.tab, "take a snapshot", func() (part snapshotPart, err error) {
		if w, err = s.reader.snapshotWorld(&s.homes); err != nil {
			return part, err
		}
		return s.document(w, s.shown.next, documentWait)
	})
	if err != nil {
		if !contextGone(err) && !s.reader.tab.Gone(err) && ctx.Err() == nil {
			err = fmt.Errorf("%w: %w", ErrUnread, err)
		}
		return Snapshot{}, err
	}
	s.add(ctx, main, w, nil, 0)
	if s.cut > 0 || s.partial {
		fmt.Fprintf(&s.text, "[cut: %d more lines are not shown]\n", s.cut)
	}
	s.reader.shown = s.shown
	return Snapshot{Text: s.text.String(), URL: main.URL, Title: main.Title, Refs: len(s.shown.places), Cut: s.cut > 0 || s.partial}, nil
}

// snapshotWorld is the main document's.
func (p *Reader) snapshotWorld(homes *frameHomes) (world, error) {
	root, err := homes.add(p.tab.CDP)
	if err != nil {
		return world{}, err
	}
	return frameAt{p.tab.CDP, root}.world(snapshotWorld)
}

// document reads one document, in which new elements are numbered from next on.
func (s *snapshotting) document(w world, next int, limit time.Duration) (part snapshotPart, err error) {
	answer, err := w.ask(limit, s.shown.key, "rows", s.options.Interactive, next, MaxRows, snapshotDocument)
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
	if len(path) >= MaxFrameDepth || s.count >= MaxFrames || s.left() == 0 {
		return
	}
	s.count++
	w, err := s.into(ctx, in, s.shown.key, row.frame)
	if err != nil {
		return
	}
	next := s.shown.next
	part, err, answered := tab.Try(ctx, s.reader.tab, s.left(), func() (snapshotPart, error) { return s.document(w, next, frameWait) })
	if !answered {
		s.shown.next += MaxRows // it may still assign numbers
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
	w, err, answered := tab.Try(ctx, r.reader.tab, r.left(), func() (world, error) { return at.world(snapshotWorld) })
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
