// Package taping makes an engine record what it fetches, or replay it: HTTP client and guards give every exchange to one recorder, and the
// browser trusts the guard that reads its TLS; or archives answer both as virtual hosts. The same guard logs in to the sites of an intranet.
//
//	taping.go  Taping: recording and replaying
//	access.go  credentials, client certificates and authorities
package taping

import (
	"log/slog"
	"os"
	"time"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/archive/recording"
	"github.com/winnow-go/winnow/fetch/archive/replay"
	"github.com/winnow-go/winnow/fetch/auth"
	"github.com/winnow-go/winnow/fetch/guard"
)

// Engine is what an engine that records has otherwise decided.
type Engine struct {
	// Authority vouches for virtual hosts; nil: each engine has one of its own.
	Authority *fetch.Authority
	// ZeroDataRetention: requests may ask that nothing is kept of them. Remote: the browser runs elsewhere.
	ZeroDataRetention, Remote bool
	// Hosts: there are virtual hosts, which an archive must not lead to.
	Hosts bool
	// TLS and Credentials are those of the engine's Options.
	TLS         []auth.TLS
	Credentials []auth.Credentials
	Log         *slog.Logger
	Now         func() time.Time
}

// Taping is a recording with what it needs. Its methods work on a nil *Taping, which records nothing.
type Taping struct {
	*recording.Recorder // nil: it doesn't record
	archives            *replay.Replay
	access              *auth.Access
	authority           *fetch.Authority
	interceptor         *fetch.Interceptor
}

// Start begins a recording, or opens archives; nil options and no archives are none. Where there are none, and nothing for an intranet
// either, neither is a Taping. The error is an *option.Error, or that of the system's random source.
func Start(o *recording.Options, archives []string, e Engine) (*Taping, error) {
	access, err := e.newAccess(len(archives) > 0)
	if err != nil {
		return nil, err
	}
	t, err := begin(o, archives, e)
	if err != nil || access == nil {
		return t, err
	}
	return e.attach(t, access)
}

func begin(o *recording.Options, archives []string, e Engine) (*Taping, error) {
	if len(archives) > 0 {
		return play(o, archives, e)
	}
	switch {
	case o == nil:
		return nil, nil
	case e.ZeroDataRetention:
		return nil, &option.Error{Field: "Record", Value: o.File, Want: "nothing beside AllowZeroDataRetention: what is recorded is kept"}
	case e.Remote:
		const want = "nothing beside Browser.ConnectURL: a remote browser doesn't trust the recording guard"
		return nil, &option.Error{Field: "Record", Value: o.File, Want: want}
	}
	t, err := e.taping()
	if err != nil {
		return nil, err
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

// taping is one with the authority that the browser trusts.
func (e *Engine) taping() (t *Taping, err error) {
	t = &Taping{authority: e.Authority}
	if t.authority == nil {
		t.authority, err = fetch.NewAuthority()
	}
	return t, err
}

// play opens archives. Their damaged records are logged.
func play(o *recording.Options, archives []string, e Engine) (*Taping, error) {
	switch {
	case o != nil:
		return nil, &option.Error{Field: "Record", Value: o.File, Want: "nothing beside Replay: it would be a copy of the archives"}
	case e.Hosts:
		return nil, &option.Error{Field: "Replay", Value: archives, Want: "nothing beside Hosts: what is in an archive must not lead there"}
	case e.Remote:
		const want = "nothing beside Browser.ConnectURL: a remote browser doesn't trust the guard that replays"
		return nil, &option.Error{Field: "Replay", Value: archives, Want: want}
	}
	t, err := e.taping()
	if err != nil {
		return nil, err
	}
	if t.archives, err = replay.Open(archives...); err != nil {
		return nil, &option.Error{Field: "Replay", Value: archives, Want: "archives that can be read", Err: err}
	}
	for _, damage := range t.archives.Damage() {
		e.Log.Warn("replay: a part of an archive can't be read", "err", damage)
	}
	return t, nil
}

// Client makes a client record, or replay.
func (t *Taping) Client(o fetch.Options) fetch.Options {
	if t == nil {
		return o
	}
	o.Authority, o.Replay, o.Access = t.authority, t.archives, t.access
	if t.Recorder != nil {
		o.Record = t.Recorder
	}
	return o
}

// Guard makes a guard record.
func (t *Taping) Guard(o guard.Options) guard.Options {
	if t == nil {
		return o
	}
	if o.Interceptor = t.interceptor; t.Recorder != nil {
		o.Record = t.Recorder
	}
	return o
}

// Script is for page.Getter: of a replay what stops the clocks of its pages, else nil.
func (t *Taping) Script() func(url string) string {
	if t == nil || t.archives == nil {
		return nil
	}
	return t.archives.Script
}

// Pin is the one that the browser has to trust, or else, where there is no Taping, another.
func (t *Taping) Pin(other string) string {
	if t == nil {
		return other
	}
	pin, _ := t.authority.Pin() // of a key that was made here: it can be written
	return pin
}

// Close ends the recording, or closes the archives. Its error is the Recorder's.
func (t *Taping) Close() error {
	switch {
	case t == nil:
		return nil
	case t.archives != nil:
		return t.archives.Close()
	case t.Recorder == nil:
		return nil
	}
	return t.Recorder.Close()
}

// Discard ends a recording of an engine that has not come into being, and removes it.
func (t *Taping) Discard() {
	_ = t.Close()
	if t == nil || t.Recorder == nil {
		return
	}
	for _, name := range t.Files() {
		_ = os.Remove(name)
	}
}
