package code

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"
)

// How long a worker may take to be ready, which gives way to all other work of its machine, its last output to arrive after its answer, and
// its sandbox to be gone once there are no more answers.
const (
	readyWait = 3 * time.Minute
	markWait  = 2 * time.Second
	endWait   = 30 * time.Second
)

// errTimeout ends the context of a call whose time is over.
var errTimeout = errors.New("the time is over")

// worker is one warm process of a language. One goroutine at a time uses it.
type worker struct {
	log            *slog.Logger
	process        process
	requests       *os.File
	answers        chan answer // closed when there will be none
	outputs        []*os.File  // our ends of all that the worker writes
	stdout, stderr capture
	calls          int

	ended    chan struct{} // closed when the process has ended
	stopping chan struct{}
	stopOnce sync.Once
	stopErr  error
	work     sync.WaitGroup
}

// startWorker starts a program, which ends with runner at the latest, and waits until it is ready.
func startWorker(ctx, runner context.Context, o Options, p program) (*worker, error) {
	w := &worker{log: o.Logger, answers: make(chan answer, 1), ended: make(chan struct{}), stopping: make(chan struct{})}
	if err := w.start(runner, o, p); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, readyWait, fmt.Errorf("not ready within %s", readyWait))
	defer cancel()
	a, err := w.ask(ctx, p.setup, 0)
	if err == nil {
		err = a.trouble()
	}
	if err != nil {
		err = w.explain(err)
		return nil, errors.Join(err, w.stop())
	}
	return w, nil
}

// trouble is the error that an answer reports.
func (a answer) trouble() error {
	switch {
	case a.Gone:
		return fmt.Errorf("%w: %.500s", ErrBrowserGone, a.Error)
	case a.Error != "":
		return fmt.Errorf("%.500s", a.Error)
	}
	return nil
}

// start makes the pipes and the process, and reads all that it writes.
func (w *worker) start(ctx context.Context, o Options, p program) error {
	var pipes [4]struct{ r, w *os.File } // stdout, stderr, requests, answers
	for i := range pipes {
		r, wr, err := os.Pipe()
		if err != nil {
			for _, done := range pipes[:i] {
				_, _ = done.r.Close(), done.w.Close()
			}
			return err
		}
		pipes[i].r, pipes[i].w = r, wr
	}
	process, err := startProcess(ctx, o, p, streams{stdout: pipes[0].w, stderr: pipes[1].w, requests: pipes[2].r, answers: pipes[3].w})
	for _, theirs := range []*os.File{pipes[0].w, pipes[1].w, pipes[2].r, pipes[3].w} {
		_ = theirs.Close()
	}
	w.requests, w.outputs = pipes[2].w, []*os.File{pipes[0].r, pipes[1].r, pipes[3].r}
	if err != nil {
		w.closeFiles()
		return err
	}
	w.process = process
	w.work.Go(func() { w.stdout.readAll(pipes[0].r) })
	w.work.Go(func() { w.stderr.readAll(pipes[1].r) })
	w.work.Go(func() {
		defer close(w.answers)
		if err := readAnswers(pipes[3].r, w.answers, w.stopping); err != nil {
			w.log.Debug("code worker: answers", "error", err)
			w.process.kill()
		}
	})
	w.work.Go(func() {
		defer close(w.ended)
		process.wait()
	})
	return nil
}

// ask writes a line and waits for its answer. The process is killed when ctx ends before.
func (w *worker) ask(ctx context.Context, message any, id int) (answer, error) {
	stop := context.AfterFunc(ctx, w.process.kill)
	defer stop()
	line, err := json.Marshal(message)
	if err != nil {
		return answer{}, err
	}
	if _, err = w.requests.Write(append(line, '\n')); err == nil {
		if a, ok := w.await(id); ok {
			return a, nil
		}
	}
	w.letEnd(ctx)
	if ctx.Err() != nil {
		return answer{}, context.Cause(ctx)
	}
	return answer{}, errEnded
}

