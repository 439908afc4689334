package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/document"
)

// by says what acquired a page.
type by string

const (
	byHTTP    by = "http"
	byBrowser by = "browser"
)

// source is an acquired page: what came from the network, and how.
type source struct {
	by     by // "" for a file that was handed over
	reason string
	ready  string

	document    int    // of the browser's, its number; see [browser.Page.Document]
	asked       string // the URL that was asked for, normalised
	url         string // where redirects ended
	status      int
	contentType string // the header's value
	mediaType   string // sniffed, without parameters
	language    string // the Content-Language header
	body        []byte // as received; from a browser, the serialised tree
	fromTree    bool   // body is a browser's tree, in UTF-8
	late        bool   // the time ran out after this was acquired
	damage      error  // of the body; nil for none
	partial     bool   // something that belongs to the page is known to be missing

	etag, lastModified string // as the site gave them
	retryAfter         string
	sum                string // see digest

	screenshot image
	brand      *formats.Brand // nil where it wasn't asked for, or couldn't be read
	actions    *actions.Output
	handled    []string // banners and the like
	dom        *formats.DOM
	signals    *formats.Signals
	name       string           // of a file that was handed over
	files      fileOptions      // how the request wants it read, when it is a file
	kind       *document.Kind   // see fileKind
	result     *document.Result // see read
	wall       *string          // see blockedBy
}

// parse gives the page's tree, built once.
func (s *source) parse(ctx context.Context) (*formats.DOM, error) {
	if s.dom != nil {
		return s.dom, nil
	}
	if s.isFile() {
		return s.parseFile(ctx)
	}
	text := s.body
	if fetch.IsText(s.mediaType) && !s.fromTree {
		text, _ = fetch.Text(s.body, s.contentType)
	}
	dom, err := formats.Parse(ctx, formats.Source{URL: s.url, MediaType: s.mediaType, Language: s.language, Body: text, Raw: s.body})
	if err == nil {
		err = s.findWall(ctx, dom)
	}
	if err != nil {
		return nil, err
	}
	s.dom = dom
	return dom, nil
}

// parseFile gives the tree of what a file was turned into.
func (s *source) parseFile(ctx context.Context) (*formats.DOM, error) {
	res, err := s.read(ctx)
	if err != nil {
		return nil, err
	}
	s.dom, err = formats.Parse(ctx, formats.Source{URL: s.url, MediaType: "text/html", Body: res.HTML, Raw: s.body})
	return s.dom, err
}

// look reads the page's signals, once. A page that isn't HTML, or isn't parsed, has none.
func (s *source) look(ctx context.Context) (formats.Signals, error) {
	if s.signals == nil {
		signals := formats.Signals{}
		if s.dom != nil && s.isHTML() {
			var err error
			if signals, err = s.dom.Signals(ctx); err != nil {
				return signals, err
			}
		}
		s.signals = &signals
	}
	return *s.signals, nil
}

// findWall looks, once, whether the page is a wall.
func (s *source) findWall(ctx context.Context, dom *formats.DOM) error {
	if s.wall != nil || !s.isHTML() {
		return nil
	}
	name, login, err := dom.Wall(ctx)
	if err != nil {
		return err
	}
	if name == "" && login {
		name = "login"
	}
	s.wall = &name
	return nil
}

// blockedBy names the wall that the page is, a login included; "" for none, and for a page that isn't parsed.
func (s *source) blockedBy() string {
	if s.wall == nil {
		return ""
	}
	return *s.wall
}

// address is where redirects ended for this request. A page that was acquired under
// another spelling of its URL, and wasn't redirected, stays where it was asked for.
func (s *scrape) address() string {
	src := s.source
	if src.asked != "" && src.asked != s.plan.url && pageKey(src.asked) == pageKey(src.url) {
		return s.plan.url
	}
	return src.url
}

// links of the whole page. One that was served by its kept output is read for that.
func (s *scrape) links(ctx context.Context) ([]string, error) {
	if s.served != nil && s.source.body == nil && !s.load(ctx, *s.served, s.source) {
		return nil, errors.New("the stored page can't be read any more")
	}
	dom, err := s.source.parse(ctx)
	if err != nil {
		return nil, err
	}
	return dom.Links(ctx)
}

// undocumented is the error of content that nothing can be made of.
func (s *source) undocumented() error {
	if declared := fetch.MediaType(s.contentType, nil); s.contentType != "" && declared != s.mediaType {
		return fmt.Errorf("content of type %q, sent as %q, gives no document", s.mediaType, declared)
	}
	return fmt.Errorf("content of type %q gives no document", s.mediaType)
}

func (s *source) isHTML() bool { return isHTML(s.mediaType) }

func isHTML(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}
