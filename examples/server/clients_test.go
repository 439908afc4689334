package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/llm/llmtest"
)

// The existing clients, in the versions that are tested with.
const (
	jsClient   = "firecrawl@4.42.0"
	lineClient = "firecrawl-cli@1.23.3"
	mcpServer  = "firecrawl-mcp@3.26.0"
)

// clientPatience is for a whole client's run on a machine that has other work: what hangs ends too.
const clientPatience = 4 * time.Minute

// The existing clients work against this program by its address and a key alone. What the server logs of it shows that nothing failed
// within.
func TestClients(t *testing.T) {
	node := needNode(t)
	home := npmPackages(t, jsClient, lineClient)
	s := startServer(t)
	t.Run("the JavaScript client", func(t *testing.T) { driveJavaScript(t, s, node, home) })
	t.Run("the command line", func(t *testing.T) { driveCommandLine(t, s, node, home) })
	t.Run("the MCP server", func(t *testing.T) { driveMCP(t, s, node) })
	s.stop()
	for _, line := range s.log.failures() {
		t.Errorf("the server answered: %s", line)
	}
}

// driveJavaScript goes through all methods of the official client: testdata/clients/main.mjs.
func driveJavaScript(t *testing.T, s *testServer, node, home string) {
	cmd := s.command(t, node, "--experimental-websocket", filepath.Join("testdata", "clients", "main.mjs"))
	cmd.Env = append(cmd.Env, "CLIENT="+packageDir(home, jsClient), "API="+s.url, "KEY="+s.key, "OTHER_KEY="+s.otherKey)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf("node: %v", err)
	}
}

// packageDir is where npm has put a package, given with its version.
func packageDir(home, pkg string) string {
	name, _, _ := strings.Cut(pkg, "@")
	return filepath.Join(home, "node_modules", name)
}

// command is a client's, in the environment that clients are told their server by.
func (s *testServer) command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientPatience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "FIRECRAWL_API_URL="+s.url, "FIRECRAWL_API_KEY="+s.key, "FIRECRAWL_NO_UPDATE_CHECK=1", "FIRECRAWL_NO_TELEMETRY=1")
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// testServer is the program at work.
type testServer struct {
	url           string
	key, otherKey string // of two teams
	log           *requestLog
	stop          func()
}

// startServer runs the program with the carried sites, a scripted model and keys of two teams, on a free port.
func startServer(t *testing.T) *testServer {
	t.Helper()
	s := &testServer{log: &requestLog{}}
	var lines string
	for team, secret := range map[string]*string{"red": &s.key, "blue credits=100000": &s.otherKey} {
		line, key := newTestKey(t, team)
		lines, *secret = lines+line, key
	}
	keys := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(keys, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	model := llmtest.NewServer(t, llmtest.Func(scripted))
	ctx, cancel := context.WithCancel(context.Background())
	greeting, told := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		defer told.Close()
		ended <- run(ctx, []string{"-demo", "-addr", "127.0.0.1:0", "-keys", keys, "-model-url", model.URL(), "-model", llmtest.ModelName, "-model-local",
			"-allow-unsandboxed", "-log", "json", "-grace", "1s"}, told, s.log)
	}()
	s.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("server: %v", err)
		}
	})
	t.Cleanup(s.stop)
	lineOne, err := bufio.NewReader(greeting).ReadString('\n')
	go io.Copy(io.Discard, greeting)
	if err != nil {
		t.Fatalf("the server told no address: %v", <-ended)
	}
	words := strings.Fields(lineOne)
	s.url = words[len(words)-1]
	return s
}

func newTestKey(t *testing.T, team string) (line, key string) {
	t.Helper()
	name, limits, _ := strings.Cut(team, " ")
	var out, secret strings.Builder
	if err := run(t.Context(), []string{"-new-key", name}, &out, &secret); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(secret.String())
	return strings.TrimSpace(out.String()) + " " + limits + "\n", words[len(words)-1]
}

// requestLog takes the server's log.
type requestLog struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *requestLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// failures are the lines that tell of an inner fault or of a request that was answered with a fault of the server's.
func (l *requestLog) failures() (lines []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for line := range strings.Lines(l.text.String()) {
		var entry struct {
			Level, Route string
			Status       int
		}
		if json.Unmarshal([]byte(line), &entry) != nil || entry.Level == "ERROR" || entry.Status >= 500 {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
