package crawl

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter reads a Retry-After header (RFC 9110, 10.2.3): seconds or a date. A wait of nothing, or into the
// past, counts as none: obeying it would mean to hammer a server that has just refused.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	var wait time.Duration
	if n, err := strconv.ParseUint(value, 10, 32); err == nil {
		wait = time.Duration(n) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		wait = at.Sub(now)
	}
	return wait, wait > 0
}
