package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

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
