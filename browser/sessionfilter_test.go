//go:build linux && (amd64 || arm64)

package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser/internal/process"
)

// The filter is on every process of a session, and leaves Chromium its own sandbox: its renderers have namespaces of their own.
func TestSession_isFilteredAndKeepsChromiumsOwnSandbox(t *testing.T) {
	s, site := commonSession(t)
	visit(t, pageOf(t, s), site.URL+"/")
	outer, renderers := "", 0
	for _, pid := range process.Tree(process.All(), s.gen.DriverPID()) {
		line, _ := process.CommandLine(pid)
		words := strings.ReplaceAll(string(line), "\x00", " ")
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil || pid == s.gen.DriverPID() { // which is bubblewrap, outside
			continue
		}
		if !strings.Contains(string(status), "\nSeccomp:\t2\n") {
			t.Errorf("no filter on %.200s", words)
		}
		user, _ := os.Readlink(fmt.Sprintf("/proc/%d/ns/user", pid))
		switch {
		case strings.Contains(words, " run-driver "):
			outer = user
		case strings.Contains(words, "--type=renderer"):
			renderers++
			if outer == "" || user == "" || user == outer {
				t.Errorf("a renderer is in the namespace %q, the driver in %q", user, outer)
			}
		}
	}
	if renderers == 0 {
		t.Error("no renderer was looked at")
	}
}
