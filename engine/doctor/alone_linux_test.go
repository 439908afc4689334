package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// asChild are what the test binary does when Alone has started it, by its first argument.
var asChild = map[string]func() (*Proof, error){
	"silence": func() (*Proof, error) { return Inside(context.Background(), Options{}) },
	"leak": func() (*Proof, error) {
		if err := loopbackUp(); err != nil {
			return nil, err
		}
		count, err := attempts()
		if err != nil {
			return nil, err
		}
		for _, network := range []string{"tcp", "udp"} {
			if c, err := net.Dial(network, "192.0.2.7:80"); err == nil {
				c.Close()
			}
		}
		l, err := net.Listen("tcp", "127.0.0.1:0") // which stays on the machine
		if err != nil {
			return nil, err
		}
		defer l.Close()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return nil, err
		}
		defer c.Close()
		n, err := count()
		return &Proof{Namespace: true, Attempts: n}, err
	},
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
func TestSilence_inANamespaceWithoutRoutes(t *testing.T) {
	needBrowser(t)
	needNamespaces(t)
	p, err := Alone(t.Context(), "silence")
	if err != nil {
		t.Fatal(err)
	}
	if !p.Silent() || !p.Namespace || len(p.Uses) != 3 {
		t.Errorf("got %+v", p)
	}
}

// The proof would notice: what is dialed there is counted, what stays on the machine isn't.
func TestAlone_countsWhatTriesToLeave(t *testing.T) {
	t.Parallel()
	needNamespaces(t)
	p, err := Alone(t.Context(), "leak")
	if err != nil || p.Attempts != 2 || p.Silent() {
		t.Errorf("%+v, %v", p, err)
	}
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
