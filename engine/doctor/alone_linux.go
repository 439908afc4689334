package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// aloneVariable is set in the environment of a process that Alone has started.
const aloneVariable = "WINNOW_DOCTOR_ALONE"

// Alone runs this program once more, with arguments that make it call Inside and print the Proof as JSON, in a network namespace of its
// own without routes, and returns that proof. The error says why there is no such namespace, or how the program ended.
func Alone(ctx context.Context, args ...string) (*Proof, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var said, wrong bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Env = append(os.Environ(), aloneVariable+"=1")
	c.Stdout, c.Stderr, c.WaitDelay = &said, &wrong, 10*time.Second
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%w: %.500s", err, strings.TrimSpace(wrong.String()))
	}
	p := &Proof{}
	if err := json.Unmarshal(said.Bytes(), p); err != nil || !p.Namespace {
		return nil, errors.Join(err, fmt.Errorf("it printed %.200q", said.String()))
	}
	return p, nil
}

// Inside is Silence for the program that Alone has started. Elsewhere it is an error.
func Inside(ctx context.Context, o Options) (*Proof, error) {
	if os.Getenv(aloneVariable) == "" {
		return nil, errors.New("this process has no network namespace of its own")
	}
	if err := loopbackUp(); err != nil {
		return nil, fmt.Errorf("switch the loopback interface on: %w", err)
	}
	return Silence(ctx, o)
}

func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// testAddress may not be in use anywhere (RFC 5737).
const testAddress = "192.0.2.1:9"

// attempts returns a function that counts what has tried to leave this namespace since, nil outside of one. That the kernel counts is
// tried out first.
func attempts() (func() (int, error), error) {
	if os.Getenv(aloneVariable) == "" {
		return nil, nil
	}
	before, err := noRoutes()
	if err != nil {
		return nil, err
	}
	if c, err := net.Dial("udp", testAddress); err == nil {
		c.Close()
		return nil, errors.New("this namespace has a route")
	}
	start, err := noRoutes()
	if err != nil {
		return nil, err
	}
	if start == before {
		return nil, errors.New("the kernel doesn't count what has no route")
	}
	return func() (int, error) {
		n, err := noRoutes()
		return n - start, err
	}, nil
}

// noRoutes is how many packets and connections of this namespace had no route, by IPv4 and IPv6.
func noRoutes() (int, error) {
	four, err := os.ReadFile("/proc/self/net/snmp")
	if err != nil {
		return 0, err
	}
	n, err := column(string(four), "Ip:", "OutNoRoutes")
	if err != nil {
		return 0, err
	}
	six, _ := os.ReadFile("/proc/self/net/snmp6") // not there without IPv6
	for line := range strings.Lines(string(six)) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == "Ip6OutNoRoutes" {
			more, err := strconv.Atoi(words[1])
			return n + more, err
		}
	}
	return n, nil
}

// column reads a number of a table whose rows begin with a name: first the names of the columns, then the numbers.
func column(text, row, name string) (int, error) {
	at := -1
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] != row {
			continue
		}
		if at >= 0 && at < len(words) {
			return strconv.Atoi(words[at])
		}
		for i, word := range words {
			if word == name {
				at = i
			}
		}
	}
	return 0, fmt.Errorf("no %s %s in the kernel's counters", row, name)
}
