//go:build !linux

package doctor

import (
	"context"
	"errors"
)

var errNoNamespaces = errors.New("this system has no network namespaces")

// Alone is for Linux; see there.
func Alone(context.Context, ...string) (*Proof, error) { return nil, errNoNamespaces }

// Inside is for Linux; see there.
func Inside(context.Context, Options) (*Proof, error) { return nil, errNoNamespaces }
