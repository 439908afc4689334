package code

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// The languages of a Request.
const (
	// Node is JavaScript: page, context and browser are there, await works everywhere, variables last from call to call, and the
	// value of the last expression is the result.
	Node = "node"
	// Python has the same, with the names of Playwright for Python; calls work with and without await.
	Python = "python"
	// Bash is a shell with the command agent-browser, which drives the session's browser. It has no result. Files in the home folder
	// last from call to call; processes, but for the browser command's own, don't. In no language does setsid have an effect in a sandbox.
	Bash = "bash"
)

// Bounds of a request and its result.
const (
	MaxCode        = 100_000          // characters of Request.Code
	MaxOutput      = 1 << 20          // bytes of each of Result's texts
	DefaultTimeout = 30 * time.Second // of a Request without one
	MinTimeout     = time.Second
	MaxTimeout     = 300 * time.Second
)

// Request is one call.
type Request struct {
	// Language defaults to Node.
	Language string
	// Code is 1 to MaxCode characters.
	Code string
	// Timeout is for the code itself: starting a worker isn't counted. From MinTimeout to MaxTimeout; zero is DefaultTimeout.
	Timeout time.Duration
}

// Result of one call. Each text is at most MaxOutput bytes of valid UTF-8; a longer text is cut and ends with a line that says so.
type Result struct {
	// Stdout and Stderr are the output of the code, and late output of its predecessors. Uncaught errors are in
	// Stderr.
	Stdout, Stderr string
	// Result is the value of the last expression: a string as it is, bytes in base64, all else as JSON. Nil where there is none.
	Result *string
	// ExitCode is 0, the code's own if it ended its process, or 1 after an uncaught error. After a kill it is 137.
	ExitCode int
	// Killed reports that the worker was killed, for the timeout or because it exceeded the limits. The browser stays as
	// it is; variables are lost.
	Killed bool
	// StdoutCut, StderrCut and ResultCut report which texts were cut.
	StdoutCut, StderrCut, ResultCut bool
}

// killedCode is the exit code of what a SIGKILL ended.
const killedCode = 128 + 9

// ErrClosed is returned by Run after Close.
var ErrClosed = errors.New("the code runner is closed")

// ErrBrowserGone is returned by Run when the session's browser doesn't answer any more.
var ErrBrowserGone = errors.New("the session's browser is gone")

// RequestError means that a field of a Request is invalid. Nothing has run.
type RequestError struct{ Field, Value, Want string }

func (e *RequestError) Error() string {
	return fmt.Sprintf("run code: %s is %s, want %s", e.Field, e.Value, e.Want)
}

// MissingError means that a language lacks something on this machine. Nothing has run.
type MissingError struct {
	What string // "python3", "bash", "agent-browser", "the browser command"
	Fix  string // how to fix it
	Err  error  // nil, or why it is unavailable
}

func (e *MissingError) Error() string {
	text := "run code: " + e.What + " is missing; " + e.Fix
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *MissingError) Unwrap() error { return e.Err }

// fill sets the defaults of a request and checks it.
func (q Request) fill() (Request, error) {
	if q.Language == "" {
		q.Language = Node
	}
	if q.Timeout == 0 {
		q.Timeout = DefaultTimeout
	}
	switch n := utf8.RuneCountInString(q.Code); {
	case q.Language != Node && q.Language != Python && q.Language != Bash:
		return q, &RequestError{"Language", fmt.Sprintf("%.40q", q.Language), "node, python or bash"}
	case n == 0 || n > MaxCode:
		return q, &RequestError{"Code", fmt.Sprintf("%d characters", n), fmt.Sprintf("1 to %d", MaxCode)}
	case q.Timeout < MinTimeout || q.Timeout > MaxTimeout:
		return q, &RequestError{"Timeout", q.Timeout.String(), fmt.Sprintf("%s to %s", MinTimeout, MaxTimeout)}
	}
	return q, nil
}
