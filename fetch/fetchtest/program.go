package fetchtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TinyproxyConfig is a configuration that leaves CONNECT to port 443 only, as Debian's own does.
const TinyproxyConfig = "Allow 127.0.0.1\nConnectPort 443\n"

// Tinyproxy starts the program of this name with a configuration beside address and port; it ends with the test. It returns the
// host:port that it listens on. Without the program the test is skipped; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func Tinyproxy(t testing.TB, config string) string {
	t.Helper()
	program, err := exec.LookPath("tinyproxy")
	if err != nil {
		if os.Getenv("WINNOW_REQUIRE_TOOLS") != "" {
			t.Fatal("tinyproxy is missing")
		}
		t.Skip("tinyproxy is missing: it is in Debian's package tinyproxy-bin")
	}
	for range 5 { // another program may take a free port first
		if addr := startTinyproxy(t, program, config); addr != "" {
			return addr
		}
	}
	t.Fatal("tinyproxy does not listen")
	return ""
}

// startTinyproxy starts the program on a free port; "" if it ends again.
func startTinyproxy(t testing.TB, program, config string) (addr string) {
	t.Helper()
	addr = freePort(t)
	_, port, _ := net.SplitHostPort(addr)
	file := filepath.Join(t.TempDir(), "tinyproxy.conf")
	config = fmt.Sprintf("Listen 127.0.0.1\nPort %s\nTimeout 60\nMaxClients 20\nLogLevel Critical\n%s", port, config)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if !listens(t, exec.Command(program, "-d", "-c", file), addr) {
		return ""
	}
	return addr
}

// startTime is how long a program may take until it listens.
const startTime = time.Minute

func freePort(t testing.TB) string {
	t.Helper()
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}

// listens starts a server that ends with the test, and reports whether it listens before it ends.
func listens(t testing.TB, cmd *exec.Cmd, addr string) bool {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-over
	})
	for giveUp := time.After(startTime); ; {
		if c, err := net.Dial("tcp4", addr); err == nil {
			c.Close()
			return true
		}
		select {
		case <-over:
			return false
		case <-giveUp:
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
}
