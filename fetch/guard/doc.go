// Package guard is the forward proxy that a browser is forced through. It may change without notice.
// It listens on loopback or on a Unix socket, so that everything a browser loads obeys the same fetch.Policy as the
// HTTP client. Each browser context gets a Lease: a listener of its own, which is its identity, since proxy
// credentials would be shown to sites. The guard dials with the fetch.Dialer only, counts the bytes, cuts a lease
// off at its limit, and remembers why a connection failed, which the browser itself doesn't report.
//
// Start with New and Guard.Lease.
//
// Where things are:
//
//	guard.go     Guard: all leases of one engine
//	lease.go     Lease: listener, connections, closing
//	turn.go      Lease.Renew: one lease for several pages, one after the other
//	serve.go     one connection of the browser: which form of request it is
//	head.go      request heads within their bounds
//	tunnel.go    CONNECT, and copying both ways
//	forward.go   plain http requests in absolute form, websockets among them
//	respond.go   responses on their way back
//	upstream.go  the connection to a site that carries plain requests
//	inside.go    tunnels that are read, since the lease records or judges, or the site gets credentials; of a suspected host before
//	             it is contacted
//	login.go     requests that are sent with credentials
//	judge.go     which requests the lease's owner refuses, websockets among them
//	relay.go     HTTP/2 from the browser to the site, without the requests that are refused, and
//	downward.go  from the site to the browser, with frames that say so
//	tape.go      recording an exchange, and
//	messages.go  the messages of a websocket
//	meter.go     counting bytes
//	unwanted.go  hosts that the lease's owner blocks, or suspects
//	refusal.go   what is logged of failed connections
//	owners.go    who may connect: only processes of the browsers;
//	             owners_linux.go, diag_linux.go, socket_linux.go and process_linux.go
//	             find them by their sockets
//	failure.go   why the last connection to a host failed
package guard
