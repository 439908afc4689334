//go:build amd64 || arm64

package sandbox

import (
	"encoding/binary"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

func init() { programs["refused calls"], programs["calls by argument"] = tryRefusals, tryArguments }

// everyRefusal lists what a program without a sandbox of its own is refused.
func everyRefusal() []refusal { return slices.Concat(refusals, namespaceRefusals) }

// tryRefusals makes each refused call, with arguments that no call takes, and writes how it ended.
func tryRefusals() {
	const wrong = ^uintptr(0)
	for _, r := range everyRefusal() {
		for _, name := range slices.Sorted(maps.Keys(r.calls)) {
			value, _, errno := unix.RawSyscall6(uintptr(r.calls[name]), wrong, wrong, wrong, wrong, wrong, wrong)
			fmt.Println(name, value == 0, int(errno))
		}
	}
}

func TestFilter_eachListedCallIsRefused(t *testing.T) {
	var want strings.Builder
	for _, r := range everyRefusal() {
		if r.why == "" {
			t.Errorf("%v: no reason", r.calls)
		}
		for _, name := range slices.Sorted(maps.Keys(r.calls)) {
			fmt.Fprintln(&want, name, r.errno == 0, int(r.errno))
		}
	}
	if got := do(t, program(t, "refused calls")); got.out != want.String() || got.code != 0 {
		t.Errorf("got %s, code %d, want %s (stderr %.300q)", got.out, got.code, want.String(), got.err)
	}
}

// The guide has a row for each reason, with the calls of all processors.
func TestFilter_isInTheGuide(t *testing.T) {
	guide, err := os.ReadFile("../../.guide/sessions.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range everyRefusal() {
		errno := "none"
		if r.errno != 0 {
			errno = unix.ErrnoName(r.errno)
		}
		row := fmt.Sprintf("| `%s` | %s | %s |", strings.Join(slices.Sorted(maps.Keys(r.calls)), "`, `"), errno, r.why)
		if !strings.Contains(string(guide), row+"\n") {
			t.Errorf("the guide lacks %s", row)
		}
	}
}

// byArgument are calls whose arguments decide, in words that do the same in a sandbox and in the test of the filter alone.
var byArgument = []struct {
	name   string
	number uintptr
	first  uintptr
	third  uintptr
	errno  unix.Errno // 0: allowed
	own    unix.Errno // the same for a program with a sandbox of its own
}{
	{"a user namespace", unix.SYS_CLONE, unix.CLONE_NEWUSER | uintptr(unix.SIGCHLD), 0, unix.EPERM, 0},
	{"a process namespace", unix.SYS_CLONE, unix.CLONE_NEWUSER | unix.CLONE_NEWPID | uintptr(unix.SIGCHLD), 0, unix.EPERM, 0},
	{"a network namespace", unix.SYS_CLONE, unix.CLONE_NEWUSER | unix.CLONE_NEWNET | uintptr(unix.SIGCHLD), 0, unix.EPERM, 0},
	{"a mount namespace", unix.SYS_CLONE, unix.CLONE_NEWNS | uintptr(unix.SIGCHLD), 0, unix.EPERM, unix.EPERM},
	{"several namespaces", unix.SYS_CLONE, unix.CLONE_NEWUSER | unix.CLONE_NEWNS | uintptr(unix.SIGCHLD), 0, unix.EPERM, unix.EPERM},
	{"a namespace of names", unix.SYS_CLONE, unix.CLONE_NEWUTS | uintptr(unix.SIGCHLD), 0, unix.EPERM, unix.EPERM},
	{"a namespace of messages", unix.SYS_CLONE, unix.CLONE_NEWIPC | uintptr(unix.SIGCHLD), 0, unix.EPERM, unix.EPERM},
	{"a namespace of control groups", unix.SYS_CLONE, unix.CLONE_NEWCGROUP | uintptr(unix.SIGCHLD), 0, unix.EPERM, unix.EPERM},
	{"a thread with files of its own", unix.SYS_CLONE, unix.CLONE_VM | unix.CLONE_SIGHAND | unix.CLONE_THREAD, 0, unix.EPERM, unix.EPERM},
	{"a process", unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0},
	{"leaving for a user namespace", unix.SYS_UNSHARE, unix.CLONE_NEWUSER, 0, unix.EPERM, unix.EINVAL}, // allowed, but not to one of several threads
	{"leaving for a mount namespace", unix.SYS_UNSHARE, unix.CLONE_NEWNS, 0, unix.EPERM, unix.EPERM},
	{"files of its own", unix.SYS_UNSHARE, unix.CLONE_FILES, 0, unix.EPERM, unix.EPERM},
	{"closing files of its own", unix.SYS_CLOSE_RANGE, 1 << 20, unix.CLOSE_RANGE_UNSHARE, unix.EPERM, unix.EPERM},
	{"closing files", unix.SYS_CLOSE_RANGE, 1 << 20, 0, 0, 0},
	{"a local socket", unix.SYS_SOCKET, unix.AF_UNIX, 0, 0, 0},
	{"a socket of IPv4", unix.SYS_SOCKET, unix.AF_INET, 0, 0, 0},
	{"a socket of IPv6", unix.SYS_SOCKET, unix.AF_INET6, 0, 0, 0},
	{"the list of addresses", unix.SYS_SOCKET, unix.AF_NETLINK, unix.NETLINK_ROUTE, 0, 0},
	{"the list of filters", unix.SYS_SOCKET, unix.AF_NETLINK, unix.NETLINK_NETFILTER, unix.EPERM, unix.EPERM},
	{"the way to the host of a virtual machine", unix.SYS_SOCKET, unix.AF_VSOCK, 0, unix.EAFNOSUPPORT, unix.EAFNOSUPPORT},
	{"ciphers of the kernel", unix.SYS_SOCKET, unix.AF_ALG, 0, unix.EAFNOSUPPORT, unix.EAFNOSUPPORT},
	{"raw packets", unix.SYS_SOCKET, unix.AF_PACKET, 0, unix.EAFNOSUPPORT, unix.EAFNOSUPPORT},
}

// tryArguments makes these calls and writes how they ended.
func tryArguments() {
	for _, c := range byArgument {
		second := uintptr(0)
		if c.number == unix.SYS_SOCKET {
			second = unix.SOCK_STREAM
			if c.first == unix.AF_NETLINK || c.first == unix.AF_PACKET {
				second = unix.SOCK_RAW
			}
		}
		if c.number == unix.SYS_CLOSE_RANGE {
			second = 1 << 21
		}
		value, _, errno := unix.RawSyscall6(c.number, c.first, second, c.third, 0, 0, 0)
		if c.number == unix.SYS_CLONE && errno == 0 && value == 0 {
			_, _, _ = unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
		}
		fmt.Println(c.name, int(errno))
	}
}

func TestFilter_argumentsDecide(t *testing.T) {
	for _, own := range []bool{false, true} {
		var want strings.Builder
		for _, c := range byArgument {
			errno := c.errno
			if own {
				errno = c.own
			}
			fmt.Fprintln(&want, c.name, int(errno))
		}
		s := program(t, "calls by argument")
		s.OwnSandbox = own
		if got := do(t, s); got.out != want.String() || got.code != 0 {
			t.Errorf("own sandbox %v: got %s, code %d, end %v, want %s (stderr %.300q)", own, got.out, got.code, got.end, want.String(), got.err)
		}
	}
}

// decide is what a filter makes of a call, by a machine that reads numbers with the highest byte first.
func decide(t *testing.T, s Spec, arch, number, first uint32) uint32 {
	t.Helper()
	machine, err := bpf.NewVM(s.filter())
	if err != nil {
		t.Fatal(err)
	}
	description := make([]byte, 64)
	binary.BigEndian.PutUint32(description[atNumber:], number)
	binary.BigEndian.PutUint32(description[atArch:], arch)
	binary.BigEndian.PutUint32(description[atFirst:], first)
	action, err := machine.Run(description)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(action)
}

func TestFilter_otherTablesOfCallsAreClosed(t *testing.T) {
	closed := uint32(unix.SECCOMP_RET_ERRNO | unix.ENOSYS)
	for _, own := range []bool{false, true} {
		s := Spec{OwnSandbox: own}
		for name, c := range map[string]struct{ arch, number, want uint32 }{
			"its own":              {auditArch, unix.SYS_READ, unix.SECCOMP_RET_ALLOW},
			"a call of 32 bits":    {unix.AUDIT_ARCH_I386, 3, closed},
			"another processor's":  {unix.AUDIT_ARCH_S390, unix.SYS_READ, closed},
			"the second numbers":   {auditArch, secondNumbers | unix.SYS_READ, closed},
			"a refused one":        {auditArch, unix.SYS_PTRACE, unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
			"one that seems to do": {auditArch, unix.SYS_SETSID, unix.SECCOMP_RET_ERRNO},
		} {
			if got := decide(t, s, c.arch, c.number, 0); got != c.want {
				t.Errorf("%s: got %#x, want %#x", name, got, c.want)
			}
		}
	}
}

// The filter holds for every program inside, and can't be taken off. Bubblewrap's own first process has it some moments after the
// program: it starts the program first. In those moments it is out of the program's reach, which may not write to its memory.
func TestFilter_isOnEveryProcess(t *testing.T) {
	const want = "Seccomp:\t2\n"
	const awaited = `n=0; until grep -q '^Seccomp:.2' /proc/1/status || [ $((n += 1)) -gt 1000 ]; do sleep 0.01; done; `
	if got := do(t, shell(`grep ^Seccomp: /proc/self/status; `+awaited+`cat /proc/[0-9]*/status | grep ^Seccomp: | sort -u`)); got.out != want+want {
		t.Errorf("got %q, want %q", got.out, want+want)
	}
	if got := do(t, shell(`(exec 3<>/proc/1/mem) 2>/dev/null || echo no`)); got.out != "no\n" {
		t.Errorf("the memory of the first process is open to writing: %q", got.out)
	}
}

func TestFilter_eachKindOfNamespaceIsRefused(t *testing.T) {
	const refused = uint32(unix.SECCOMP_RET_ERRNO) | uint32(unix.EPERM)
	for bit := range 32 {
		kind := uint32(1) << bit
		own, other := kind&ownNamespaces != 0, kind&otherNamespaces != 0
		if got := decide(t, Spec{}, auditArch, unix.SYS_CLONE, kind) == refused; got != (own || other || kind == unix.CLONE_THREAD) {
			t.Errorf("%#x is refused: %v", kind, got)
		}
		if got := decide(t, Spec{OwnSandbox: true}, auditArch, unix.SYS_CLONE, kind) == refused; got != (other || kind == unix.CLONE_THREAD) {
			t.Errorf("with a sandbox of its own %#x is refused: %v", kind, got)
		}
	}
}

// Bubblewrap itself fails when the option that the test looks for does not do what it says.
func TestStart_userNamespacesAreDisabledWhereBubblewrapKnowsHow(t *testing.T) {
	needed(t)
	help, _ := exec.CommandContext(t.Context(), "bwrap", "--help").CombinedOutput()
	knows := strings.Contains(string(help), "--disable-userns")
	for _, own := range []bool{false, true} {
		p, err := Start(t.Context(), Spec{Args: []string{"/bin/true"}, OwnSandbox: own})
		if err != nil {
			t.Fatal(err)
		}
		if code, err := p.Wait(); code != 0 || err != nil {
			t.Errorf("got code %d, %v", code, err)
		}
		if got, want := slices.Contains(p.command.Args, "--assert-userns-disabled"), knows && !own; got != want {
			t.Errorf("own sandbox %v: disabled %v, want %v", own, got, want)
		}
	}
}
