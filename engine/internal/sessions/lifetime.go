package sessions

import (
	"cmp"
	"fmt"
	"time"

	"github.com/winnow-go/winnow/engine/internal/option"
)

// Bounds of a session's life.
const (
	defaultTTL  = 10 * time.Minute
	defaultIdle = 5 * time.Minute
	minTTL      = 30 * time.Second
	minIdle     = 10 * time.Second
	maxTTL      = time.Hour
)

// Lifetimes are how long a session lasts at most, and without being used; zero is the default. The error is an *[option.Error].
func Lifetimes(ttl, idle time.Duration) (time.Duration, time.Duration, error) {
	for _, c := range []struct {
		field           string
		value           time.Duration
		lowest, highest time.Duration
	}{{"ttl", ttl, minTTL, maxTTL}, {"activityTtl", idle, minIdle, maxTTL}} {
		if c.value != 0 && (c.value < c.lowest || c.value > c.highest) {
			return 0, 0, &option.Error{Field: c.field, Value: c.value, Want: fmt.Sprintf("%s to %s", c.lowest, c.highest)}
		}
	}
	return cmp.Or(ttl, defaultTTL), cmp.Or(idle, defaultIdle), nil
}
