package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// asChild are what the test binary does when Alone has started it, by its first argument.
var asChild = map[string]func() (*Proof, error){
	"silence":  func() (*Proof, error) { return Inside(context.Background(), Options{}) },
	"dead end": func() (*Proof, error) { return leak(newCounter) },
	"unrouted": func() (*Proof, error) {
		return leak(func() (counter, error) { return newUnrouted() })
	},
}

// leak connects and sends to addresses elsewhere, and to one of this machine.
func leak(start func() (counter, error)) (*Proof, error) {
	if err := linkUp("lo"); err != nil {
		return nil, err
	}
	c, err := start()
	if err != nil {
		return nil, err
	}
	for network, to := range map[string]string{"tcp4": "192.0.2.7:80", "udp4": "192.0.2.7:53", "udp6": "[2001:db8::7]:53"} {
		if c, err := net.DialTimeout(network, to, 100*time.Millisecond); err == nil {
			_, _ = c.Write([]byte("?"))
			c.Close()
		}
	}
	if c, err := net.Dial("udp6", "[2001:db8::8]:443"); err == nil { // through which nothing is sent
		c.Close()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	defer l.Close()
	own, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return nil, err
	}
	defer own.Close()
	where, how, err := c.count()
	slices.Sort(where)
	return &Proof{Namespace: true, Attempts: where, How: how}, err
}

func TestMain(m *testing.M) {
	if os.Getenv(aloneVariable) != "" {
		p, err := asChild[os.Args[1]]()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_ = json.NewEncoder(os.Stdout).Encode(p)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) // the search library has workers for the life of the process
}

// needNamespaces skips where this user can't make network namespaces; in CI that is a failure.
func needNamespaces(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("unshare", "-rn", "true").CombinedOutput(); err != nil && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skipf("needs network namespaces: %v: %s", err, out)
	}
}

// A scrape, a crawl and a session of a recording try to reach nothing, though their pages do.
func TestSilence_inANamespaceThatLeadsNowhere(t *testing.T) {
	needBrowser(t)
	needNamespaces(t)
	p, err := Alone(t.Context(), "silence")
	if err != nil {
		t.Fatal(err)
	}
	if !p.Silent() || p.Attempts == nil || !p.Namespace || len(p.Uses) != 3 || p.Uses[2].Without != "" {
		t.Errorf("got %+v", p)
	}
}

// The proof would notice: what is sent elsewhere is named, what stays on the machine isn't.
func TestAlone_namesWhatTriesToLeave(t *testing.T) {
	t.Parallel()
	needNamespaces(t)
	p, err := Alone(t.Context(), "dead end")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"tcp 192.0.2.7:80", "udp 192.0.2.7:53", "udp [2001:db8::7]:53"}
	if _, err := os.Stat("/dev/net/tun"); err != nil {
		want = []string{"an address by IPv4", "an address by IPv4"}
	}
	if !slices.Equal(p.Attempts, want) || p.Silent() {
		t.Errorf("%+v", p)
	}
}

// Where there is no way out at all, the kernel counts.
func TestAlone_countsWhatHasNoRoute(t *testing.T) {
	t.Parallel()
	needNamespaces(t)
	p, err := Alone(t.Context(), "unrouted")
	if err != nil || len(p.Attempts) != 2 || p.Silent() {
		t.Errorf("%+v, %v", p, err)
	}
}

// A packet may be anything.
func FuzzDestination(f *testing.F) {
	f.Add([]byte{0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 7, 0, 1, 0, 53, 0, 8, 0, 0})
	f.Add([]byte{0x6f})
	f.Fuzz(func(t *testing.T, packet []byte) {
		if got := destination(packet); got == "" && (len(packet) < 40 || packet[0]>>4 != 6) {
			t.Errorf("a packet was left out: %x", packet)
		}
	})
}

func TestInside_isRefusedElsewhere(t *testing.T) {
	t.Parallel()
	if p, err := Inside(t.Context(), Options{}); err == nil || !strings.Contains(err.Error(), "no network namespace") {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestColumn(t *testing.T) {
	t.Parallel()
	const table = "Ip: Forwarding OutNoRoutes\nIp: 1 7\nIcmp: OutNoRoutes\nIcmp: 3\n"
	if n, err := column(table, "Ip:", "OutNoRoutes"); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, text := range []string{"", "Ip: Forwarding\nIp: 1\n", "Ip: OutNoRoutes\n", "Ip: a OutNoRoutes\nIp: 1\n", "Ip: OutNoRoutes\nIp: x\n"} {
		if n, err := column(text, "Ip:", "OutNoRoutes"); err == nil {
			t.Errorf("%q: %d", text, n)
		}
	}
}
