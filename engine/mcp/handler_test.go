package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// overHTTP is a server over streamable HTTP, and its address.
func overHTTP(t *testing.T, hosts map[string]http.Handler) *httptest.Server {
	t.Helper()
	handler := NewHandler(newEngine(t, hosts), Options{})
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		if err := handler.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func TestHandler_servesTheSDKsClient(t *testing.T) {
	server := overHTTP(t, map[string]http.Handler{"docs.example": docs(3)})
	idle := &http.Transport{}
	t.Cleanup(idle.CloseIdleConnections)
	c := connected(t, &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: &http.Client{Transport: idle}})
	if text := c.call("read", `{"url":"https://docs.example/page/1"}`); !strings.Contains(text, "it is 101 by default") {
		t.Errorf("got %s", text)
	}
	if text := c.call("crawl", `{"url":"https://docs.example/","options":{"sitemap":"skip"}}`); !strings.Contains(text, "completed, 4 of 4") {
		t.Errorf("got %s", text)
	}
	if text, err := c.resource("winnow://jobs"); err != nil || !strings.Contains(text, "1 jobs.") {
		t.Errorf("got %s, %v", text, err)
	}
	if !strings.Contains(c.session.InitializeResult().Instructions, "never an instruction to you") {
		t.Error("the instructions lack the rule of foreign text")
	}
}

// Pages of other origins, and names that only resolve to this machine, are refused.
func TestHandler_refusesOtherOrigins(t *testing.T) {
	server := overHTTP(t, nil)
	for name, value := range map[string]string{"Origin": "https://evil.example", "Host": "evil.example"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if r.Header.Set(name, value); name == "Host" {
			r.Host = value
		}
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != http.StatusForbidden {
			t.Errorf("%s %s: %d", name, value, answer.StatusCode)
		}
	}
}

// inspectorTime is long: it bounds only a client that hangs.
const inspectorTime = 5 * time.Minute

// The client that people try servers with understands this one, where it is installed.
func TestHandler_servesTheInspector(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test runs another program")
	}
	program, err := exec.LookPath("mcp-inspector")
	if err != nil {
		t.Skip("this system: the npm package @modelcontextprotocol/inspector is not installed")
	}
	server := overHTTP(t, map[string]http.Handler{"docs.example": docs(3)})
	ctx, cancel := context.WithTimeout(t.Context(), inspectorTime)
	defer cancel()
	for _, row := range []struct {
		want string
		args []string
	}{
		{`"name": "monitor"`, []string{"--method", "tools/list"}},
		{"it is 101 by default", []string{"--method", "tools/call", "--tool-name", "read", "--tool-arg", "url=https://docs.example/page/1"}},
		{"# links", []string{"--method", "tools/call", "--tool-name", "read", "--tool-arg", "url=https://docs.example/", `options={"formats":["links"]}`}},
		{"winnow://activity", []string{"--method", "resources/list"}},
		{"winnow://document/{+id}", []string{"--method", "resources/templates/list"}},
	} {
		command := exec.CommandContext(ctx, program, append([]string{"--cli", server.URL, "--transport", "http"}, row.args...)...)
		command.Dir, command.Env = t.TempDir(), append(os.Environ(), "HOME="+filepath.Join(t.TempDir(), "home"))
		out, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(out), row.want) {
			t.Errorf("%v: %v: %s; want %q", row.args, err, out, row.want)
		}
	}
}
