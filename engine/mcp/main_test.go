package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats/tokens"
)

// closing are connections of which a server hasn't read all when it closes them: net/http waits half a second then, and goleak for less.
var closing = goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, closing) }

// raced reports that the race detector is on, which makes everything several times as slow.
var raced bool

// leftToUnraced skips a test of one goroutine's long work under the race detector.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: this test has one goroutine read something large")
	}
}

// html serves a page.
func html(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	}
}

// newEngine is one without a browser, whose hosts are handlers.
func newEngine(t testing.TB, hosts map[string]http.Handler, changes ...func(*engine.Options)) *engine.Engine {
	t.Helper()
	o := engine.Options{Render: engine.RenderNever, Hosts: hosts}
	for _, change := range changes {
		change(&o)
	}
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// client is the SDK's client of a server, which counts what tools put out.
type client struct {
	t       testing.TB
	session *sdk.ClientSession
	used    int      // tokens of the results, by the safe bound
	calls   []string // tools, in order
}

// busyTimeout is that of calls in tests: two minutes are little on a machine with much else to do.
const busyTimeout = 10 * time.Minute

// connect connects a client with a server of e in memory.
func connect(t testing.TB, e *engine.Engine, o Options, co ...*sdk.ClientOptions) *client {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = busyTimeout
	}
	here, there := sdk.NewInMemoryTransports()
	server, err := New(e, o).Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Wait() })
	return connected(t, here, co...)
}

func connected(t testing.TB, transport sdk.Transport, co ...*sdk.ClientOptions) *client {
	t.Helper()
	var options *sdk.ClientOptions
	if len(co) > 0 {
		options = co[0]
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, options).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &client{t: t, session: session}
}

// try calls a tool.
func (c *client) try(tool, arguments string) *sdk.CallToolResult {
	c.t.Helper()
	r, err := c.session.CallTool(context.WithoutCancel(c.t.Context()), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	c.used += tokens.Bound(textIn(r))
	c.calls = append(c.calls, tool)
	return r
}

// call calls a tool, which must not fail.
func (c *client) call(tool, arguments string) string {
	c.t.Helper()
	r := c.try(tool, arguments)
	if r.IsError {
		c.t.Fatalf("%s %s: %s", tool, arguments, textIn(r))
	}
	return textIn(r)
}

// refused calls a tool, which must fail with that in its text.
func (c *client) refused(tool, arguments string, want ...string) {
	c.t.Helper()
	r := c.try(tool, arguments)
	for _, part := range append(want, "Next: ") {
		if !r.IsError || !strings.Contains(textIn(r), part) {
			c.t.Errorf("%s %.200s: got (%t) %s, want an error with %q", tool, arguments, r.IsError, textIn(r), part)
		}
	}
}

func textIn(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, content := range r.Content {
		if text, ok := content.(*sdk.TextContent); ok {
			b.WriteString(text.Text + "\n")
		}
	}
	return b.String()
}

// quote makes an argument of a text.
func quote(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// after is what stands between two marks of a text, "" where they aren't there.
func after(text, begin, end string) string {
	_, rest, ok := strings.Cut(text, begin)
	if !ok {
		return ""
	}
	found, _, _ := strings.Cut(rest, end)
	return found
}
