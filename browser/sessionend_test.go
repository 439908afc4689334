//go:build unix

package browser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/winnow-go/winnow/browser/internal/instance"
	"github.com/winnow-go/winnow/browser/internal/launch"
	"github.com/winnow-go/winnow/browser/internal/process"
	"github.com/winnow-go/winnow/browser/sandbox"
)

// sessionEnds are the ways in which a session may end, each with what its error holds beside ErrCrashed.
var sessionEnds = []struct {
	name  string
	limit string
	end   func(t *testing.T, s *Session, site *site)
}{
	{"the driver is killed", "", func(_ *testing.T, s *Session, _ *site) { _ = syscall.Kill(s.gen.DriverPID(), syscall.SIGKILL) }},
	{"the browser is killed", "", func(t *testing.T, s *Session, _ *site) {
		if err := syscall.Kill(browserOf(t, s), syscall.SIGKILL); err != nil {
			t.Error(err)
		}
	}},
	{"everything is frozen and it is asked", "", func(t *testing.T, s *Session, _ *site) {
		if err := s.Check(t.Context(), time.Minute); err != nil {
			t.Errorf("while it works: %v", err)
		}
		for _, pid := range process.Tree(process.All(), s.gen.DriverPID()) {
			_ = syscall.Kill(pid, syscall.SIGSTOP)
		}
		if err := s.Check(t.Context(), 200*time.Millisecond); err == nil || !errors.Is(s.Err(), errFrozen) {
			t.Errorf("asked: %v, then %v", err, s.Err())
		}
	}},
	{"its network service is stopped", "", func(t *testing.T, s *Session, _ *site) { signal(t, s.gen, instance.NetworkKind, syscall.SIGSTOP) }},
	{"its network service is killed", "", func(t *testing.T, s *Session, _ *site) { signal(t, s.gen, instance.NetworkKind, syscall.SIGKILL) }},
	{"too much on the disk", "disk", func(t *testing.T, s *Session, _ *site) {
		if err := os.WriteFile(filepath.Join(s.gen.Folder.Sockets(), "x"), make([]byte, launch.MaxSessionBytes+1), 0o600); err != nil {
			t.Error(err)
		}
	}},
	{"too much memory", "memory", func(t *testing.T, s *Session, _ *site) {
		err := s.gen.Exceeds(sandbox.Limits{Memory: 10 << 20})
		if err == nil {
			t.Fatal("a browser in 10 MB?")
		}
		s.kill(err)
	}},
	{"too many files", "files", func(t *testing.T, s *Session, _ *site) {
		for n := range launch.MaxSessionFiles {
			if err := os.Symlink("/", filepath.Join(s.gen.Folder.Sockets(), strconv.Itoa(n))); err != nil {
				t.Error(err)
			}
		}
	}},
	{"everything is frozen and its owner closes it", "", func(t *testing.T, s *Session, _ *site) {
		for _, pid := range process.Tree(process.All(), s.gen.DriverPID()) {
			_ = syscall.Kill(pid, syscall.SIGSTOP)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}},
	{"its owner closes it while it loads", "", func(t *testing.T, s *Session, site *site) {
		p := pageOf(t, s)
		loaded := make(chan error, 1)
		go func() {
			_, err := p.Goto(context.Background(), site.URL+"/silent")
			loaded <- err
		}()
		eventually(t, "the page is asked for", func() bool { return len(site.requests("/silent")) > 0 })
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-loaded; !errors.Is(err, ErrClosed) && !errors.Is(err, ErrCrashed) {
			t.Errorf("the load ended with %v", err)
		}
	}},
}

// browserOf is the browser's first process.
func browserOf(t *testing.T, s *Session) int {
	t.Helper()
	for _, pid := range process.Tree(process.All(), s.gen.DriverPID()) {
		line, _ := process.CommandLine(pid)
		if bytes.Contains(line, []byte("--remote-debugging-pipe")) && !bytes.Contains(line, []byte("--type=")) {
			return pid
		}
	}
	t.Fatal("no browser")
	return 0
}

// TestSession_nothingRemainsHoweverItEnds tries the first ways; with WINNOW_SOAK=1 all of them, until 50 sessions have ended.
func TestSession_nothingRemainsHoweverItEnds(t *testing.T) {
	needsSandbox(t)
	sessions := inFull(2, 50)
	proxy := newProxy(t)
	site := newSite(t, proxy.URL)
	egress := egressTo(t, proxy.Listener.Addr().String())
	for n := range sessions {
		way := sessionEnds[n%len(sessionEnds)]
		t.Run(fmt.Sprintf("%d %s", n, way.name), func(t *testing.T) {
			s := newSession(t, SessionOptions{Egress: egress})
			marker, folder, pids := s.gen.Folder.Marker(), s.gen.Folder.Dir, process.Tree(process.All(), s.gen.DriverPID())
			if len(pids) < 5 {
				t.Fatalf("%d processes: what is looked at?", len(pids))
			}
			way.end(t, s, site)
			<-s.Done()
			checkEnd(t, s, way.limit)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if left := processesWith("WINNOW_RUN=" + marker); len(left) > 0 || exists(folder) {
				t.Errorf("left: %v, folder %v", left, exists(folder))
			}
			for _, p := range process.All() {
				if strings.Contains(fmt.Sprint(" ", pids, " "), fmt.Sprint(" ", p.PID, " ")) && !p.Gone() {
					t.Errorf("process %d is left", p.PID)
				}
			}
		})
	}
}

func checkEnd(t *testing.T, s *Session, limit string) {
	t.Helper()
	err := s.Err()
	if !errors.Is(err, ErrCrashed) && !errors.Is(err, ErrClosed) {
		t.Errorf("got %v", err)
	}
	var over *sandbox.LimitError
	if limit != "" && (!errors.As(err, &over) || over.What != limit || !errors.Is(err, ErrCrashed)) {
		t.Errorf("got %v, want the limit of %s", err, limit)
	}
	if _, err := s.Page(t.Context()); !errors.Is(err, ErrCrashed) && !errors.Is(err, ErrClosed) {
		t.Errorf("its page: %v", err)
	}
	if tabs := s.Tabs(); len(tabs) > 1 {
		t.Errorf("its tabs: %v", tabs)
	}
}

// helperSession holds a session until it is killed.
func helperSession() int {
	s, err := StartSession(context.Background(), SessionOptions{Egress: os.Getenv("WINNOW_BROWSER_EGRESS")})
	if err != nil {
		os.Stderr.WriteString(err.Error())
		return 1
	}
	os.Stdout.WriteString(s.gen.Folder.Marker() + "\n")
	select {}
}

func TestSession_diesWithItsHostAndItsRemainsAreSwept(t *testing.T) {
	needsSandbox(t)
	folderOfItsOwn(t)
	t.Setenv("WINNOW_BROWSER_EGRESS", egressTo(t, "127.0.0.1:1"))
	command, marker := heldBy(t, "session")
	dir := strings.SplitN(marker, ":", 4)[3]
	if len(processesWith("WINNOW_RUN="+marker)) < 2 {
		t.Error("want the sandbox running")
	}
	_ = command.Process.Kill()
	_ = command.Wait()
	eventually(t, "the sandbox has died with its host", func() bool { return len(processesWith("WINNOW_RUN="+marker)) == 0 })
	if !exists(dir) {
		t.Fatal("want the folder left, or this test shows nothing")
	}
	process.Sweep(shared.log, os.TempDir())
	if exists(dir) {
		t.Error("the folder is left")
	}
}

// A start that is given up leaves nothing: TestMain looks for what is left.
func TestStartSession_givenUpAtAnyMomentLeavesNothing(t *testing.T) {
	needsSandbox(t)
	egress := egressTo(t, "127.0.0.1:1")
	for _, after := range []time.Duration{time.Millisecond, 80 * time.Millisecond, 300 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		s, err := StartSession(ctx, SessionOptions{Egress: egress})
		cancel()
		if err == nil {
			s.Close() // the machine is quick
		} else if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ErrCrashed) {
			t.Errorf("after %s: %v", after, err)
		}
	}
}
