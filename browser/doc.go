// Package browser makes a Chromium ready on this machine and lends isolated pages of it.
//
// It knows no policy: a page goes through the proxy whose address it is given, and nothing leaves the browser un-proxied. It parses no
// HTML and decides nothing about content. Start with NewPool and Pool.Open, for pages that are read and closed, or StartSession, for one that is
// driven by code or people; Install alone makes driver and browser ready.
//
// Installing:
//
//	install.go       Install: its options, result, order and lock
//	installerror.go  InstallError: what was tried, and how to mend it
//	driver.go        the driver: found or downloaded, mended, checked
//	node.go          the Node.js that runs the driver
//	chromium.go      the browser: candidates in order, each tested
//	places.go        where browsers usually are
//	obtain.go        getting one: the driver's own download, the npm package
//	brotli.go        what the npm package holds packed
//	shellcommand.go  the browser command for shells, from its npm package
//	system.go        getting one by apt-get
//	sandboxinstall.go  the sandbox of sessions
//	fonts.go         fonts that are missing
//	probe.go         the test of a browser: a real launch, a page whose script ran
//	records.go       what was found out about files, by their stamp
//	registry.go      the npm configuration of the machine
//	download.go      tarballs, checked against pinned hashes
//	unpack.go        archives, unpacked within bounds
//
// Running:
//
//	pool.go          Pool: one browser at a time, started lazily, recycled, replaced after a crash
//	pooloptions.go   Options: defaults and checks
//	open.go          Open: a free place, a browser, a page
//	ahead.go         one page made before it is asked for, and proxies lent to pages
//	memory.go        how much memory a browser holds, and the end of those that hold too much
//	sweep.go         what programs left that ended without closing their pool
//	pulse.go         the heartbeat of a browser, and the end of one that half lives
//	alive.go         signs of life of pages that have waited
//	generation.go    one driver and its browser: start, death, end
//	connect.go       a browser started, or one that runs elsewhere connected to
//	launcher.go      the run folder and the launchers through which pids are known
//	sandbox.go       bubblewrap, for root
//	args.go          the browser's switches, and those that are refused
//	proc.go          the system's process table
//	process_*.go     process groups
//	call.go          do: every call of the driver, and how one that hangs is freed
//
// Sessions:
//
//	session.go        Session: one driver and one browser in one sandbox, their sockets, end and its reason
//	sessionoptions.go SessionOptions: defaults and checks
//	sessionfolder.go  the launchers, what is seen inside, and sockets that are taken over
//	sessiontab.go     which tab is the page, when tabs come and go
//	tabstate.go       the sessionStorage of a tab, with the rest of the state
//
// Pages:
//
//	page.go          Page: its context, tab, handlers and end
//	pageoptions.go   PageOptions
//	options.go       defaults and checks of PageOptions
//	identity.go      agent, client hints and languages that agree
//	state.go         cookies and storage that go from page to page
//	goto.go          Goto: load, answer, body, failures
//	sent.go          Sent: what the site sent for the document that is shown
//	headers.go       the caller's headers, for their own origin only
//	block.go, hide.js       what isn't asked for, what isn't shown
//	traffic.go       Console, Requests, and what still loads
//	ready.go, .js    WaitReady: when a page has come to rest
//	consent.go, .js  cookie banners
//	consentrules.go  the npm package with rules for them, where it is installed
//	act.go, .js      waiting for elements and clicking, as package actions wants it
//	input.go         keys, scrolling, scripts
//	snapshot.go, .js Snapshot: what the page shows, as a tree with references
//	ref.go           elements by reference: what they are, clicks, focus, choice
//	screencast.go    Screencast: pictures of a page, or of a session, as it changes
//	remote.go        Input: a person's mouse and keyboard; keycode.go: what keys do
//	steer.go         Steer, Travel, Title: a person's address field, history and title bar
//	content.go, .js  Content: the document with shadow trees and frames
//	frames.go        which frames a page has
//	world.go         worlds apart from the page's scripts, in frames of any process
//	inspect.go       Inspect: a script in a world of its own
//	capture.go       Screenshot and PDF
//	errors.go        the errors
package browser
