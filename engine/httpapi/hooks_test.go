package httpapi

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/fetch"
)

// publicAddress is one that the policy takes; nothing is ever sent there.
const publicAddress = "93.184.216.34"

// turning resolves each name to a public address at first, and to the loopback one after that.
type turning struct {
	mu    sync.Mutex
	asked map[string]bool
}

func (r *turning) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked[host] {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	r.asked[host] = true
	return []netip.Addr{netip.MustParseAddr(publicAddress)}, nil
}

// dials remembers where a connection was to go, and connects to nothing.
type dials struct {
	mu   sync.Mutex
	seen []string
}

func (d *dials) dial(_ context.Context, _, address string) (net.Conn, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.seen = append(d.seen, address)
	return nil, fmt.Errorf("nothing is there")
}

func (d *dials) addresses() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.seen)
}

func TestWebhook_neverReachesAPrivateAddress(t *testing.T) {
	const port = "8099"
	d := &dials{}
	s := newService(t, func(eo *engine.Options, _ *Options) {
		eo.Resolver, eo.DialContext = &turning{asked: map[string]bool{}}, d.dial
	})
	for name, target := range map[string]string{
		"loopback": "http://127.0.0.1:" + port, "a name of it": "http://localhost:" + port, "as a number": "http://2130706433:" + port, "short": "http://127.1:" + port,
		"mapped": "http://[::ffff:127.0.0.1]:" + port, "any": "http://0.0.0.0:" + port, "a name that turns": "http://turning.example:" + port, "the cloud's": "http://169.254.169.254/", "a network's": "http://10.0.0.1/",
	} {
		a := s.red("POST", "/v2/batch/scrape", fmt.Sprintf(`{"urls":["lamp.example/a"],"webhook":%q}`, target))
		if a.status != 200 && a.status != 400 && a.status != 403 {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
	}
	// The last one may be dialled: then the others have had their turn.
	s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a"],"webhook":"http://control.example/"}`)
	for end := time.Now().Add(patience); !slices.Contains(d.addresses(), publicAddress+":80") && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if err := s.engine.Close(); err != nil {
		t.Error(err)
	}
	if !slices.Contains(d.addresses(), publicAddress+":80") {
		t.Error("no hook was dialled at all")
	}
	for _, address := range d.addresses() {
		if !strings.HasPrefix(address, publicAddress+":") {
			t.Errorf("dialled %s", address)
		}
	}
}

// Of a public name only its public addresses are dialled, as they were checked.
func TestWebhook_dialsWhatWasChecked(t *testing.T) {
	d := &dials{}
	s := newService(t, func(eo *engine.Options, _ *Options) {
		eo.Resolver, eo.DialContext = &turning{asked: map[string]bool{}}, d.dial
	})
	a := s.must(200, "POST", "/v2/batch/scrape", `{"urls":["lamp.example/a"],"webhook":"http://turning.example:8099/hook"}`)
	s.ended(a.text("id"))
	for end := time.Now().Add(patience); d.addresses() == nil && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if err := s.engine.Close(); err != nil {
		t.Error(err)
	}
	if d.addresses() == nil {
		t.Error("nothing was dialled")
	}
	for _, address := range d.addresses() {
		if !strings.HasPrefix(address, publicAddress+":") {
			t.Errorf("dialled %s", address)
		}
	}
}

func TestWebhook_followsNoRedirect(t *testing.T) {
	var first, second atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("/hook", func(w http.ResponseWriter, r *http.Request) {
		first.Add(1)
		http.Redirect(w, r, "/inner", http.StatusTemporaryRedirect)
	})
	mux.HandleFunc("/inner", func(http.ResponseWriter, *http.Request) { second.Add(1) })
	hook := httptest.NewServer(mux)
	defer hook.Close()
	s := newService(t, func(eo *engine.Options, _ *Options) {
		eo.Resolver, eo.DialContext, eo.Policy = nil, nil, fetch.Policy{AllowPrivate: true}
	})
	id := s.must(200, "POST", "/v2/batch/scrape", fmt.Sprintf(`{"urls":["lamp.example/a"],"webhook":%q}`, hook.URL+"/hook")).text("id")
	s.ended(id)
	for end := time.Now().Add(patience); first.Load() == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if err := s.engine.Close(); err != nil {
		t.Error(err)
	}
	if first.Load() == 0 || second.Load() != 0 {
		t.Errorf("the hook was called %d times, its redirect %d times", first.Load(), second.Load())
	}
}
