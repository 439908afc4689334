//go:build !linux

package sandbox

import (
	"context"
	"io"
)

// Start runs a program in a sandbox; here that is an *UnavailableError.
func Start(context.Context, Spec) (*Process, error) { return nil, unsupported() }

// Try runs nothing; it returns an *UnavailableError.
func Try(context.Context, string, ...string) error { return unsupported() }

func unsupported() error {
	return &UnavailableError{Reason: "bubblewrap needs Linux", Fix: "run on Linux"}
}

type group struct{}

type guard struct{}

// Group is a handle on nothing here.
type Group struct{}

// NewGroup makes none.
func NewGroup(string, Limits) Group { return Group{} }

// Procs is empty.
func (Group) Procs() string { return "" }

// Exceeds always returns nil here.
func (Group) Exceeds() error { return nil }

// Remove does nothing.
func (Group) Remove() {}

// Inside is a handle on nothing here.
type Inside struct{}

// NewInside makes a handle on nothing.
func NewInside() *Inside { return &Inside{} }

// Meet reads nothing.
func (*Inside) Meet(io.Reader) bool { return false }

// Kill does nothing.
func (*Inside) Kill() {}

func (p *Process) killGroup() {}

// Wait returns at once.
func (*Inside) Wait() {}

// Exceeds always returns nil here.
func (*Inside) Exceeds(Limits) error { return nil }
