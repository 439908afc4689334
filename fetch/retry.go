package fetch

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"
)

const (
	backoffBase  = 250 * time.Millisecond // before the first retry; doubled each time
	backoffMax   = 5 * time.Second
	maxRetryWait = 10 * time.Second // a Retry-After above this is for the caller to heed
)

// persist fetches the trip's current URL, and retries where that may help. All hops share the remaining
// tries. When no time or no try is left it returns what it has.
func (t *trip) persist(ctx context.Context) (*answer, error) {
	for {
		a, err := t.attempt(ctx)
		wait, again := t.again(ctx, a, err)
		if !again {
			return a, err
		}
		t.tries--
		t.retried++
		t.client.opt.Logger.Debug("fetch: retrying", "wait", wait, "left", t.tries)
		if err := t.client.opt.Sleep(ctx, wait); err != nil {
			if ctx.Err() != nil {
				err = contextError(ctx)
			}
			return nil, err
		}
	}
}

// again reports whether to retry, and after how long.
func (t *trip) again(ctx context.Context, a *answer, err error) (time.Duration, bool) {
	if t.tries <= 0 || ctx.Err() != nil {
		return 0, false
	}
	wait := t.backoff()
	switch {
	case err != nil:
		if !worthRetrying(err) {
			return 0, false
		}
	case a.damage != nil:
		if !worthRetrying(a.damage) {
			return 0, false
		}
	case a.status == http.StatusTooManyRequests, a.status == http.StatusBadGateway,
		a.status == http.StatusServiceUnavailable, a.status == http.StatusGatewayTimeout:
		if asked, ok := retryAfter(a.header.Get("Retry-After"), time.Now()); ok {
			wait = max(asked, 0)
		}
	default:
		return 0, false
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return 0, false
	}
	return wait, wait <= maxRetryWait
}

// worthRetrying is Temporary without the timeouts: a caller that has waited for one would wait the same time
// again.
func worthRetrying(err error) bool {
	var timeout *TimeoutError
	return Temporary(err) && !errors.As(err, &timeout)
}

// backoff is between half and one and a half times a doubling base.
func (t *trip) backoff() time.Duration {
	d := min(backoffBase<<min(t.retried, 10), backoffMax)
	return d/2 + time.Duration(t.client.jitter()*float64(d))
}

// retryAfter reads a Retry-After header: seconds or a date.
func retryAfter(value string, now time.Time) (time.Duration, bool) {
	if value == "" {
		return 0, false
	}
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	if at, err := http.ParseTime(value); err == nil {
		return at.Sub(now), true
	}
	return 0, false
}
