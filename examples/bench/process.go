//go:build linux

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/winnow-go/winnow/browser"
)

// round is a request to a peer, a line of JSON.
type round struct {
	Index    string   `json:"index"` // links to all pages
	URLs     []string `json:"urls"`
	Pages    int      `json:"pages"` // that there are
	Parallel int      `json:"parallel"`
}

// outcome is its answer, a line of JSON.
type outcome struct {
	Pages int    `json:"pages"` // requested, each whole
	Error string `json:"error"` // why not; "" for none
}

// last is the end of the content of each page: what lacks it isn't whole.
const last = "row 199"

// running is a peer's process.
type running struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start installs a peer and starts it. What it has to know of the browser is in its environment: BENCH_BROWSER is the executable.
func start(ctx context.Context, p peer, shell *browser.Installation, folder string) (*running, error) {
	command, err := p.ready(ctx, folder)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, append([]string{"-reap", "--"}, command...)...)
	cmd.Dir, cmd.Stderr = folder, os.Stderr
	cmd.Env = append(os.Environ(), "BENCH_BROWSER="+shell.Executable)
	if shell.LibraryPath != "" {
		cmd.Env = append(cmd.Env, "LD_LIBRARY_PATH="+shell.LibraryPath)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &running{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

// ask has the peer do a round.
func (r *running) ask(what round) (outcome, error) {
	var o outcome
	if err := json.NewEncoder(r.in).Encode(what); err != nil {
		return o, err
	}
	line, err := r.out.ReadBytes('\n')
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal(line, &o); err != nil {
		return o, fmt.Errorf("%q: %w", line, err)
	}
	if o.Error != "" {
		return o, fmt.Errorf("after %d pages: %s", o.Pages, o.Error)
	}
	return o, nil
}

// endWait is how long a peer may take to end once there are no more rounds.
const endWait = 15 * time.Second

// end ends the peer and what it has started.
func (r *running) end() {
	tree := treeOf(r.cmd.Process.Pid)
	_ = r.in.Close()
	timer := time.AfterFunc(endWait, func() { _ = r.cmd.Process.Kill() })
	defer timer.Stop()
	_ = r.cmd.Wait()
	for _, p := range tree[1:] {
		p.kill()
	}
}
