package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
)

// The test binary runs itself as the process that is killed.
const (
	childEnv  = "WINNOW_JOBS_CHILD" // file of the store
	hookEnv   = "WINNOW_JOBS_HOOK"  // address of the receiver
	eventsEnv = "WINNOW_JOBS_EVENTS"
)

// child goes on with the one job of the file, until all its events are delivered.
func child(path string) {
	total, err := strconv.Atoi(os.Getenv(eventsEnv))
	if err == nil {
		err = work(path, os.Getenv(hookEnv), uint64(total))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func work(path, hook string, total uint64) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	file, err := cache.OpenFile(path, cache.FileOptions{Kind: "jobs test", LockWait: 10 * time.Second})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	j, err := Open(store{file}, Options{Send: poster(http.DefaultClient), Payload: func(_ context.Context, _ Record, e Event) (json.RawMessage, string, error) {
		return json.RawMessage(fmt.Sprintf("[%d]", e.Ref)), "", nil
	}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	r, _, err := j.Create(ctx, New{Kind: "crawl", Webhook: &Webhook{URL: hook}, IdempotencyKey: "the one"})
	if err != nil {
		return err
	}
	if err := catchUp(ctx, j, r, total); err != nil {
		return err
	}
	for d, err := j.Deliveries(ctx, r.ID); d.Next != nil || err != nil; d, err = j.Deliveries(ctx, r.ID) {
		if err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

// catchUp appends the pages that are missing, and ends the job.
func catchUp(ctx context.Context, j *Jobs, r Record, total uint64) error {
	if r.State.Final() {
		return nil
	}
	var last uint64
	if err := j.db.View(func(tx Tx) error { last = lastEvent(tx, 1); return nil }); err != nil {
		return err
	}
	for seq := last + 1; seq <= total; seq++ {
		if got, err := j.Append(ctx, r.ID, Event{Type: EventPage, Ref: seq}); err != nil || got != seq {
			return fmt.Errorf("event %d became %d: %w", seq, got, err)
		}
	}
	_, err := j.Finish(ctx, r.ID, Completed, "", "")
	return err
}

// However often the process is killed, the receiver gets every event, in order; what it
// gets twice has the same id.
func TestKill_everyEventIsDeliveredInOrder(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	kills := soak(100)
	total := 20 * kills
	server := newReceiver(t)
	path := filepath.Join(t.TempDir(), "state.db")
	run := func(life time.Duration) error {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childEnv+"="+path, hookEnv+"="+server.URL, eventsEnv+"="+strconv.Itoa(total))
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if life > 0 {
			time.Sleep(life)
			_ = cmd.Process.Kill() // it may have ended
		}
		return cmd.Wait()
	}
	ended := 0
	for range kills {
		if run(time.Duration(1+random.IntN(120))*time.Millisecond) == nil {
			ended++
		}
	}
	if err := run(0); err != nil {
		t.Fatal(err)
	}
	got := server.all()
	t.Logf("%d kills (%d came too late), %d events, %d requests", kills, ended, total+1, len(got))
	seen := map[string]string{}
	for _, g := range got {
		what := g.body.Type + string(g.body.Data)
		if before, ok := seen[g.body.WebhookID]; ok {
			if before != what {
				t.Errorf("%s was %s and is %s", g.body.WebhookID, before, what)
			}
			continue
		}
		n := len(seen) + 1 // events are numbered as they come, and pages refer to their number
		want := fmt.Sprintf("crawl.page[%d]", n)
		switch n {
		case 1:
			want = "crawl.started[]"
		case total + 1:
			want = "crawl.completed[]"
		}
		if what != want {
			t.Fatalf("number %d is %s, want %s", n, what, want)
		}
		seen[g.body.WebhookID] = what
	}
	if len(seen) != total+1 {
		t.Errorf("%d events were delivered, want %d", len(seen), total+1)
	}
}
