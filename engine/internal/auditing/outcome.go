package auditing

import (
	"errors"
	"time"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/page"
)

// Outcome is what a site made of a request that took so long, for its pace; src is nil where no page came.
func Outcome(took time.Duration, src *page.Page, err error) crawl.Outcome {
	o := crawl.Outcome{Latency: took, Err: err}
	if _, left := errors.AsType[*page.OnwardError](err); left {
		o.Err = nil // it has answered: with a redirect
	}
	if src != nil {
		o.Status, o.RetryAfter = src.Status, src.RetryAfter
	}
	return o
}
