package page

import (
	"context"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// sniff makes a page that a browser shows as HTML what its bytes are, by the rule that plain HTTP goes by. A browser
// believes every text/html, and shows what comes without a type in viewers of its own. Only of documents that may be
// something else is the body asked for.
func (v *Visit) sniff(ctx context.Context, src *Page, tree string) error {
	if src.Partial && (tree == "" || !src.IsHTML()) && v.mayFetch() { // what isn't HTML would be the browser's viewer for it
		return v.fetchBroken(ctx, src)
	}
	untyped := src.ContentType == "" || fetch.MediaType(src.ContentType, nil) != src.MediaType
	if !src.IsHTML() || !untyped && !NoMarkup(tree) && !isFeedTree(tree) {
		return nil
	}
	header, body, err := v.Tab.Sent(ctx)
	if err != nil || header == nil || len(body) == 0 {
		return err
	}
	contentType := header.Get("Content-Type")
	switch mediaType := fetch.MediaType(contentType, body); {
	case strings.HasSuffix(mediaType, "+xml") && isFeedTree(tree):
		src.ContentType, src.MediaType, src.Body, src.FromTree = contentType, mediaType, body, false
	case IsHTML(fetch.MediaType(contentType, nil)):
		return v.fetchBinary(ctx, src, body)
	case !IsHTML(mediaType):
		src.ContentType, src.MediaType, src.Body, src.FromTree = contentType, mediaType, body, false
	}
	return nil
}

// isFeedTree reports the tree that a browser makes of a feed that it was sent as HTML.
func isFeedTree(tree string) bool {
	const head = 2 << 10 // bytes
	tree = strings.ToLower(tree[:min(len(tree), head)])
	_, body, _ := strings.Cut(tree, "<body>")
	for _, root := range []string{"<rss ", "<rss>", "<feed ", "<rdf:rdf "} {
		if strings.HasPrefix(strings.TrimSpace(body), root) {
			return true
		}
	}
	return false
}

// fetchBinary gets by HTTP what a site sent as HTML and isn't: a browser keeps of it only what it read as text. A
// session's page is as it is.
func (v *Visit) fetchBinary(ctx context.Context, src *Page, text []byte) error {
	if v.OfSession || !fetch.MayBeBinary(text) {
		return nil
	}
	sent, err := v.fetchShown(ctx, src)
	if err != nil || sent.IsHTML() {
		return err
	}
	sent.Reason = "the browser showed it as text"
	*src = *sent
	return nil
}

// mayFetch reports whether the page may be got by HTTP after all: nothing is to be done on the one in the browser.
func (v *Visit) mayFetch() bool {
	return !v.OfSession && v.Live == nil && len(v.Request.Actions) == 0
}

// fetchBroken gets by HTTP, which makes more of damaged bodies, what broke off in a browser before there was any
// document, or does not end. Where that fails too, what the browser has stands.
func (v *Visit) fetchBroken(ctx context.Context, src *Page) error {
	sent, err := v.fetchShown(ctx, src)
	if err == nil {
		sent.Reason = "the browser could not read it"
		*src = *sent
		warnUnrun(v.Acquisition, src)
	}
	return nil
}

// warnUnrun says of a page, nil for none, that was asked of a browser and came by HTTP that its scripts have not run.
func warnUnrun(a *Acquisition, src *Page) {
	if src != nil && src.IsHTML() {
		a.warn("The browser could not show the page in time; this is what plain HTTP returns, and its scripts have not run")
	}
}

// fetchShown gets by HTTP the document that the browser shows, wherever the page has gone on to. The caller's headers
// stay with the origin that they were given for.
func (v *Visit) fetchShown(ctx context.Context, src *Page) (*Page, error) {
	v.Stale = nil // what the site vouches for is another document
	req := v.request()
	if req.URL = src.URL; weburl.Origin(src.URL) != weburl.Origin(v.Request.URL) {
		req.Header = nil
	}
	var sent *Page
	err := v.step("fetch", func() (string, error) {
		res, err := v.Client.Do(ctx, req)
		if err != nil {
			return "", err
		}
		sent = v.received(res)
		sent.Document, sent.Actions, sent.Ready = src.Document, src.Actions, src.Ready
		return fmt.Sprintf("status %d, %d bytes", res.Status, len(res.Body)), nil
	})
	return sent, err
}
