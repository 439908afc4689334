// Package sessions runs browser sessions: browsers of their own, each in a sandbox, that code, a model or a person operates. A [Set]
// has those that are active, and the records of all that were not long ago; a [Request] says how one begins.
//
// It checks no options and knows no engine: what it needs is in [Options]. Errors that a caller distinguishes are [EndedError],
// [FailedError], [LateError], [ReplayError], [ErrLimit], [ErrNotFound], [ErrNoSession] and [ErrNotConfigured].
//
//	set.go      Set and its Options: those that are active
//	session.go  Session and its Request
//	start.go    the order in which a session is made ready: profile, sandbox, way out and what it refuses, browser
//	socket.go   the folder of a session's socket
//	watch.go    how a session ends
//	use.go      calls take turns; the time they may take
//	visit.go    loading addresses, and performing actions
//	read.go     reading the live page, as a scrape does
//	run.go      running code
//	ask.go      a model at the page
//	act.go      single acts at the page, for a model of the caller's
//	lifetime.go how long a session lasts
//	replay.go   going a scrape's way again
//	record.go   Record and Info: what is stored of a session, and what it costs
//	kept.go     the records in the store
//	view.go     View: sessions for people to watch and operate
//	screen.go   a session as a person sees it
//	errors.go   the errors
package sessions
