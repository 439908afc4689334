package main

import (
	"errors"
	"fmt"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/examples/internal/terminal"
)

// The exit statuses; doc.go has what they mean.
const (
	done       = 0
	failed     = 1
	wrongUsage = 2
	partly     = 3
	notAllowed = 4
	missing    = 5
	outOfTime  = 6
	stopped    = 130
)

// errStopped is wrapped by the error of a run that a signal has ended.
var errStopped = errors.New("stopped")

// usageError is a command line that is wrong.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// wrong makes a usageError.
func wrong(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// partError says that some of many have failed. Each has been named already.
type partError struct {
	failed, all int
	of          string // what they are
	first       error
}

func (e *partError) Error() string { return fmt.Sprintf("%d of %d %s failed", e.failed, e.all, e.of) }
func (e *partError) Unwrap() error { return e.first }

// ended is the status of a program within the program, which has printed its errors itself.
type ended int

func (e ended) Error() string { return fmt.Sprintf("it ended with status %d", int(e)) }

// advice says what helps, in the words of the command line.
var advice = map[engine.Code]string{
	engine.CodeBlocked:          "--allow-private allows local and private addresses",
	engine.CodeAllEnginesFailed: "winnow doctor says what this machine lacks",
}

// needsModel stands in for the engine's own words, which are those of a library.
const needsModel = "this needs a language model: name it with --model, and its server with --model-url"

// inWords is the text of an error, in one line.
func inWords(err error) string {
	e, ok := errors.AsType[*engine.Error](err)
	switch {
	case !ok:
		return terminal.OneLine(err.Error())
	case e.Code == engine.CodeModelNotConfigured:
		return terminal.OneLine(e.Op + " " + e.URL + ": " + needsModel)
	case advice[e.Code] != "":
		return terminal.OneLine(err.Error()) + "; " + advice[e.Code]
	}
	return terminal.OneLine(err.Error())
}

// statusOf is the exit status of an error.
func statusOf(err error) int {
	if err == nil {
		return done
	}
	var status ended
	var usage *usageError
	var part *partError
	switch {
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, errStopped):
		return stopped
	case errors.As(err, &usage):
		return wrongUsage
	case errors.As(err, &part) && part.failed < part.all:
		return partly
	}
	return statusOfCode(engine.CodeOf(err))
}

// statusOfCode is the exit status of an engine's error.
func statusOfCode(code engine.Code) int {
	switch code {
	case engine.CodeBadRequest, engine.CodeParseOptions:
		return wrongUsage
	case engine.CodeBlocked, engine.CodeRobots:
		return notAllowed
	case engine.CodeTimeout, engine.CodeMapTimeout, engine.CodeSearchTimeout, engine.CodePDFTime:
		return outOfTime
	case engine.CodeNotConfigured, engine.CodeModelNotConfigured, engine.CodeSearchNotConfigured, engine.CodePDFNeedsOCR,
		engine.CodeAllEnginesFailed:
		return missing
	}
	return failed
}
