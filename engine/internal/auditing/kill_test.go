package auditing

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/work/worktest"
)

const (
	victimDir = "WINNOW_TEST_CORRECTIONS" // makes a process of this test the victim, and names its folder
	victimID  = "job "                    // begins the line by which the victim says that a correction is in hand
)

// What was to be got again when the program was killed is got again by the next one, before the job ends.
func TestBook_outlivesAKill(t *testing.T) {
	if dir := os.Getenv(victimDir); dir != "" {
		correctForEver(t, dir)
		return
	}
	dir := t.TempDir()
	id := killedWhileCorrecting(t, dir)
	next := &chore{}
	r := worktest.On(t, openVictims(t, dir), next.kind())
	if err := r.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Records.Wait(t.Context(), id); err != nil || got.State != jobs.Completed {
		t.Fatalf("got %+v, %v", got, err)
	}
	if len(next.corrected) != 5 {
		t.Errorf("got %v again", next.corrected)
	}
}

func openVictims(t *testing.T, dir string) *cache.File {
	t.Helper()
	db, err := cache.OpenFile(filepath.Join(dir, "state.db"), cache.FileOptions{Kind: "audits", LockWait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// correctForEver is the victim: it comes as far as its first correction.
func correctForEver(t *testing.T, dir string) {
	reached := make(chan struct{})
	c := &chore{stop: func() { close(reached) }}
	r := worktest.On(t, openVictims(t, dir), c.kind())
	record := worktest.Create(t, r, "https://a.example/")
	if err := r.Start(record); err != nil {
		t.Fatal(err)
	}
	<-reached
	fmt.Println(victimID + record.ID)
	select {}
}

func killedWhileCorrecting(t *testing.T, dir string) (id string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestBook_outlivesAKill$")
	cmd.Env = append(os.Environ(), victimDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for id == "" && lines.Scan() {
		_, id, _ = strings.Cut(lines.Text(), victimID)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if id == "" {
		t.Fatal("no correction was begun")
	}
	return id
}
