package code

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// TestSoak_runnersThatEndInEveryWayLeaveNothing starts runners of all languages and ends them in a random way, several at once. What they leave
// behind is found by TestMain too.
func TestSoak_runnersThatEndInEveryWayLeaveNothing(t *testing.T) {
	o := options(t)
	before := len(children())
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	endings := []func(t *testing.T, r *Runner, q Request){
		func(t *testing.T, r *Runner, q Request) {}, // closed while nothing runs
		func(t *testing.T, r *Runner, q Request) { // closed in the middle of a call
			var call sync.WaitGroup
			call.Go(func() {
				if _, err := r.Run(t.Context(), q); err != nil && !errors.Is(err, ErrClosed) {
					t.Errorf("%s: %v", q.Language, err)
				}
			})
			_ = r.Close()
			call.Wait()
		},
		func(t *testing.T, r *Runner, q Request) { // its call given up
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			defer cancel()
			_, _ = r.Run(ctx, q)
		},
		func(t *testing.T, r *Runner, q Request) { // timed out
			q.Timeout = MinTimeout
			if got, err := r.Run(t.Context(), q); err != nil || !got.Killed {
				t.Errorf("%s: got %+v, %v", q.Language, got, err)
			}
		},
		func(t *testing.T, r *Runner, q Request) { // its worker killed from outside
			for _, w := range r.workers {
				w.process.kill()
			}
		},
	}
	endless := map[string]string{
		Node:   `require("child_process").spawn("sleep", ["` + nap(3980) + `"], { detached: true }); await new Promise(() => {})`,
		Python: "import subprocess, time\nsubprocess.Popen(['sleep', '" + nap(3980) + "'], start_new_session=True)\ntime.sleep(100)",
		Bash:   `setsid sleep ` + nap(3980) + ` & sleep 100`,
	}
	random := rand.New(rand.NewPCG(seed, 1))
	for range soak(20) {
		language := []string{Node, Python, Bash}[random.IntN(3)]
		ending := endings[random.IntN(len(endings))]
		r := start(t, o)
		_, err := r.Run(t.Context(), Request{Language: language, Code: "1"})
		if missing := (*MissingError)(nil); errors.As(err, &missing) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		ending(t, r, Request{Language: language, Code: endless[language]})
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if left := append(sleepers(3980), children()[before:]...); len(left) > 0 {
		t.Error("left behind:", left)
	}
}
