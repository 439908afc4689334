//go:build !linux

package code

import (
	"syscall"

	"github.com/winnow-go/winnow/browser/sandbox"
)

// dieWithHost: only Linux ends a process with the program that started it.
func dieWithHost(*syscall.SysProcAttr) {}

// untilEnd: only Linux can wait for a process without taking it off the process table.
func untilEnd(int) {}

// limit: only Linux sets the limits of another process.
func limit(int, sandbox.Limits) error { return nil }
