package page

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-go/winnow/fetch/guard"
)

// What a session requests without TLS has no type in its header, but perhaps in its address.
func TestForSession_typesWithoutTLS(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte("||x.example^$script\n||y.example/feed^$websocket,third-party\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := NewBlocker([]string{list}, true, slog.New(slog.DiscardHandler)).ForSession("a.example")
	if err != nil {
		t.Fatal(err)
	}
	for r, want := range map[guard.Request]bool{
		{URL: "http://x.example/a.JS?b=c.png"}:                       true,
		{URL: "http://x.example/a.json"}:                             false,
		{URL: "http://x.example/a"}:                                  false,
		{URL: "http://x.example/a.js", Type: "Image"}:                false,
		{URL: "https://x.example/a", Type: "Script"}:                 true,
		{URL: "https://x.example/a.js"}:                              false,
		{URL: "wss://y.example/feed", Type: "WebSocket"}:             true,
		{URL: "wss://y.example/feed?y.example", Type: "XHR"}:         false,
		{URL: "ws://y.example/else", Type: "WebSocket", Page: "z.a"}: false,
	} {
		if got := kept.Proxy(r, r.Page); got != want {
			t.Errorf("%+v: refused %t, want %t", r, got, want)
		}
	}
	if kept.Host != nil || kept.Patterns != nil || kept.Suspect("x.example") {
		t.Errorf("%+v refuses what isn't judged", kept)
	}
}
