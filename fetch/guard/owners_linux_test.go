package guard

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

const letIn = "HTTP/1.1 400 Guard"

// knocker is a child process that connects to a given address.
type knocker struct {
	pid int
	at  func(addr string) (answer string)
}

// newKnocker starts one under a name of its own.
func newKnocker(t *testing.T, name string) knocker {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), name)
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(link)
	cmd.Env = append(os.Environ(), knockerVariable+"=1")
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := cmd.Start(); err1 != nil || err2 != nil || err != nil {
		t.Fatal(err1, err2, err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	answers := bufio.NewScanner(out)
	return knocker{cmd.Process.Pid, func(addr string) string {
		_, _ = io.WriteString(in, addr+"\n")
		answers.Scan()
		return answers.Text()
	}}
}

// guardFor makes a guard that lets in who descends from roots.
func guardFor(t *testing.T, roots func() []int, log *logBook) (l *Lease, addr string) {
	g := newGuard(t)
	g.owners = newOwners(roots, log.logger())
	l = newLeaseOf(t, g, LeaseOptions{})
	return l, strings.TrimPrefix(l.URL(), "http://")
}

func TestPeer_onlyTheBrowsersProcessesMayConnect(t *testing.T) {
	first, second := newKnocker(t, "browser"), newKnocker(t, "stranger) S 1 (") // a name that pretends to be a child of init
	for _, test := range []struct {
		name                  string
		roots                 []int
		first, second, myself string
	}{
		{"itself", []int{os.Getpid()}, letIn, letIn, letIn},
		{"a child", []int{first.pid}, letIn, "", ""},
		{"the other child", []int{1 << 30, second.pid}, "", letIn, ""},
		{"both", []int{second.pid, first.pid}, letIn, letIn, ""},
		{"nobody", nil, "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var log logBook
			_, addr := guardFor(t, func() []int { return test.roots }, &log)
			for range 3 {
				if got := first.at(addr); got != test.first {
					t.Errorf("the first child got %q, want %q", got, test.first)
				}
				if got := second.at(addr); got != test.second {
					t.Errorf("the second child got %q, want %q", got, test.second)
				}
				if got := knockAt(addr); got != test.myself {
					t.Errorf("the test itself got %q, want %q", got, test.myself)
				}
			}
			refused := test.first == "" || test.second == "" || test.myself == ""
			if n := log.count("not the browser"); (n == 1) != refused || n > 1 || log.count("not checked") > 0 {
				t.Errorf("log %q", log.lines())
			}
		})
	}
}

func TestPeer_rootsMayChange(t *testing.T) {
	k := newKnocker(t, "browser")
	var mu sync.Mutex
	var roots []int
	_, addr := guardFor(t, func() []int { mu.Lock(); defer mu.Unlock(); return roots }, &logBook{})
	for _, step := range []struct {
		roots []int
		want  string
	}{{nil, ""}, {[]int{k.pid}, letIn}, {[]int{1 << 30}, ""}, {[]int{k.pid}, letIn}} {
		mu.Lock()
		roots = step.roots
		mu.Unlock()
		if got := k.at(addr); got != step.want {
			t.Errorf("%v: %q, want %q", step.roots, got, step.want)
		}
	}
}

func TestPeer_manyAtOnceAreAllKnown(t *testing.T) {
	_, addr := guardFor(t, func() []int { return []int{os.Getpid()} }, &logBook{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if got := knockAt(addr); got != letIn {
					t.Errorf("answer %q", got)
				}
			}
		})
	}
	wg.Wait()
}

