package formats

import (
	"context"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// Signals are facts about a page that was fetched without a browser, for callers that decide whether its
// scripts must be run. They are counted, not judged. For a body that is not HTML only TextWords, Links, HTMLBytes and
// ServerRendered are set.
type Signals struct {
	TextWords   int // words that a reader sees without scripts
	Links       int // a[href] elements that lead to some page
	Images      int
	Scripts     int // script elements that may run
	ScriptBytes int // length of their inline text
	StateBytes  int // length of data for scripts: JSON states, __NEXT_DATA__ and the like
	HTMLBytes   int // length of the body

	EmptyMount     string // id, else name, of a node that scripts fill and that holds no words; "" when there is none
	Framework      string // "react", "next", "vue", "nuxt", "angular", "svelte", …; "" when none shows
	ServerRendered bool   // the node that the framework fills, or without one the page, already holds text
	NoscriptAsks   bool   // a noscript message requests JavaScript
	MetaRefresh    string // address that a meta refresh leads to within 30 s; the page's own when it only reloads; "" without one
	RefreshSeconds int    // after how long it does so
	Wall           string // name of a challenge, captcha or block page's marker; "" when none shows
	Login          bool   // the page requests a password and holds little else
	LazyContent    int    // elements that stand for content to come: skeletons, spinners, aria-busy
}

// renderedWords is the number of words in a mount node from which its text counts as rendered by the server.
const renderedWords = 20

// Signals walks the page once. The answer is the same for the same page every time.
func (d *DOM) Signals(ctx context.Context) (_ Signals, err error) {
	defer d.under(ctx).Catch(&err)
	return d.signals(), nil
}

func (d *DOM) signals() Signals {
	if d.kind != kindHTML {
		n := content.Words(d.text)
		return Signals{TextWords: n, Links: len(d.textLinks()), HTMLBytes: len(d.src.Body), ServerRendered: true}
	}
	if d.tree == nil {
		if s := d.newSignalReader(); s.readNodes() {
			return s.finish()
		}
	}
	t, unseen := d.list()
	s := d.newSignalReader()
	s.TextWords = t.Words(unseen)
	for i := range t.Len() {
		d.steps.Visit()
		if n := t.Node(i); n.Type == html.ElementNode {
			s.element(n)
			if name := mountName(n); name != "" {
				s.mount(t.WordsBelow(i), name)
			}
		}
	}
	return s.finish()
}

func (d *DOM) newSignalReader() *signalReader {
	return &signalReader{dom: d, Signals: Signals{HTMLBytes: len(d.src.Body)}}
}

// readNodes reads a page of which there is no list yet, and reports whether it needs none, as it has no mount nodes.
func (s *signalReader) readNodes() bool {
	for n := range s.dom.nodes() {
		if n.Type != html.ElementNode {
			continue
		}
		if mountName(n) != "" {
			return false
		}
		s.element(n)
	}
	s.TextWords = content.SeenWords(s.dom.steps, s.dom.doc)
	return true
}

// MainWords is how many of Signals.TextWords are in the main content, which has to be found for it: that costs much more than Signals.
func (d *DOM) MainWords(ctx context.Context) (_ int, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return content.Words(d.text), nil
	}
	t, _ := d.list()
	return t.Words(d.mainMask()), nil
}

// IsInert reports whether a browser would show no more than the page itself has: no script of it runs, no document is inside of it, it
// leads nowhere by itself, and has no mark of a wall. A body without HTML is inert. It costs much less than Signals.
func (d *DOM) IsInert(ctx context.Context) (_ bool, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return true, nil
	}
	s := signalReader{dom: d}
	for n := range d.nodes() {
		if n.Type == html.ElementNode && s.moves(n) {
			return false, nil
		}
	}
	return true, nil
}

// moves reports an element for which a browser shows another page, or more of it.
func (s *signalReader) moves(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		return runs(nodes.Attr(n, "type"))
	case atom.Meta:
		s.meta(n)
	case atom.Title:
		s.barrier(n)
	}
	kind, _ := frameOf(n)
	return kind != "" || s.MetaRefresh != "" || s.Wall != ""
}

// Wall returns the name of the challenge, captcha or block page that the page is, as in Signals; login reports whether it requests a
// password and holds little else. It costs much less than Signals.
func (d *DOM) Wall(ctx context.Context) (name string, login bool, err error) {
	defer d.under(ctx).Catch(&err)
	if d.kind != kindHTML {
		return "", false, nil
	}
	s := signalReader{dom: d}
	for n := range d.nodes() {
		if n.Type == html.ElementNode {
			s.barrier(n)
		}
	}
	if s.passwords == 0 && s.captcha == "" {
		return s.Signals.Wall, false, nil // the words don't matter
	}
	t, unseen := d.list()
	s.TextWords = t.Words(unseen)
	signals := s.finish()
	return signals.Wall, signals.Login, nil
}

type signalReader struct {
	Signals
	dom         *DOM
	mountWords  int  // of the fullest mount node
	mounts      int  // mount nodes seen
	hydratable  bool // a mark that only a server leaves
	captcha     string
	passwords   int // password fields
	framePoints int // how specific the framework's mark was
}

