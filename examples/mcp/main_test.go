package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asCommand has the test program be the command.
const asCommand = "WINNOW_TEST_MCP"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// tryIt reads a file by the tool parse, and asks for an address that is refused.
func tryIt(t *testing.T, transport mcp.Transport) {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	for tool, row := range map[string]struct {
		arguments map[string]any
		want      string
	}{
		"parse": {map[string]any{"path": "mill.html"}, "Oats and rye."},
		"read":  {map[string]any{"url": "http://127.0.0.1/"}, "unsafe_domain_blocked"},
	} {
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: row.arguments})
		if err != nil {
			t.Fatal(err)
		}
		if text := r.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, row.want) {
			t.Errorf("%s: %s, want %q", tool, text, row.want)
		}
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/mill.html", []byte("<h1>Mill</h1><p>Oats and rye.</p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRun_overStandardInputAndOutput(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, "-files", folder(t))
	command.Env = append(os.Environ(), asCommand+"=1")
	tryIt(t, &mcp.CommandTransport{Command: command})
}

func TestRun_overHTTP(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	from, to := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, []string{"-http", "127.0.0.1:0", "-files", folder(t)}, to)
		_ = to.CloseWithError(io.EOF)
		ended <- err
	}()
	line := make([]byte, 200)
	n, err := from.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, from) }()
	address := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "serving "))
	tryIt(t, &mcp.StreamableClientTransport{Endpoint: address})
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := run(t.Context(), []string{"-files", "/no/such/folder"}, io.Discard); err == nil {
		t.Error("a folder that isn't there is accepted")
	}
}
