//go:build unix

package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/internal/sessions"
)

// sessionEnds are ways in which a session ends while code runs in it; the others are closed.
var sessionEnds = []struct {
	name   string
	end    func(t *testing.T, s *Session, c *clock, others map[string]bool)
	reason string
}{
	{"closed", func(_ *testing.T, s *Session, _ *clock, _ map[string]bool) { _, _ = s.Close() }, sessions.ErrClosed.Error()},
	{"its browser dies", func(t *testing.T, _ *Session, _ *clock, others map[string]bool) {
		signalBrowsers(t, others, syscall.SIGKILL)
	}, "its browser ended"},
	{"closed at rest", nil, sessions.ErrClosed.Error()},
	{"its time is over", func(_ *testing.T, _ *Session, c *clock, _ map[string]bool) { c.pass(time.Hour) }, sessions.ErrTTL.Error()},
	{"closed at rest again", nil, sessions.ErrClosed.Error()},
}

func TestSession_nothingRemainsOfManySessions(t *testing.T) {
	needSandbox(t)
	before := children(t)
	c := newClock()
	e := newTestEngine(t, Options{Hosts: counterShop(), Browser: BrowserOptions{System: true}, Now: c.now})
	for n := range soak(50) {
		way := sessionEnds[n%len(sessionEnds)]
		s := newTestSession(t, e, SessionOptions{URL: "http://shop.example/"})
		runIn(t, s, []string{"node", "python", "bash"}[n%3], "1")
		if way.end != nil {
			endWhileCodeRuns(t, s, func() { way.end(t, s, c, before) })
		}
		if info, err := s.Close(); err != nil || info.Status != SessionDestroyed || !strings.Contains(info.Reason, way.reason) {
			t.Errorf("%s: %+v, %v", way.name, info, err)
		}
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if after := childrenSince(t, before); len(after) != 0 {
		t.Errorf("processes stay: %v, before %v", after, before)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("%s%d-*", sessions.FolderPrefix, os.Getpid()))); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// endWhileCodeRuns ends a session under code that never ends.
func endWhileCodeRuns(t *testing.T, s *Session, end func()) {
	t.Helper()
	ran := make(chan error, 1)
	go func() {
		_, err := s.Run(context.Background(), InteractRequest{Code: `await new Promise(() => {})`, Timeout: 5 * time.Minute})
		ran <- err
	}()
	for !s.room.Busy() { // until it has the turn
		time.Sleep(time.Millisecond)
	}
	end()
	if err := <-ran; CodeOf(err) != CodeSessionDestroyed {
		t.Errorf("the code ended with %v", err)
	}
}

func BenchmarkSession_start(b *testing.B) {
	needSandbox(b)
	e := hostEngine(b, counterShop())
	for b.Loop() {
		s := newTestSession(b, e, SessionOptions{URL: "http://shop.example/"})
		if _, err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
