// Package taping makes an engine record what it fetches, or replay it: HTTP client and guards give every exchange to one recorder, or to
// that of a job or a session, and the browser trusts the guard that reads its TLS; or archives answer both as virtual hosts. The same
// guard logs in to the sites of an intranet.
//
//	taping.go  Taping: recording and replaying
//	access.go  credentials, client certificates and authorities
package taping

import (
	"context"
	"log/slog"
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
	// Judges: the guard reads TLS in any case, to judge requests.
	Judges bool
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

// Taping is what an engine records and replays. Its methods work on a nil *Taping, which does neither.
type Taping struct {
	*recording.Recorder                  // of all; nil: at most jobs and sessions record
	archives            *replay.Replay   // nil: there is a network
	access              *auth.Access     // nil: there is no intranet
	authority           *fetch.Authority // that the browser trusts; nil where none of them is so
	interceptor         *fetch.Interceptor
	engine              Engine
}

// Start begins a recording, or opens archives; with nil options and no archives, only jobs and sessions may record. The error is an
// *option.Error, or that of the system's random source.
func Start(o *recording.Options, archives []string, e Engine) (*Taping, error) {
	access, err := e.newAccess(len(archives) > 0)
	if err != nil {
		return nil, err
	}
	t, err := begin(o, archives, e)
	if err != nil || access == nil {
		return t, err
	}
	if err := t.attach(access); err != nil {
		t.Discard()
		return nil, err
	}
	return t, nil
}

func begin(o *recording.Options, archives []string, e Engine) (*Taping, error) {
	switch {
	case e.Judges && e.Remote:
		const want = "false beside Browser.ConnectURL: a remote browser doesn't trust the engine's proxy"
		return nil, &option.Error{Field: "FilterInProxy", Value: true, Want: want}
	case len(archives) > 0:
		return play(o, archives, e)
	case o == nil && e.Judges:
		return e.taping()
	case o == nil:
		i, err := fetch.NewInterceptor(e.Authority)
		return &Taping{interceptor: i, engine: e}, err
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
func (e *Engine) taping() (*Taping, error) {
	t := &Taping{engine: *e}
	return t, t.trust()
}

// trust has the browser trust the guard.
func (t *Taping) trust() (err error) {
	if t.authority = t.engine.Authority; t.authority == nil {
		if t.authority, err = fetch.NewAuthority(); err != nil {
			return err
		}
	}
	t.interceptor, err = fetch.NewInterceptor(t.authority)
	return err
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
	if t == nil || t.authority == nil {
		return o
	}
	o.Authority, o.Replay, o.Access = t.authority, t.archives, t.access
	if t.Recorder != nil {
		o.Record = t.Recorder
	}
	return o
}

// Guard makes a guard record, or able to, and lets its leases judge.
func (t *Taping) Guard(o guard.Options) guard.Options {
	if t == nil {
		return o
	}
	if o.Interceptor = t.interceptor; t.Recorder != nil {
		o.Record = t.Recorder
	}
	return o
}

// Check refuses a file that a job or a session is to record to, "" for none. partly: it doesn't fetch all of its pages, or keeps nothing.
// The error is an *option.Error.
func (t *Taping) Check(file string, partly bool) error {
	refuse := func(want string) error { return &option.Error{Field: "record", Value: file, Want: want} }
	switch {
	case file == "":
		return nil
	case t == nil || t.archives != nil || t.engine.Remote:
		return refuse("unset with Options.Replay and Browser.ConnectURL")
	case partly:
		return refuse("unset with since, lockdown and zeroDataRetention")
	case !recording.Valid(file):
		return refuse("a file whose name ends in .wacz, .warc.gz or .warc")
	}
	return nil
}

// Within is for work.LineOptions: the context of a job that records to a file; nil for none.
func (t *Taping) Within(file string) func(context.Context) (context.Context, func() error, error) {
	if file == "" {
		return nil
	}
	return func(ctx context.Context) (context.Context, func() error, error) {
		r, err := recording.CreateNext(recording.Options{File: file, Logger: t.engine.Log, Now: t.engine.Now})
		if err != nil {
			return nil, nil, err
		}
		return fetch.WithRecorder(ctx, r), r.Close, nil
	}
}

// Script is for page.Getter: of a replay what stops the clocks of its pages, and then the engine's own; nil for neither.
func (t *Taping) Script(own func() string) func(url string) string {
	switch replays := t != nil && t.archives != nil; {
	case replays && own != nil:
		return func(url string) string { return t.archives.Script(url) + "\n;" + own() }
	case replays:
		return t.archives.Script
	case own != nil:
		return func(string) string { return own() }
	}
	return nil
}

// Pin is the one that the browser has to trust, or else, where it need trust none, another.
func (t *Taping) Pin(other string) string {
	if t == nil || t.authority == nil {
		return other
	}
	pin, _ := t.authority.Pin() // of a key that was made here: it can be written
	return pin
}

// Close ends the recording, or closes the archives. Its error is the Recorder's.
func (t *Taping) Close() error {
	switch {
	case t == nil || t.Recorder == nil && t.archives == nil:
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
	if t != nil && t.Recorder != nil {
		t.Recorder.Discard()
	}
}
