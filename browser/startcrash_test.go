package browser

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
)

// crashing is the installation with a browser that a signal ends at its first starts, as many as given.
func crashing(t *testing.T, signal string, starts int) (request instance.Request, log *strings.Builder) {
	t.Helper()
	inst, err := Install(t.Context(), InstallOptions{System: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	browser, found := filepath.Join(dir, "browser"), *inst.found
	script := "#!/bin/sh\ncd " + process.Quote(dir) + " && echo start >>starts\n" +
		"if [ $(wc -l <starts) -le " + string(rune('0'+starts)) + " ]; then kill -" + signal + " $$; fi\n" +
		"exec " + process.Quote(found.Executable) + " \"$@\"\n"
	if err := os.WriteFile(browser, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	found.Executable, log = browser, &strings.Builder{}
	return instance.Request{
		Installation: &found, Proxy: deadProxy, Args: browserArgs(nil, ""), Isolation: launch.None, Log: slog.New(slog.NewTextHandler(log, nil)),
	}, log
}

func TestStart_aBrowserThatASignalEndsIsStartedOnceMore(t *testing.T) {
	needsBrowser(t)
	for _, signal := range []string{"BUS", "SEGV"}[:inFull(1, 2)] { // both: each costs three starts of a driver
		request, log := crashing(t, signal, 1)
		i, err := instance.Start(testContext(t), request)
		if err != nil {
			t.Fatal(err)
		}
		if err := i.Close(); err != nil {
			t.Error(err)
		}
		if !strings.Contains(log.String(), "started once more") || !strings.Contains(log.String(), "SIG"+signal) {
			t.Errorf("the log is %q", log)
		}
	}
}

func TestStart_aBrowserThatAlwaysCrashesIsAnError(t *testing.T) {
	needsBrowser(t)
	request, _ := crashing(t, "SEGV", 9)
	i, err := instance.Start(testContext(t), request)
	if err == nil {
		t.Fatal(errors.Join(errors.New("it started"), i.Close()))
	}
	starts, _ := os.ReadFile(filepath.Join(filepath.Dir(request.Installation.Executable), "starts"))
	if n := strings.Count(string(starts), "start"); n != 2 || !strings.Contains(err.Error(), "SIGSEGV") {
		t.Errorf("%d starts, want 2: %v", n, err)
	}
}
