// Package taping makes an engine record what it fetches: HTTP client and guards give every exchange to one recorder, and the browser trusts
// the guard that reads its TLS.
package taping

import (
	"log/slog"
	"os"
	"time"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/guard"
)

// Engine is what an engine that records has otherwise decided.
type Engine struct {
	// Authority vouches for virtual hosts; nil: each engine has one of its own.
	Authority *fetch.Authority
	// ZeroDataRetention: requests may ask that nothing is kept of them. Remote: the browser runs elsewhere.
	ZeroDataRetention, Remote bool
	Log                       *slog.Logger
	Now                       func() time.Time
}

// Taping is a recording with what it needs. Its methods work on a nil *Taping, which records nothing.
type Taping struct {
	*recording.Recorder
	file        string
	authority   *fetch.Authority
	interceptor *fetch.Interceptor
}

// Start begins a recording; nil options are none. The error is an *option.Error, or that of the system's random source.
func Start(o *recording.Options, e Engine) (*Taping, error) {
	switch {
	case o == nil:
		return nil, nil
	case e.ZeroDataRetention:
		return nil, &option.Error{Field: "Record", Value: o.File, Want: "nothing beside AllowZeroDataRetention: what is recorded is kept"}
	case e.Remote:
		const want = "nothing beside Browser.ConnectURL: a remote browser doesn't trust the recording guard"
		return nil, &option.Error{Field: "Record", Value: o.File, Want: want}
	}
	t := &Taping{file: o.File, authority: e.Authority}
	var err error
	if t.authority == nil {
		if t.authority, err = fetch.NewAuthority(); err != nil {
			return nil, err
		}
	}
	if t.interceptor, err = fetch.NewInterceptor(t.authority); err != nil {
		return nil, err
	}
	with := *o
	if with.Logger == nil {
		with.Logger = e.Log
	}
	if with.Now == nil {
		with.Now = e.Now
	}
	if t.Recorder, err = recording.Create(with); err != nil {
		return nil, &option.Error{Field: "Record.File", Value: o.File, Want: "a new file that ends in .wacz, .warc.gz or .warc", Err: err}
	}
	return t, nil
}

// Client makes a client record.
func (t *Taping) Client(o fetch.Options) fetch.Options {
	if t != nil {
		o.Record, o.Authority = t.Recorder, t.authority
	}
	return o
}

// Guard makes a guard record.
func (t *Taping) Guard(o guard.Options) guard.Options {
	if t != nil {
		o.Record, o.Interceptor = t.Recorder, t.interceptor
	}
	return o
}

// Pin is the one that the browser has to trust, or else, where nothing is recorded, another.
func (t *Taping) Pin(other string) string {
	if t == nil {
		return other
	}
	pin, _ := t.authority.Pin() // of a key that was made here: it can be written
	return pin
}

// Close ends the recording; its error is the Recorder's.
func (t *Taping) Close() error {
	if t == nil {
		return nil
	}
	return t.Recorder.Close()
}

// Discard ends a recording of an engine that has not come into being, and removes it.
func (t *Taping) Discard() {
	if t == nil {
		return
	}
	_ = t.Recorder.Close()
	for _, name := range t.Files() {
		_ = os.Remove(name)
	}
}
