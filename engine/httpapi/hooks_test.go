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

// turning resolves every name to a public address at first, and to the loopback one after that.
type turning struct{ asked atomic.Int64 }

func (r *turning) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if r.asked.Add(1) == 1 {
		return []netip.Addr{netip.MustParseAddr(publicAddress)}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
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
	var reached atomic.Int64
	hook := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer hook.Close()
	_, port, _ := net.SplitHostPort(hook.Listener.Addr().String())
	for name, target := range map[string]string{
		"loopback": hook.URL, "a name of it": "http://localhost:" + port, "as a number": "http://2130706433:" + port, "short": "http://127.1:" + port,
		"mapped": "http://[::ffff:127.0.0.1]:" + port, "any": "http://0.0.0.0:" + port, "a name that turns": "http://turning.example:" + port,
	} {
		s := newService(t, func(eo *engine.Options, _ *Options) { eo.Resolver, eo.DialContext = &turning{}, loopbackOnly })
		a := s.red("POST", "/v2/batch/scrape", fmt.Sprintf(`{"urls":["lamp.example/a"],"webhook":%q}`, target))
		if a.status == 200 {
			s.ended(a.text("id"))
		} else if a.status != 400 && a.status != 403 {
			t.Errorf("%s: %d %s", name, a.status, a.raw)
		}
		if err := s.engine.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("hooks on the loopback address were told %d times", n)
	}
}

// loopbackOnly dials what a test must not reach, and nothing else.
func loopbackOnly(ctx context.Context, network, address string) (net.Conn, error) {
	if ap, err := netip.ParseAddrPort(address); err != nil || !ap.Addr().Unmap().IsLoopback() && !ap.Addr().IsUnspecified() {
		return nowhere(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

// Of a public name only its public addresses are dialled, as they were checked.
func TestWebhook_dialsWhatWasChecked(t *testing.T) {
	d := &dials{}
	s := newService(t, func(eo *engine.Options, _ *Options) { eo.Resolver, eo.DialContext = &turning{}, d.dial })
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
		t.Errorf("the hook was told %d times, where it led to %d times", first.Load(), second.Load())
	}
}
