package engine

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/formats"
)

// sniff makes a page that a browser shows as HTML what its bytes are, by the rule that plain HTTP goes by. A browser
// believes every text/html, and shows what comes without a type in viewers of its own. Only of documents that may be
// something else is the body asked for.
func (b *browsing) sniff(ctx context.Context, src *source, tree string) error {
	if src.partial && tree == "" && b.mayFetch() {
		return b.fetchBroken(ctx, src)
	}
	untyped := src.contentType == "" || fetch.MediaType(src.contentType, nil) != src.mediaType
	if !src.isHTML() || !untyped && !noMarkup(tree) {
		return nil
	}
	header, body, err := b.page.Sent(ctx)
	if err != nil || header == nil || len(body) == 0 {
		return err
	}
	contentType := header.Get("Content-Type")
	switch mediaType := fetch.MediaType(contentType, body); {
	case isHTML(fetch.MediaType(contentType, nil)):
		return b.fetchBinary(ctx, src, body)
	case !isHTML(mediaType):
		src.contentType, src.mediaType, src.body, src.fromTree = contentType, mediaType, body, false
	}
	return nil
}

// fetchBinary gets by HTTP what a site sent as HTML and isn't: a browser keeps of it only what it read as text. A
// session's page is as it is.
func (b *browsing) fetchBinary(ctx context.Context, src *source, text []byte) error {
	if b.passing || !fetch.MayBeBinary(text) {
		return nil
	}
	sent, err := b.fetchShown(ctx, src)
	if err != nil || sent.isHTML() {
		return err
	}
	sent.reason = "the browser showed it as text"
	*src = *sent
	return nil
}

// mayFetch reports whether the page may be got by HTTP after all: nobody works on the one in the browser.
func (b *browsing) mayFetch() bool {
	return !b.passing && b.live == nil && len(b.plan.actions) == 0
}

// fetchBroken gets by HTTP, which makes more of damaged bodies, what broke off in a browser before there was any
// document. Where that fails too, what the browser has stands.
func (b *browsing) fetchBroken(ctx context.Context, src *source) error {
	sent, err := b.fetchShown(ctx, src)
	if err == nil {
		sent.reason = "the browser could not read it"
		*src = *sent
	}
	return nil
}

// fetchShown gets by HTTP the document that the browser shows, wherever the page has gone on to. The caller's headers
// stay with the origin that they were given for.
func (b *browsing) fetchShown(ctx context.Context, src *source) (*source, error) {
	b.stale = nil // what the site vouches for is another document
	req := b.request()
	if req.URL = src.url; originOf(src.url) != originOf(b.plan.url) {
		req.Header = nil
	}
	var sent *source
	err := b.step("fetch", func() (string, error) {
		res, err := b.engine.client.Do(ctx, req)
		if err != nil {
			return "", err
		}
		sent = b.received(res)
		sent.document, sent.actions, sent.ready = src.document, src.actions, src.ready
		return fmt.Sprintf("status %d, %d bytes", res.Status, len(res.Body)), nil
	})
	return sent, err
}

// noMarkup reports a browser's tree of what has no doctype and begins with text, as bytes that are no HTML do.
func noMarkup(tree string) bool {
	if !strings.HasPrefix(tree, "<html") {
		return false
	}
	_, body, _ := strings.Cut(tree, "<body")
	_, body, _ = strings.Cut(body, ">")
	body = strings.TrimSpace(body[:min(len(body), 256)])
	return body == "" || body[0] != '<' || strings.HasPrefix(body, "</body")
}

// live reports a source that is a page in a browser, on which actions mean something: of all else the browser shows
// a viewer at most.
func (s *source) live() bool { return s.isHTML() && (len(s.body) == 0 || s.fromTree) }

// notices are the warnings that a page's bytes give rise to. dom is nil where they weren't read as a page or text.
func (s *source) notices(ctx context.Context, dom *formats.DOM) (list []string, err error) {
	if declared := fetch.MediaType(s.contentType, nil); s.contentType != "" && fetch.IsText(declared) && !fetch.IsText(s.mediaType) {
		list = append(list, fmt.Sprintf("The content was sent as %q and is of type %q; it is read as that.", declared, s.mediaType))
	}
	if dom == nil || !s.hasContent() {
		return list, nil
	}
	blank, err := dom.Blank(ctx)
	switch {
	case err != nil || !blank:
	case s.by == "" || s.isFile():
		list = append(list, "The file is empty: nothing in it gives a document.")
	case len(bytes.TrimSpace(s.body)) == 0:
		list = append(list, "The page is empty: the site sent no content.")
	default:
		list = append(list, "The page is empty: it shows no text, picture or other content.")
	}
	return list, err
}

// hasContent reports an answer that is expected to have some. One of status 400 and above tells by that.
func (s *source) hasContent() bool {
	return s.status >= 200 && s.status < 300 && s.status != http.StatusNoContent && s.status != http.StatusResetContent
}
