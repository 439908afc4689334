package browser

import (
	"context"
	"fmt"
	"net/http"

	"github.com/winnow-go/winnow/browser/internal/tab"
)

// Sent returns the site's response for the document that is shown: the header of the answer and its body, as received (content encoding
// undone). It is for documents whose tree doesn't look like the type that they were declared to be. A nil header means that this is
// unknown: for a document that is none of the web, for an answer that has no body, and where the browser no longer keeps the body or
// doesn't return it in time. Errors: ErrTooLarge, ErrCrashed, ErrClosed, and ctx's own.
func (p *Page) Sent(ctx context.Context) (http.Header, []byte, error) {
	shown := p.loader.documents.now()
	if shown.reply == nil || shown.failed != "" {
		return nil, nil, nil
	}
	body, err, answered := tab.Try(ctx, p.tab, p.loader.loadWait(ctx), shown.reply.response.Body)
	switch {
	case ctx.Err() != nil:
		return nil, nil, fmt.Errorf("read what was sent: %w", context.Cause(ctx))
	case !answered:
		return nil, nil, nil
	case err != nil && p.tab.Gone(err):
		return nil, nil, p.tab.Explain("read what was sent", err)
	case err != nil:
		return nil, nil, nil
	case int64(len(body)) > p.opts.MaxBody:
		return nil, nil, fmt.Errorf("read what was sent: %d bytes, over %d: %w", len(body), p.opts.MaxBody, ErrTooLarge)
	}
	return headerOf(shown.reply.response), body, nil
}