// await waits for an answer. Those to earlier lines are passed over: only user code writes them.
func (w *worker) await(id int) (answer, bool) {
	for {
		select {
		case a, ok := <-w.answers:
			if !ok || a.ID == id {
				return a, ok
			}
			if a.ID > id {
				w.process.kill()
				return a, false
			}
		case <-w.ended: // something that it started may hold its pipes
			return answer{}, false
		}
	}
}

// letEnd waits for the end of a process that has closed its pipe, as those do that are about to end.
func (w *worker) letEnd(ctx context.Context) {
	t := time.NewTimer(endWait)
	defer t.Stop()
	select {
	case <-w.ended:
		return
	case <-ctx.Done():
	case <-t.C:
	}
	w.process.kill()
	<-w.ended
}

// errEnded is that of a worker that ended without an answer.
var errEnded = errors.New("the worker ended")

// call runs the code of a request. Keep is false when the worker can't be used again.
func (w *worker) call(ctx context.Context, q Request) (result Result, keep bool, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, q.Timeout, errTimeout)
	defer cancel()
	w.calls++
	mark := "\x00" + rand.Text() + "\x00"
	out, errOut := w.stdout.begin(mark), w.stderr.begin(mark)
	a, err := w.ask(ctx, request{ID: w.calls, Code: q.Code, Mark: mark}, w.calls)
	w.settle(out, errOut)
	w.collect(&result, a)
	switch {
	case err == nil && a.trouble() != nil:
		return Result{}, false, a.trouble()
	case err == nil:
		return result, !a.Last, nil
	case errors.Is(err, errTimeout):
		w.note(&result, fmt.Sprintf("killed after %s; variables are lost", q.Timeout))
	case errors.Is(err, errEnded):
		w.endedAlone(&result)
	default:
		return result, false, err
	}
	return result, false, nil
}

// endedAlone fills the result of code that ended its own process, or that a limit killed.
func (w *worker) endedAlone(result *Result) {
	<-w.ended
	end := w.process.wait()
	result.ExitCode = end.code
	switch {
	case end.why != "":
		w.note(result, "killed, "+end.why+"; variables are lost")
	case end.code == killedCode:
		w.note(result, "killed; variables are lost")
	}
}

// note adds to the result that the worker was killed.
func (w *worker) note(result *Result, why string) {
	result.Killed, result.ExitCode, result.Result = true, killedCode, nil
	line := "[" + why + "]\n"
	if result.Stderr != "" && !strings.HasSuffix(result.Stderr, "\n") {
		line = "\n" + line
	}
	if room := MaxOutput - len(line); len(result.Stderr) > room {
		result.Stderr = result.Stderr[:strings.LastIndexByte(result.Stderr[:room], '\n')+1]
	}
	result.Stderr += line
}

// collect takes what the call has left.
func (w *worker) collect(result *Result, a answer) {
	result.Stdout, result.StdoutCut = w.stdout.end()
	result.Stderr, result.StderrCut = w.stderr.end()
	result.ExitCode = a.Exit & 0xff
	if a.Result != nil {
		value, cut := bounded(*a.Result)
		result.Result, result.ResultCut = &value, cut
	}
}

// settle waits until the call's output has come: until its marks, or the pipes' ends where the worker has ended.
func (w *worker) settle(marks ...<-chan struct{}) {
	t := time.NewTimer(markWait)
	defer t.Stop()
	for _, mark := range marks {
		select {
		case <-mark:
		case <-w.stopping:
			return
		case <-t.C:
			return
		}
	}
}

// explain adds what a worker wrote before it failed.
func (w *worker) explain(err error) error {
	w.stderr.begin("\x00") // what it wrote before becomes a call's
	said, _ := w.stderr.end()
	if said = strings.TrimSpace(said); said == "" {
		return err
	}
	return fmt.Errorf("%w (it wrote: %s)", err, said[max(0, len(said)-1000):])
}

// stop kills the worker and waits for its process and goroutines.
func (w *worker) stop() error {
	w.stopOnce.Do(func() {
		close(w.stopping)
		w.process.kill()
		<-w.ended
		w.closeFiles()
		w.work.Wait()
		w.stopErr = w.process.clean()
	})
	return w.stopErr
}

func (w *worker) closeFiles() {
	_ = w.requests.Close()
	for _, f := range w.outputs {
		_ = f.Close()
	}
}
