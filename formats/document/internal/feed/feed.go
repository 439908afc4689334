package feed

import (
	"bytes"
	"context"
	"errors"
	"html"
	"net/url"
	"strings"
	"time"

	"github.com/winnow-go/winnow/formats/document/internal/flow"
	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

// Document is a converted feed: the content of a body element and the feed's metadata.
type Document = flow.Document

// Options control how a feed is read. The zero value works.
type Options struct {
	// URL is where the feed came from: links are resolved against it. Empty leaves relative ones out.
	URL string
	// Text limits the size of the HTML, in bytes. Defaults to 32 MiB.
	Text int64
	// Items limits how many items are read. Defaults to 10,000.
	Items int
}

// ErrNotFeed means that the body is not a feed.
var ErrNotFeed = errors.New("not a feed")

// Is reports whether a body looks like a feed, by its first element or its version member. It checks only some kilobytes.
func Is(body []byte) bool { return isXML(body) || isJSON(body) }

// Read converts a feed. For a truncated feed it returns the items up to there, with a warning. Errors are ErrNotFeed, the
// parser's when nothing could be read, and ctx's.
func Read(ctx context.Context, body []byte, o Options) (*Document, error) {
	if o.Text <= 0 {
		o.Text = 32 << 20
	}
	if o.Items <= 0 {
		o.Items = 10_000
	}
	w := &writer{ctx: ctx, o: o, out: flow.New(flow.NewBudget(o.Text)), doc: &Document{}}
	if u, err := url.Parse(o.URL); err == nil && u.IsAbs() {
		w.base = u
	}
	var err error
	switch {
	case isJSON(body):
		err = w.readJSON(body)
	case isXML(body):
		err = w.readXML(body)
	default:
		return nil, ErrNotFeed
	}
	return w.finish(err)
}

// writer writes a feed.
type writer struct {
	ctx   context.Context
	o     Options
	base  *url.URL
	out   *flow.Flow
	doc   *Document
	head  bool // the feed's own lines are written
	about channel
	items int
}

func (w *writer) finish(err error) (*Document, error) {
	if ctxErr := w.ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	w.heading()
	if err != nil && w.out.Empty() {
		return nil, err
	}
	if err != nil {
		w.doc.Warn("The feed is damaged; what could be read of it is here.")
	}
	if w.out.Full() {
		w.doc.Warn("The feed holds more text than the limit; the rest was left out.")
	}
	w.doc.Body = w.out.HTML()
	return w.doc, nil
}

// channel is what a feed says about itself.
type channel struct{ title, link, description string }

// item is an entry of a feed.
type item struct {
	title, link, author, date string
	content                   string // HTML or text
	markup                    bool   // content is HTML
	enclosures                []enclosure
}

type enclosure struct{ href, media string }

// heading writes the feed's title and description, once.
func (w *writer) heading() {
	if w.head {
		return
	}
	w.head = true
	w.doc.Meta.Title = plain(w.about.title)
	w.doc.Meta.Subject = plain(w.about.description)
	p := &flow.Inline{}
	p.Text(w.doc.Meta.Title, flow.Style{Href: w.resolve(w.about.link)})
	w.out.Heading(1, p)
	w.out.Text(w.doc.Meta.Subject)
}

// item writes an entry. more is false when no other should come.
func (w *writer) item(it item) (more bool) {
	w.heading()
	if w.items == w.o.Items {
		w.doc.Warn("The feed has more items than the limit; the rest was left out.")
		return false
	}
	w.items++
	link := w.resolve(it.link)
	title := plain(it.title)
	if title == "" {
		title = link
	}
	p := &flow.Inline{}
	p.Text(title, flow.Style{Href: link})
	w.out.Heading(2, p)
	w.byline(it)
	w.content(it)
	for _, e := range it.enclosures {
		w.enclosure(e)
	}
	return !w.out.Full()
}

func (w *writer) byline(it item) {
	var parts []string
	for _, s := range []string{isoDate(it.date), plain(it.author)} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	w.out.Text(strings.Join(parts, " · "))
}

func (w *writer) content(it item) {
	if it.markup || looksLikeMarkup(it.content) {
		w.out.Foreign([]byte(it.content), flow.Links{Base: w.base})
		return
	}
	for block := range strings.SplitSeq(strings.ReplaceAll(html.UnescapeString(it.content), "\r\n", "\n"), "\n\n") {
		w.out.Text(strings.TrimSpace(block))
	}
}

func (w *writer) enclosure(e enclosure) {
	href := w.resolve(e.href)
	if href == "" {
		return
	}
	name := "Enclosure"
	if e.media != "" {
		name += " (" + e.media + ")"
	}
	p := &flow.Inline{}
	p.Text(name, flow.Style{Href: href})
	w.out.Para(p)
}

// resolve is the absolute address of a link, "" for one that leads nowhere.
func (w *writer) resolve(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" || w.base == nil {
		return flow.SafeHref(ref)
	}
	u, err := w.base.Parse(ref)
	if err != nil {
		return ""
	}
	return flow.SafeHref(u.String())
}

// looksLikeMarkup reports a tag or an entity in a text that may be either.
func looksLikeMarkup(s string) bool {
	i := strings.IndexByte(s, '<')
	return i >= 0 && i+1 < len(s) && (s[i+1] == '/' || s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z')
}

// plain is a title as text, which some feeds write as HTML.
func plain(s string) string {
	if looksLikeMarkup(s) {
		s = stripTags(s)
	}
	return strings.Join(strings.Fields(html.UnescapeString(s)), " ")
}

func stripTags(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, "<")
		b.WriteString(before)
		_, after, closed := strings.Cut(rest, ">")
		if !found || !closed {
			b.WriteString(rest)
			break
		}
		s = after
	}
	return b.String()
}

// isoDate is a date in ISO form, or as it stands when it can't be read.
func isoDate(s string) string {
	t := flow.ParseTime(s)
	if t.IsZero() {
		return strings.Join(strings.Fields(s), " ")
	}
	if t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339)
}

// isXML looks at the first element.
func isXML(body []byte) bool {
	head := bytes.TrimLeft(bytes.TrimPrefix(body[:min(len(body), 8<<10)], []byte("\xEF\xBB\xBF")), " \t\r\n")
	if len(head) == 0 || head[0] != '<' && head[0] != 0xFE && head[0] != 0xFF {
		return false
	}
	n, err := xmltree.New(context.Background(), head).Next()
	if err != nil {
		return false
	}
	switch n.Name {
	case "rss", "atom:feed", "rdf:RDF":
		return n.Name != "rdf:RDF" || bytes.Contains(head, []byte("purl.org/rss")) || bytes.Contains(head, []byte("netscape.com/rdf"))
	}
	return false
}

func isJSON(body []byte) bool {
	head := bytes.TrimLeft(body[:min(len(body), 8<<10)], " \t\r\n\xEF\xBB\xBF")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte("jsonfeed.org/version/"))
}
