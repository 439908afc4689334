package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// The test binary runs itself as the workers.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		main()
		return
	}
	os.Exit(m.Run())
}

// screen is what was printed.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(data)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until something is printed.
func (s *screen) await(t *testing.T, pattern string) {
	t.Helper()
	for want := regexp.MustCompile(pattern); !want.MatchString(s.String()); time.Sleep(10 * time.Millisecond) {
		if t.Context().Err() != nil {
			t.Fatal("the test has ended")
		}
	}
}

var started = regexp.MustCompile(`joins, as process (\d+)`)

// allGone checks that no worker is left.
func allGone(t *testing.T, text string, want int) {
	t.Helper()
	list := started.FindAllStringSubmatch(text, -1)
	if len(list) != want {
		t.Errorf("%d workers, want %d", len(list), want)
	}
	for _, one := range list {
		var pid int
		if _, err := fmt.Sscan(one[1], &pid); err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(pid)
		if err == nil && p.Signal(os.Interrupt) == nil {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// Workers come, leave and die; each page is there once, and no process is left.
func TestRun_workersComeAndGo(t *testing.T) {
	t.Parallel()
	in, orders := io.Pipe()
	defer in.Close()
	var out screen
	ended := make(chan error, 1)
	go func() { ended <- run(t.Context(), []string{"-pages", "400", "-delay", "60ms"}, in, &out) }()
	for _, step := range []struct{ order, shows string }{
		{"join", `w4: [1-9]\d* pages, [1-9]`},
		{"leave w2", `w2 is gone`},
		{"kill w1", `w1 is gone`},
		{"kill w9", `no worker has the name "w9"`},
		{"dance", `"dance" is no order`},
	} {
		if _, err := fmt.Fprintln(orders, step.order); err != nil {
			t.Fatal(err)
		}
		out.await(t, step.shows)
	}
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if text := out.String(); !strings.HasSuffix(text, "400 pages of 400, 0 of them twice\n") {
		t.Errorf("it ends with %s", text[max(0, len(text)-300):])
	}
	allGone(t, out.String(), 4)
}

func TestRun_endsWhenItIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	var out screen
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-workers", "2"}, strings.NewReader(""), &out) }()
	out.await(t, `w2: \d+ pages`)
	interrupt()
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	allGone(t, out.String(), 2)
}

func TestRun_namesWhatIsWrong(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"-workers", "0"}, strings.NewReader(""), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "-workers") {
		t.Errorf("got %v", err)
	}
}
