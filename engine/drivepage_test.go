package engine

import (
	"net/http"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/drive/drivetest"
	"github.com/winnow-go/winnow/engine/internal/drivepage"
	"github.com/winnow-go/winnow/fetch/guard"
)

// drivePageOf opens pages of an engine's pool on its virtual hosts.
func drivePageOf(e *Engine) drivetest.Open {
	return func(t *testing.T, address string) drivetest.Live {
		t.Helper()
		page, err := e.pool.Open(t.Context(), browser.PageOptions{SkipTLSVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { page.Close() })
		if err := page.Proxy().(*guard.Lease).Renew(guard.LeaseOptions{Virtual: true}); err != nil {
			t.Fatal(err)
		}
		if _, err := page.Goto(t.Context(), address); err != nil {
			t.Fatal(err)
		}
		acting, err := page.Follow(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		acting.End() // only the model's side opens tabs here, which are closed
		return drivetest.Live{Page: drivepage.New(page, 3*time.Second), Actions: acting}
	}
}

func TestDrivePage_passesTheSuite(t *testing.T) {
	leftToUnraced(t)
	t.Parallel()
	site := drivetest.Site()
	e := hostEngine(t, map[string]http.Handler{drivetest.Host: site, drivetest.Other: site})
	drivetest.Suite(t, drivePageOf(e))
}
