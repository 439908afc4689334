package sessions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/browser/sandbox"
)

func TestSet_takesAsManySessionsAsItMay(t *testing.T) {
	t.Parallel()
	l := New(Options{Max: 2})
	for range 2 {
		if err := l.reserve(); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.reserve(); !errors.Is(err, ErrLimit) {
		t.Error(err)
	}
	l.free()
	if err := l.reserve(); err != nil {
		t.Error(err)
	}
}

func TestSession_isOverByItsTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		age, idle time.Duration
		busy      int
		want      error
	}{
		{"new", 0, 0, 0, nil},
		{"unused", time.Minute, time.Minute, 0, ErrIdle},
		{"busy", 2 * time.Minute, 2 * time.Minute, 1, nil},
		{"old", 10 * time.Minute, 0, 1, ErrTTL},
	} {
		s := newSession(New(Options{}), Request{TTL: 10 * time.Minute, Idle: time.Minute})
		s.record.Created, s.record.Used, s.busy = noon.Add(-c.age), noon.Add(-c.idle), c.busy
		if got := s.over(noon); !errors.Is(got, c.want) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestReplay_hasTheTimeOfItsWaits(t *testing.T) {
	t.Parallel()
	wait := actions.Action{Type: actions.Wait, Milliseconds: 2000}
	element := actions.Action{Type: actions.Wait, Selector: "#a"}
	for want, r := range map[time.Duration]Replay{
		45 * time.Second:  {},
		78 * time.Second:  {WaitFor: time.Second, Actions: []actions.Action{wait, element}},
		300 * time.Second: {WaitFor: time.Hour},
	} {
		if got := r.time(); got != want {
			t.Errorf("%+v: %s, want %s", r, got, want)
		}
	}
}

func TestFailed_sortsByWhoCanHelp(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	other := errors.New("other")
	for _, c := range []struct {
		ctx     context.Context
		err     error
		install bool // what is missing
		failed  bool
	}{
		{t.Context(), &sandbox.UnavailableError{}, true, false},
		{t.Context(), fmt.Errorf("x: %w", &browser.InstallError{}), true, false},
		{t.Context(), other, false, true},
		{over, other, false, false},
		{t.Context(), nil, false, false},
	} {
		got := failed(c.ctx, c.err)
		_, isFailed := errors.AsType[*FailedError](got)
		if errors.Is(got, ErrNotConfigured) != c.install || isFailed != c.failed || !errors.Is(got, c.err) {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}

func TestSocketFolder_removesWhatKilledProgramsLeft(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	left := filepath.Join(os.TempDir(), FolderPrefix+"2147483646-1")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	first, err := newSocketFolder()
	second, err2 := newSocketFolder()
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	if len(found) != 2 {
		t.Errorf("%v, want %s and %s", found, first, second)
	}
}
