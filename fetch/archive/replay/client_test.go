package replay_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/archive/replay"
)

// A site that a client has recorded is served to the next client from the archive: byte for byte, without the site.
func TestReplay_ofWhatAClientRecorded(t *testing.T) {
	compressed := strings.Repeat("the same text ", 1000)
	site := http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/old":
			http.Redirect(w, q, "/new", http.StatusMovedPermanently)
		case "/new":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, compressed)
		default:
			http.NotFound(w, q)
		}
	})
	file := filepath.Join(t.TempDir(), "site.wacz")
	tape, err := recording.Create(recording.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	first := visit(t, fetch.Options{Hosts: map[string]http.Handler{"site.example": site}, Record: tape})
	if err := tape.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := replay.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	second := visit(t, fetch.Options{Replay: r, DialContext: noNetwork})
	if !slices.Equal(first, second) || !strings.Contains(first[0], compressed) {
		t.Errorf("recorded %.200q\nreplayed %.200q", first, second)
	}
}

func visit(t *testing.T, o fetch.Options) (seen []string) {
	t.Helper()
	c, err := fetch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, address := range []string{"https://site.example/old", "http://site.example/new", "https://site.example/gone"} {
		resp, err := c.Do(t.Context(), fetch.Request{URL: address})
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, fmt.Sprintf("%s %d %s %s", resp.URL, resp.Status, resp.MediaType, resp.Body))
	}
	return seen
}

func noNetwork(context.Context, string, string) (net.Conn, error) {
	return nil, errors.New("there is no network")
}

// What isn't recorded fails by name, whatever way it is reached, and no name is looked up.
func TestReplay_missesNeverReachTheNetwork(t *testing.T) {
	r, err := replay.Open(filepath.Join("..", "testdata", "others", "example.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c, err := fetch.New(fetch.Options{Replay: r, DialContext: noNetwork, Resolver: noNames{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, q := range []fetch.Request{{URL: "http://example.com/other"}, {URL: "https://other.example/"}, {URL: "http://127.0.0.1/"},
		{URL: "http://example.com/x", Proxy: fetch.Proxy{URL: "http://127.0.0.1:1"}}} {
		_, err := c.Do(t.Context(), q)
		if miss, ok := errors.AsType[*fetch.MissError](err); !ok || !strings.Contains(miss.Text, "the nearest are http://example.com/") || fetch.Temporary(err) {
			t.Errorf("%s: %v", q.URL, err)
		}
	}
	if resp, err := c.Do(t.Context(), fetch.Request{URL: "http://example.com/robots.txt"}); err != nil || resp.Status != 404 {
		t.Errorf("robots.txt: %+v, %v", resp, err)
	}
	if conn, err := c.Dialer().DialContext(t.Context(), "tcp", "example.com:80"); err == nil {
		conn.Close()
		t.Error("a dial that isn't on behalf of a page")
	}
}

type noNames struct{}

func (noNames) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, errors.New("there is no name server")
}
