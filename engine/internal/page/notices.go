package page

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// NoMarkup reports a browser's tree of what has no doctype and begins with text, as bytes that are no HTML do.
func NoMarkup(tree string) bool {
	if !strings.HasPrefix(tree, "<html") {
		return false
	}
	_, body, _ := strings.Cut(tree, "<body")
	_, body, _ = strings.Cut(body, ">")
	body = strings.TrimSpace(body[:min(len(body), 256)])
	return body == "" || body[0] != '<' || strings.HasPrefix(body, "</body")
}

// Live reports a page in a browser that actions can work on: of all else the browser shows a viewer at most.
func (p *Page) Live() bool { return p.IsHTML() && (len(p.Body) == 0 || p.FromTree) }

// Notices are the warnings that a page's bytes give rise to. dom is nil where they were not read as a page or text.
func (p *Page) Notices(ctx context.Context, dom *formats.DOM) (list []string, err error) {
	if declared := fetch.MediaType(p.ContentType, nil); p.ContentType != "" && fetch.IsText(declared) && !fetch.IsText(p.MediaType) {
		list = append(list, fmt.Sprintf("The content was sent as %q and is of type %q; it is read as that.", declared, p.MediaType))
	}
	if dom == nil || !p.hasContent() {
		return list, nil
	}
	blank, err := dom.Blank(ctx)
	switch {
	case err != nil || !blank:
	case p.By == "" || p.IsFile():
		list = append(list, "The file is empty: nothing in it gives a document.")
	case len(bytes.TrimSpace(p.Body)) == 0 && !p.FromTree:
		list = append(list, "The page is empty: the site sent no content.")
	default:
		list = append(list, "The page is empty: it shows no text, picture or other content.")
	}
	return list, err
}

// hasContent reports an answer that is expected to have some. One of status 400 and above is explained by that.
func (p *Page) hasContent() bool {
	return p.Status >= 200 && p.Status < 300 && p.Status != http.StatusNoContent && p.Status != http.StatusResetContent
}
