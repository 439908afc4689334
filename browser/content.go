package browser

import "context"

// Content returns the document as it is now, serialised.
func (p *Page) Content(ctx context.Context) (string, error) {
	return do(ctx, p, "read the page", p.page.Content)
}