// An IPv6 socket may speak to an IPv4 listener.
func TestPeer_mappedAddressesAreFound(t *testing.T) {
	_, addr := guardFor(t, func() []int { return []int{os.Getpid()} }, &logBook{})
	fd, err := unix.Socket(unix.AF_INET6, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "socket")
	defer f.Close()
	to := netip.MustParseAddrPort(addr)
	if err := unix.Connect(fd, &unix.SockaddrInet6{Port: int(to.Port()), Addr: netip.AddrFrom16(to.Addr().As16()).As16()}); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(f, "GET / HTTP/1.1\r\n\r\n")
	if got, err := io.ReadAll(f); !strings.HasPrefix(string(got), letIn) {
		t.Errorf("%q, %v", got, err)
	}
}

// Both ways to find a socket find the same, and neither takes a listener or what is closed for one.
func TestFindSocket_bothWaysAgree(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	far, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	near, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	local, remote := netip.MustParseAddrPort(far.LocalAddr().String()), netip.MustParseAddrPort(far.RemoteAddr().String())
	ways := map[string]func(_, _ netip.AddrPort) (socket, error){"diagnose": diagnose, "lookUp": lookUp}
	found := map[socket]bool{}
	for name, find := range ways {
		s, err := find(local, remote)
		if err != nil || s.inode == 0 || s.uid != os.Getuid() {
			t.Errorf("%s: %v, %v", name, s, err)
		}
		found[s] = true
		if s, err := find(remote, netip.MustParseAddrPort("127.0.0.1:1")); !errors.Is(err, errNoSocket) {
			t.Errorf("%s at a listener: %v, %v", name, s, err)
		}
	}
	if len(found) != 1 {
		t.Errorf("they found %v", found)
	}
	far.Close()
	for name, find := range ways {
		if s, err := find(local, remote); !errors.Is(err, errNoSocket) {
			t.Errorf("%s of a closed one: %v, %v", name, s, err)
		}
	}
}

func FuzzParseDiag(f *testing.F) {
	local, remote := netip.MustParseAddrPort("127.0.0.1:32768"), netip.MustParseAddrPort("127.0.0.1:8080")
	f.Add([]byte{}, []byte{})
	f.Add(diagQuestion(local, remote), make([]byte, 32))
	f.Add([]byte{36, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, []byte{0xfe, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, head, rest []byte) {
		if s, err := parseDiag(append(head, rest...), local, remote); err == nil && s.inode == 0 {
			t.Errorf("%x %x: %v", head, rest, s)
		}
	})
}

func TestParseSocket(t *testing.T) {
	const line = "  12: 0100007F:8000 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 4242 1 0000000000000000 20 0 0 10 -1"
	for _, test := range []struct {
		line string
		want socket
		ok   bool
	}{
		{line, socket{4242, 1000}, true},
		{strings.Replace(line, "4242", "0", 1), socket{}, false},
		{strings.Replace(line, "4242", "x", 1), socket{}, false},
		{"  12: 0100007F:1F90 0100007F:8000 01 0:0 0:0 0 0 0 1", socket{}, false},
		{"  12: 0100007F:8000 0100007F:1F90 01", socket{}, false},
		{"", socket{}, false},
	} {
		got, ok := parseSocket(test.line, "0100007F:8000", "0100007F:1F90")
		if ok != test.ok || ok && got != test.want {
			t.Errorf("%q: %v %t", test.line, got, ok)
		}
	}
}

func FuzzParseSocket(f *testing.F) {
	f.Add("0: 0100007F:8000 0100007F:1F90 01 0:0 0:0 0 0 0 77 1")
	f.Fuzz(func(t *testing.T, line string) {
		if s, ok := parseSocket(line, "0100007F:8000", "0100007F:1F90"); ok && (s.inode == 0 || !strings.Contains(line, fmt.Sprint(s.inode))) {
			t.Errorf("%q: %v", line, s)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	g := newGuard(b)
	g.owners = newOwners(func() []int { return []int{os.Getpid()} }, g.opt.Logger)
	l := newLeaseOf(b, g, LeaseOptions{})
	addr := strings.TrimPrefix(l.URL(), "http://")
	for b.Loop() {
		if knockAt(addr) != letIn {
			b.Fatal("not let in")
		}
	}
}
