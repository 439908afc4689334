package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// interruption serves the built-in site, and does something at the n-th request, before
// that is answered.
type interruption struct {
	at, asked atomic.Int64
	do        func()
}

func interrupted(at int64, do func()) *interruption {
	i := &interruption{do: do}
	i.at.Store(at)
	return i
}

func (i *interruption) serve(w http.ResponseWriter, r *http.Request) {
	if i.asked.Add(1) == i.at.Load() {
		i.do()
	}
	serve(w, r)
}

// hang never answers: it waits until the client is gone.
func hang(r *http.Request) { <-r.Context().Done() }

func sameTree(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name := range maps.Keys(want) {
		if got[name] != want[name] {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got[name], want[name])
		}
	}
	for name := range maps.Keys(got) {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

// Whichever request a run is stopped at, the next gives what one run would have given.
func TestRun_resumeGivesTheFilesOfOneRun(t *testing.T) {
	whole := t.TempDir()
	mustCrawl(t, "-out", whole)
	want, stops := tree(t, whole), 0
	for at := int64(1); ; at++ {
		out := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		site := interrupted(at, cancel)
		_, _, err := crawled(ctx, t, site.serve, "-out", out, "-quiet")
		cancel()
		if site.asked.Load() < at { // there are no more requests to stop at
			break
		}
		if err == nil { // stopped when the last page was as good as there
			sameTree(t, tree(t, out), want)
			continue
		}
		stops++
		wantStopped(t, err, out)
		mustCrawl(t, "-resume", "-out", out, "-quiet")
		sameTree(t, tree(t, out), want)
		_, _, err = crawled(t.Context(), t, serve, "-resume", "-out", out)
		wantError(t, err, "holds no unfinished crawl")
	}
	if stops < 8 {
		t.Errorf("only %d of the runs were stopped", stops)
	}
}

func wantStopped(t *testing.T, err error, out string) {
	t.Helper()
	wantError(t, err, "continue with: -resume -out")
	if status(err) != 130 {
		t.Errorf("status %d", status(err))
	}
	files := tree(t, out)
	if _, ok := files[indexFile]; ok {
		t.Error("a stopped run has written an index")
	}
	if _, ok := files[planFile]; !ok {
		t.Error("a stopped run has left no plan")
	}
}

// A run that ended between its job's end and its last file is made up for.
func TestRun_resumeOfAJobThatIsDoneWritesItsFiles(t *testing.T) {
	out := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, _, err := crawled(ctx, t, interrupted(5, cancel).serve, "-out", out); err == nil {
		t.Fatal("not stopped")
	}
	plan, err := os.ReadFile(filepath.Join(out, planFile))
	if err != nil {
		t.Fatal(err)
	}
	mustCrawl(t, "-resume", "-out", out)
	want := tree(t, out)
	for name, data := range map[string]string{planFile: string(plan), "pages/granary.example.md": "cut of"} {
		if err := os.WriteFile(filepath.Join(out, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Remove(filepath.Join(out, indexFile)), os.Remove(filepath.Join(out, emmerFile))); err != nil {
		t.Fatal(err)
	}
	_, _, err = crawled(t.Context(), t, func(w http.ResponseWriter, r *http.Request) { t.Errorf("%s was fetched again", r.URL) }, "-resume", "-out", out)
	if err != nil {
		t.Fatal(err)
	}
	sameTree(t, tree(t, out), want)
}

// Before the job there is the plan: a run that got no further is begun again.
func TestRun_resumeOfARunThatNeverBegan(t *testing.T) {
	out := t.TempDir()
	f, err := openFolder(settings{out: out, plan: plan{Limit: defaultLimit}})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.claim(); err != nil {
		t.Fatal(err)
	}
	f.close()
	mustCrawl(t, "-resume", "-out", out)
	if got := tree(t, out)[indexFile]; got != wantIndex {
		t.Errorf("got\n%s\nwant\n%s", got, wantIndex)
	}
}

func TestRun_resumeKeepsTheSettings(t *testing.T) {
	around := t.TempDir()
	t.Chdir(around)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, _, err := crawled(ctx, t, interrupted(4, cancel).serve, "-out", "out", "-dir", "state", "-limit", "4"); err == nil {
		t.Fatal("not stopped")
	}
	t.Chdir(t.TempDir())
	out := filepath.Join(around, "out")
	mustCrawl(t, "-resume", "-out", out)
	if files := tree(t, out); len(files) != 4+1 {
		t.Errorf("got %d files, want 4 pages and the index", len(files))
	}
	if _, err := os.Stat(filepath.Join(out, stateDir)); err == nil {
		t.Error("another engine's folder was made")
	}
}

// The command that was stopped may be given again, with -resume; how pages are got may be another way.
func TestRun_resumeTakesTheOtherFlags(t *testing.T) {
	out, state := t.TempDir(), t.TempDir()
	args := []string{"-out", out, "-dir", state, "-limit", "4"}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, _, err := crawled(ctx, t, interrupted(4, cancel).serve, args...); err == nil {
		t.Fatal("not stopped")
	}
	s, err := parse(append(args, "-resume", "-render", "never", "-allow-private"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	f, err := openFolder(s)
	if err != nil {
		t.Fatal(err)
	}
	f.close()
	if p := f.plan; p.Render != engine.RenderNever || !p.AllowPrivate || p.Limit != 4 || p.Key == "" {
		t.Errorf("%+v", p)
	}
	mustCrawl(t, append(args, "-resume", "-render", "never")...)
	if files := tree(t, out); len(files) != 4+1 {
		t.Errorf("got %d files, want 4 pages and the index", len(files))
	}
}

// child runs the program as a process of its own and gives its exit status.
func child(t *testing.T, begun func(*os.Process), args ...string) (code int, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	var progress bytes.Buffer
	cmd.Stderr = &progress
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun(cmd.Process)
	if err := cmd.Wait(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), progress.String()
}

// signalled crawls a site over a socket in a process that gets a signal at the fifth
// request, resumes it, and compares with a crawl that was not interrupted.
func signalled(t *testing.T, sig os.Signal) (code int, stderr string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("this system: Windows has no signals for other processes")
	}
	var asked atomic.Int64
	process := make(chan *os.Process, 1)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 5 {
			if err := (<-process).Signal(sig); err != nil {
				t.Error(err)
			}
			hang(r)
		}
		serve(w, r)
	}))
	defer site.Close()
	out, whole := t.TempDir(), t.TempDir()
	code, stderr = child(t, func(p *os.Process) { process <- p }, "-out", out, "-allow-private", site.URL)
	if again, stderr := child(t, func(*os.Process) {}, "-resume", "-out", out); again != 0 {
		t.Fatalf("resume: status %d\n%s", again, stderr)
	}
	if again, stderr := child(t, func(*os.Process) {}, "-out", whole, "-allow-private", site.URL); again != 0 {
		t.Fatalf("whole: status %d\n%s", again, stderr)
	}
	sameTree(t, tree(t, out), tree(t, whole))
	return code, stderr
}

func TestMain_interruptStopsCleanly(t *testing.T) {
	code, stderr := signalled(t, os.Interrupt)
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := lines[len(lines)-1]
	if code != 130 || !strings.HasPrefix(last, "crawl: stopped; ") || !strings.Contains(last, "continue with: -resume -out ") {
		t.Errorf("status %d: %s", code, stderr)
	}
}

func TestMain_aKilledCrawlIsResumedToo(t *testing.T) {
	if code, stderr := signalled(t, os.Kill); code != -1 {
		t.Errorf("status %d: %s", code, stderr)
	}
}