func (s *signalReader) element(n *html.Node) {
	s.barrier(n)
	switch n.DataAtom {
	case atom.A:
		if s.dom.link(nodes.Attr(n, "href")) != "" {
			s.Links++
		}
	case atom.Img:
		s.Images++
	case atom.Script:
		s.script(n)
	case atom.Noscript:
		s.NoscriptAsks = s.NoscriptAsks || asksForScript(n)
	case atom.Meta:
		s.meta(n)
	}
	s.marks(n)
}

// barrier notes signs of a page that stands before another one.
func (s *signalReader) barrier(n *html.Node) {
	switch n.DataAtom {
	case atom.Input:
		if strings.EqualFold(nodes.Attr(n, "type"), "password") {
			s.passwords++
		}
	case atom.Title:
		if n.FirstChild != nil {
			s.wall(wallTitle(n.FirstChild.Data))
		}
	case atom.Script:
		if !runs(nodes.Attr(n, "type")) {
			return
		}
		src, inline := scriptOf(n)
		s.wall(wallScript(src, inline))
		if c := captchaScript(src); c != "" {
			s.captcha = c
		}
	}
}

func scriptOf(n *html.Node) (src, inline string) {
	if n.FirstChild != nil {
		inline = n.FirstChild.Data
	}
	return nodes.Attr(n, "src"), inline
}

func (s *signalReader) script(n *html.Node) {
	_, inline := scriptOf(n)
	if !runs(nodes.Attr(n, "type")) {
		s.StateBytes += len(inline)
		s.framework(frameworkOfState(nodes.Attr(n, "id"), ""))
		return
	}
	s.Scripts++
	s.ScriptBytes += len(inline)
	s.framework(frameworkOfState(nodes.Attr(n, "id"), inline))
}

// runs reports whether a script of this type is run; all others hold data.
func runs(scriptType string) bool {
	switch t := strings.ToLower(strings.TrimSpace(scriptType)); t {
	case "", "module", "application/javascript", "text/javascript", "application/x-javascript", "application/ecmascript", "text/ecmascript":
		return true
	default:
		return strings.HasSuffix(t, "-text/javascript") // deferred by a loader that puts a key before the type
	}
}

// asksForScript reports a short message that names JavaScript; the name is the same in every language.
func asksForScript(n *html.Node) bool {
	const maxLen = 2000
	if n.FirstChild == nil || n.FirstChild.Type != html.TextNode || len(n.FirstChild.Data) > maxLen {
		return false
	}
	s := strings.ToLower(n.FirstChild.Data)
	if strings.Contains(s, "<iframe") || strings.Contains(s, "<img") && !strings.Contains(s, "</") {
		return false // a tracker's picture
	}
	return strings.Contains(s, "javascript") || strings.Contains(s, "enable js")
}

func (s *signalReader) meta(n *html.Node) {
	if s.MetaRefresh != "" || !strings.EqualFold(nodes.Attr(n, "http-equiv"), "refresh") {
		return
	}
	const reading = 30 // seconds; a page that reloads later is there to be read
	delay, target := refresh(nodes.Attr(n, "content"))
	if delay > reading {
		return
	}
	s.RefreshSeconds = delay
	s.MetaRefresh = s.dom.absolute(target)
	if s.MetaRefresh == "" {
		s.MetaRefresh = s.dom.src.URL
	}
}

// refresh reads "5; url=/next" in its many spellings. An empty target means the page itself.
func refresh(v string) (seconds int, target string) {
	v = strings.TrimSpace(v)
	end := len(v) - len(strings.TrimLeft(v, "0123456789"))
	seconds, _ = strconv.Atoi(v[:end])
	_, rest, found := strings.Cut(v[end:], ";")
	if !found {
		_, rest, _ = strings.Cut(v[end:], ",")
	}
	rest = strings.TrimSpace(rest)
	if nodes.HasPrefixFold(rest, "url") {
		rest = strings.TrimLeft(rest[len("url"):], " =")
	}
	return seconds, strings.Trim(rest, `'" `)
}

// mount remembers a node that scripts fill, with so many words in it.
func (s *signalReader) mount(words int, name string) {
	s.mounts++
	s.mountWords = max(s.mountWords, words)
	if words == 0 && s.EmptyMount == "" {
		s.EmptyMount = name
	}
}

// framework keeps the most specific name: "next" says more than "react".
func (s *signalReader) framework(name string, points int) {
	if points > s.framePoints {
		s.Framework, s.framePoints = name, points
	}
}

func (s *signalReader) wall(name string) {
	if s.Wall == "" {
		s.Wall = name
	}
}

// captchaWords is the number of words up to which a page with a captcha script is taken for a wall;
// beyond, it is a form's.
const captchaWords = 60

// loginWords is the number of words up to which a page with a password field is taken for one that
// stands before another page; beyond, it is one that happens to let its readers sign in.
const loginWords = 80

func (s *signalReader) finish() Signals {
	if s.mounts == 0 {
		s.ServerRendered = s.TextWords >= renderedWords
	} else {
		s.ServerRendered = s.mountWords >= renderedWords || s.hydratable && s.mountWords > 0
	}
	if s.mountWords > 0 {
		s.EmptyMount = "" // another node was filled: the empty one is for later
	}
	if s.TextWords < captchaWords {
		s.wall(s.captcha)
	}
	s.Login = s.passwords > 0 && s.TextWords < loginWords
	return s.Signals
}
