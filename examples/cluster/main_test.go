package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"
	"syscall"
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

// show is the example at work, and what it has printed.
type show struct {
	mu    sync.Mutex
	text  strings.Builder
	ended chan struct{} // closed when it has ended
	err   error         // then
}

// begin begins it. It ends with the test, by its context, at the latest.
func begin(t *testing.T, play func(out io.Writer) error) *show {
	s := &show{ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		s.err = play(s)
	}()
	t.Cleanup(func() { <-s.ended })
	return s
}

func (s *show) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(data)
}

func (s *show) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until something is printed, which it is before the end or not at all.
func (s *show) await(t *testing.T, pattern string) {
	t.Helper()
	end := time.After(5 * time.Minute)
	for want := regexp.MustCompile(pattern); !want.MatchString(s.String()); {
		select {
		case <-s.ended:
			if !want.MatchString(s.String()) {
				t.Fatalf("it has ended (%v) without %s:\n%s", s.err, pattern, s)
			}
		case <-end:
			t.Fatalf("%s never comes:\n%s", pattern, s)
		case <-time.After(10 * time.Millisecond):
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
		if err == nil && p.Signal(syscall.Signal(0)) == nil {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// held is a site that keeps its last page back until it is open: the job can't end before.
type held struct {
	site
	open chan struct{}
}

func (h held) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == fmt.Sprintf("/%d", h.pages-1) {
		select {
		case <-h.open:
		case <-r.Context().Done():
			return
		}
	}
	h.site.ServeHTTP(w, r)
}

// Workers come, leave and die; each page is there once, and no process is left.
func TestStage_workersComeAndGo(t *testing.T) {
	t.Parallel()
	in, orders := io.Pipe()
	defer in.Close()
	web := held{site{400}, make(chan struct{})}
	folder := t.TempDir()
	out := begin(t, func(out io.Writer) error {
		s := &stage{out: out, web: web, settings: settings{Folder: folder, Pages: web.pages, Delay: 60 * time.Millisecond}}
		return s.play(t.Context(), 3, in)
	})
	for _, step := range []struct{ order, shows string }{
		{"join", `w4: \d+ pages, [1-9]`},
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
	close(web.open)
	if <-out.ended; out.err != nil {
		t.Fatalf("%v\n%s", out.err, out)
	}
	if text := out.String(); !strings.HasSuffix(text, "400 pages of 400, 0 of them twice\n") {
		t.Errorf("it ends with %s", text[max(0, len(text)-300):])
	}
	allGone(t, out.String(), 4)
}

func TestRun_endsWhenItIsInterrupted(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	out := begin(t, func(out io.Writer) error { return run(ctx, []string{"-workers", "2"}, strings.NewReader(""), out) })
	out.await(t, `w2: \d+ pages`)
	interrupt()
	if <-out.ended; out.err != nil && !errors.Is(out.err, context.Canceled) {
		t.Error(out.err)
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
