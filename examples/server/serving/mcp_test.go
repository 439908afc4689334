package serving

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// driveMCP talks with the service's MCP server, which asks this program, by lines of JSON-RPC 2.0 over its stdin and stdout.
func driveMCP(t *testing.T, s *clientServer, node string) {
	if !soaking() {
		t.Skip("WINNOW_SOAK=1 installs the MCP server (100 MB) and tests it")
	}
	m := startMCP(t, s, node, npmPackages(t, mcpServer))
	m.ask("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "a test", "version": "1"},
	})
	m.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	var listed struct{ Tools []struct{ Name string } }
	m.into(m.ask("tools/list", map[string]any{}), &listed)
	for _, tool := range []string{"scrape", "map", "search", "crawl", "check_crawl_status", "agent", "agent_status", "interact", "interact_stop", "parse"} {
		if !strings.Contains(fmt.Sprint(listed.Tools), "firecrawl_"+tool) {
			t.Errorf("no tool %s among %v", tool, listed.Tools)
		}
	}
	m.callTools()
}

func (m *mcp) callTools() {
	const mice = "https://blog.example/articles/mice"
	file := writeFile(m.t, "list.csv", "grain,sacks\nrye,104\n")
	m.call("scrape", map[string]any{"url": mice, "formats": []string{"markdown", "links"}, "onlyMainContent": true, "maxAge": 1000}, "Two cats look after the mice")
	m.call("scrape", map[string]any{"url": mice, "formats": []string{"json"}, "jsonOptions": map[string]any{"prompt": "the name", "schema": json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)}}, "Hand mill")
	m.call("map", map[string]any{"url": "https://shop.example/", "limit": 20}, "/products/hand-mill")
	m.call("search", map[string]any{"query": "cats and mice in the loft", "limit": 3}, `"success":true`)
	crawl := m.call("crawl", map[string]any{"url": "https://blog.example/", "limit": 2, "scrapeOptions": map[string]any{"formats": []string{"markdown"}}}, "completed")
	var job struct{ ID string }
	m.into([]byte(crawl), &job)
	m.call("check_crawl_status", map[string]any{"id": job.ID}, "completed")
	var agent struct{ ID string }
	m.into([]byte(m.call("agent", map[string]any{"prompt": "Find what the hand mill is called.", "urls": []string{"https://shop.example/products/hand-mill"}}, "id")), &agent)
	m.call("agent_status", map[string]any{"id": agent.ID}, "expiresAt")
	m.call("parse", map[string]any{"filePath": file, "formats": []string{"markdown"}, "storeInCache": false, "maxAge": 0}, "| rye")
	m.call("credit_usage", map[string]any{}, "remainingCredits")
	var opened struct{ ScrapeID string }
	m.into([]byte(m.call("interact", map[string]any{"url": "https://app.example/form", "code": "await page.title()", "language": "node", "timeout": 60}, "Order")), &opened)
	m.call("interact_stop", map[string]any{"scrapeId": opened.ScrapeID}, "creditsBilled")
}

// mcp is a conversation with an MCP server.
type mcp struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
	id  int
}

// maxLine bounds what a server says at once: it gives documents whole.
const maxLine = 32 << 20

func startMCP(t *testing.T, s *clientServer, node, home string) *mcp {
	t.Helper()
	cmd := s.command(t, node, filepath.Join(packageDir(home, mcpServer), "dist", "index.js"))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	cmd.Stderr = &printed
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // it ends then, or is ended with the context
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("the MCP server printed: %s", &printed)
		}
	})
	m := &mcp{t: t, in: in, out: bufio.NewScanner(out)}
	m.out.Buffer(nil, maxLine)
	return m
}

func (m *mcp) send(message map[string]any) {
	m.t.Helper()
	data, err := json.Marshal(message)
	if err == nil {
		_, err = fmt.Fprintf(m.in, "%s\n", data)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

// ask sends a request and gives its result.
func (m *mcp) ask(method string, params any) json.RawMessage {
	m.t.Helper()
	m.id++
	m.send(map[string]any{"jsonrpc": "2.0", "id": m.id, "method": method, "params": params})
	for m.out.Scan() {
		var answer struct {
			ID            int
			Result, Error json.RawMessage
		}
		if json.Unmarshal(m.out.Bytes(), &answer) != nil || answer.ID != m.id { // a notification, or a question of its own
			continue
		}
		if answer.Error != nil {
			m.t.Fatalf("%s: %s", method, answer.Error)
		}
		return answer.Result
	}
	m.t.Fatalf("%s: the MCP server has ended: %v", method, m.out.Err())
	return nil
}

// call calls a tool and gives its text, in which want must be.
func (m *mcp) call(tool string, arguments map[string]any, want string) string {
	m.t.Helper()
	var result struct {
		IsError bool
		Content []struct{ Text string }
	}
	m.into(m.ask("tools/call", map[string]any{"name": "firecrawl_" + tool, "arguments": arguments}), &result)
	var text strings.Builder
	for _, c := range result.Content {
		text.WriteString(c.Text)
	}
	if result.IsError || !strings.Contains(text.String(), want) {
		m.t.Errorf("%s %v: want %q in: %.1000s", tool, arguments, want, &text)
	}
	return text.String()
}

func (m *mcp) into(data []byte, v any) {
	m.t.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		m.t.Fatalf("%v in %.500s", err, data)
	}
}
