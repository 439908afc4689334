package serving

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser"
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
	s := startForClients(t)
	t.Run("the JavaScript client", func(t *testing.T) { driveJavaScript(t, s, node, home) })
	t.Run("the command line", func(t *testing.T) { driveCommandLine(t, s, node, home) })
	t.Run("the MCP server", func(t *testing.T) { driveMCP(t, s, node) })
	s.stopped(t)
}

// stopped ends the server, which must have logged no failure.
func (s *clientServer) stopped(t *testing.T) {
	t.Helper()
	if err := s.end(); err != nil {
		t.Error(err)
	}
	for _, line := range failures(s.log.String()) {
		t.Errorf("the server logged: %s", line)
	}
}

// needBrowser are the groups of checks that start browsers.
const needBrowser = "actions,browser,interact,looks,mapFromElsewhere,options"

// driveJavaScript goes through all methods of the official client: testdata/clients/main.mjs.
func driveJavaScript(t *testing.T, s *clientServer, node, home string) {
	cmd := s.command(t, node, "--experimental-websocket", filepath.Join("testdata", "clients", "main.mjs"))
	cmd.Env = append(cmd.Env, "LANGUAGES="+strings.Join(languages(t), ","))
	if raced {
		t.Logf("under the race detector without %s: what the server does for those is raced in the tests of packages engine and browser", needBrowser)
		cmd.Env = append(cmd.Env, "WITHOUT="+needBrowser)
	}
	cmd.Env = append(cmd.Env, "CLIENT="+packageDir(home, jsClient), "API="+s.url, "KEY="+s.key, "OTHER_KEY="+s.otherKey)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Errorf("node: %v", err)
	}
}

// languages of code, beside node's, that this machine has.
func languages(t *testing.T) (list []string) {
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		list = append(list, "python")
	} else {
		t.Log("no code in Python: needs /usr/bin/python3")
	}
	if _, err := browser.InstallShellCommand(t.Context(), browser.InstallOptions{}); err == nil {
		list = append(list, "bash")
	} else {
		t.Logf("no code in the shell: needs the npm package agent-browser: %v", err)
	}
	return list
}

// packageDir is where npm has put a package, given with its version.
func packageDir(home, pkg string) string {
	name, _, _ := strings.Cut(pkg, "@")
	return filepath.Join(home, "node_modules", name)
}

// command is a client's, with the environment variables that name the server.
func (s *clientServer) command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clientPatience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "FIRECRAWL_API_URL="+s.url, "FIRECRAWL_API_KEY="+s.key, "FIRECRAWL_NO_UPDATE_CHECK=1", "FIRECRAWL_NO_TELEMETRY=1")
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

// clientServer is the program at work, with keys of two teams.
type clientServer struct {
	*running
	key, otherKey string
}

// startForClients runs the program with the built-in sites and a scripted model.
func startForClients(t *testing.T) *clientServer {
	t.Helper()
	model := llmtest.NewServer(t, llmtest.Func(scripted))
	line, key := newTestKey(t, "red")
	otherLine, otherKey := newTestKey(t, "blue")
	keys := writeFile(t, "keys", line+"\n"+otherLine+" credits=100000\n")
	render := "auto"
	if raced {
		render = "never"
	}
	r := started(t, "-render", render, "-demo", "-keys", keys, "-model-url", model.URL(), "-model", llmtest.ModelName, "-model-local",
		"-allow-unsandboxed", "-log", "json", "-grace", "1s")
	return &clientServer{r, key, otherKey}
}

func newTestKey(t *testing.T, team string) (line, key string) {
	t.Helper()
	var out, secret strings.Builder
	if err := Run(t.Context(), "server", []string{"-new-key", team}, &out, &secret); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(secret.String())
	return strings.TrimSpace(out.String()), words[len(words)-1]
}

// failures are the lines of a log with an internal error, or with a request that got a status of 500 or more.
func failures(log string) (lines []string) {
	for line := range strings.Lines(log) {
		var entry struct {
			Level  string
			Status int
		}
		if json.Unmarshal([]byte(line), &entry) != nil || entry.Level == "ERROR" || entry.Status >= 500 {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
