//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if slices.Contains(os.Args, "-as") || slices.Contains(os.Args, "-reap") { // it is a peer of a test's own
		if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// raced is whether the race detector watches.
var raced bool

// leftToUnraced skips a test under the race detector that starts peers, each a process: what they run is raced by the engine's own tests.
func leftToUnraced(t *testing.T) {
	t.Helper()
	if raced {
		t.Skip("-race: its time is its peers', and what they run is tested with it elsewhere")
	}
}

func TestBench_comparesPeersThatReturnWholePages(t *testing.T) {
	leftToUnraced(t)
	if testing.Short() {
		t.Skip("-short: needs a browser")
	}
	var out, progress bytes.Buffer
	args := []string{"-peers", "scrape,batch,crawl", "-rounds", "1", "-pages", "3", "-parallel", "2", "-keep", t.TempDir()}
	if err := run(t.Context(), args, nil, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 {
		t.Fatalf("got %q, want a title, a head and three peers", lines)
	}
	for _, line := range lines[3:] {
		var speed, ratio, cpu float64
		_, numbers, _ := strings.Cut(line, "  ")
		if n, err := fmt.Sscan(numbers, &speed, &ratio, &cpu); n != 3 || speed <= 0 || ratio <= 0 || cpu <= 0 {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// The pages that need no browser are all found by their links, by each of winnow's crawls, and their figures are drawn.
func TestBench_crawlsStaticPages(t *testing.T) {
	leftToUnraced(t)
	var out, progress bytes.Buffer
	file := filepath.Join(t.TempDir(), "plot.svg")
	args := []string{"-static", "-peers", "links,markdown,folder", "-rounds", "1", "-pages", "22", "-keep", t.TempDir(), "-plot", file}
	if err := run(t.Context(), args, nil, &out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 6 || !strings.HasPrefix(lines[0], "1 rounds of 22 pages, 16 at once") {
		t.Errorf("got %q, want a title, a head and three peers", lines)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal(data, new(struct{})); err != nil || bytes.Count(data, []byte("<rect")) != 1+3*3 {
		t.Errorf("%v: %s", err, data)
	}
}

// The time of a process that outlives its parent is its peer's all the same.
func TestUsage_countsWhatItsParentHasLeftBehind(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const orphan = `sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done >&3' &`
	cmd := exec.Command(self, "-reap", "--", "sh", "-c", `sh -c "$1" & wait; read line`, "sh", orphan)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := r.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	for len(treeOf(cmd.Process.Pid)) > 2 && t.Context().Err() == nil { // it has written its last word, but not ended
		time.Sleep(time.Millisecond)
	}
	if used := usedBy(cmd.Process.Pid); used < 50*time.Millisecond {
		t.Errorf("got %s, want what 300,000 turns of a loop take", used)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestChoose_refusesUnknownPeers(t *testing.T) {
	for name, static := range map[string]bool{"nobody": false, "colly": false, "rod": true} {
		if _, err := choose([]string{name}, static); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want an error that names %s", err, name)
		}
	}
}
