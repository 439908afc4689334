//go:build unix

package install

import (
	"context"
	"net/http"
	"os"
	"testing"
	"time"
)

// helperVariable makes the test binary a second process that installs beside a test.
const helperVariable = "WINNOW_INSTALL_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helperVariable) != "" {
		os.Exit(helperInstall())
	}
	os.Exit(m.Run())
}

// testContext ends well before the test runner does.
func testContext(t *testing.T) context.Context { return deadline(t, 5*time.Minute) }

func deadline(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func pause(r *http.Request, milliseconds int) {
	t := time.NewTimer(time.Duration(milliseconds) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
	case <-r.Context().Done():
	}
}
