package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// imitation is a bubblewrap that notes each run and ends it in a way of its own.
func imitation(t *testing.T, end string) (path string, runs func() int) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "bwrap")
	script := "#!/bin/sh\necho \"$@\" >>" + path + ".log\n" + end + "\n"
	if err := os.WriteFile(path, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path, func() int {
		data, _ := os.ReadFile(path + ".log")
		return strings.Count(string(data), "--disable-userns")
	}
}

func TestDisable_isAskedOncePerProcessAndLeftOutWhereItFails(t *testing.T) {
	for _, c := range []struct {
		name, end string
		runs      int
		want      []string
	}{
		{"works", "exit 0", 1, disableWords},
		{"fails: an unknown option, or a sysctl that cannot be written", "exit 1", 1, nil},
		{"killed: nothing is known", "kill -9 $$", 3, nil},
	} {
		bwrap, runs := imitation(t, c.end)
		for range 3 {
			if got := disable(t.Context(), bwrap, Spec{}); !slices.Equal(got, c.want) {
				t.Errorf("%s: got %q", c.name, got)
			}
		}
		if got := disable(t.Context(), bwrap, Spec{OwnSandbox: true}); got != nil || runs() != c.runs {
			t.Errorf("%s: got %q for a program with its own, %d runs, want %d", c.name, got, runs(), c.runs)
		}
	}
}

func TestDisable_anEndedContextIsNoAnswer(t *testing.T) {
	bwrap, _ := imitation(t, "exit 0")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := disable(ctx, bwrap, Spec{}); got != nil {
		t.Errorf("got %q", got)
	}
	if got := disable(t.Context(), bwrap, Spec{}); !slices.Equal(got, disableWords) {
		t.Errorf("got %q", got)
	}
}
