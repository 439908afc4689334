package crawl_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(victimEnv); path != "" {
		os.Exit(victim(path))
	}
	goleak.VerifyTestMain(m)
}

// store makes of a cache.DB what a frontier needs, as the engine does.
type store struct{ cache.DB }

func (s store) View(f func(crawl.Tx) error) error {
	return s.DB.View(func(tx cache.Tx) error { return f(tx) })
}

func (s store) Update(f func(crawl.Tx) error) error {
	return s.DB.Update(func(tx cache.Tx) error { return f(tx) })
}
