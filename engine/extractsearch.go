package engine

import "context"

// canSearch tells why an extraction can't look for pages in the web.
func (e *Engine) canSearch(private bool) error { return laterField("enableWebSearch", true) }

// web adds pages that a search of the web finds.
func (c *chooser) web(ctx context.Context) error { return nil }
