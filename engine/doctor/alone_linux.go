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
)

// aloneVariable is set in the environment of a process that Alone has started.
const aloneVariable = "WINNOW_DOCTOR_ALONE"

// Alone runs this program once more, with arguments that make it call Inside and print the Proof as JSON, in a network namespace of its
// own, and returns that proof. The error says why there is no such namespace, or how the program ended.
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
	c, err := newCounter()
	if err != nil {
		return nil, err
	}
	return prove(ctx, o, c.count)
}

// newCounter counts what tries to leave this namespace: in its one way out, or where none can be made, all that has no route.
func newCounter() (counter, error) {
	if err := linkUp("lo"); err != nil {
		return nil, fmt.Errorf("switch the loopback interface on: %w", err)
	}
	if d, err := newDeadEnd(); err == nil {
		return d, nil
	}
	return newUnrouted()
}

type counter interface {
	count() (where []string, how string, err error)
}

// unrouted counts what has no route. Of IPv6 it counts nothing: Chromium finds out whether there is any by a socket that it sends nothing
// through, which the kernel counts too.
type unrouted struct{ start int }

// testAddress may not be in use anywhere (RFC 5737).
const testAddress = "192.0.2.1:9"

// newUnrouted tries out first that the kernel counts.
func newUnrouted() (*unrouted, error) {
	before, err := noRoutes()
	if err != nil {
		return nil, err
	}
	if c, err := net.Dial("udp", testAddress); err == nil {
		c.Close()
		return nil, errors.New("this namespace has a route")
	}
	start, err := noRoutes()
	if err == nil && start == before {
		err = errors.New("the kernel doesn't count what has no route")
	}
	return &unrouted{start}, err
}

func (u *unrouted) count() (where []string, how string, err error) {
	n, err := noRoutes()
	for range n - u.start {
		where = append(where, "an address by IPv4")
	}
	return where, "IPv4 alone, where no route was found", err
}

// noRoutes is how many packets and connections of this namespace had no route, by IPv4.
func noRoutes() (int, error) {
	text, err := os.ReadFile("/proc/self/net/snmp")
	if err != nil {
		return 0, err
	}
	return column(string(text), "Ip:", "OutNoRoutes")
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
