// Package browser installs a Chromium on this machine and hands out isolated pages of it.
//
// It knows no policy: a page goes through the proxy in its options, and nothing leaves the browser un-proxied. It parses no HTML and
// decides nothing about content. Start with NewPool and Pool.Open, for pages that are read and closed, or StartSession, for one that
// is driven by code or people; Install alone installs driver and browser.
//
// Installing:
//
//	install.go       Install and what else can be installed: options, results, errors; how is in internal/install
//	probe.go         the test of a browser: a real launch, a page whose script ran
//
// Running:
//
//	pool.go          Pool: pages of the browsers that are its own or shared
//	browsers.go      the browsers: one at a time, started lazily, recycled, replaced after a crash
//	shared.go        Shared: browsers for several pools
//	pooloptions.go   Options: defaults and checks
//	open.go          Open: a free slot, a browser, a page
//	ahead.go         one page made in advance, and the proxies of pages
//	warm.go          tabs that show the pages of one site in turn, cleared in between
//	alive.go         checks of pages that have waited; replacing browsers that hold too much memory
//	args.go          the browser's switches, and those that are refused
//
// Sessions:
//
//	session.go        Session: one driver and one browser in one sandbox, their sockets, end and its reason
//	sessionoptions.go SessionOptions: defaults and checks
//	sessiontab.go     which tab is the page, when tabs open and close
//
// Pages:
//
//	page.go          Page: its parts and its end
//	setup.go         making a page: its context, tab and handlers; AddScript
//	popups.go        the tabs that open beside a page
//	pageoptions.go   PageOptions
//	documents.go     which document a page shows, and what came of its request
//	options.go       defaults and checks of PageOptions
//	identity.go      agent, client hints and languages that agree
//	state.go         cookies and storage that carry over from page to page, sessionStorage of one tab to the next
//	goto.go          Goto, and the document that a page shows
//	load.go          loads: answer, body, failures
//	headers.go       the caller's headers, for their own origin only
//	block.go, hide.js       what isn't requested, what isn't shown, where the page may not be led
//	traffic.go       lines of console and requests, and pending requests
//	ready.go, .js    WaitReady: when a page has settled
//	consent.go, .js  cookie banners
//	acting.go        Acting: a page as package actions works on it, which tabs that open take the place of
//	arrivals.go      the tabs that sites open meanwhile, and which of them is the page
//	act.go           what single actions do on a page
//	screencast.go    Screencast of Remote and Session: pictures of a page as it changes
//	remote.go        Remote and its Input: a person's mouse and keyboard
//	steer.go         Steer, Travel, Title of Remote: a person's address field, history and title bar
//	read.go          Content, Inspect, InspectAsync (how is in internal/reading), state and lines of a page
//	refs.go          Refs: Snapshot and elements by reference
//	capture.go       Screenshot and PDF
//	errors.go        the errors
//
// # Installing
//
// The first scrape that needs a browser installs what is missing, without root rights; go run ./examples/install
// does that ahead of time (-system: as root on Debian and Ubuntu the package manager may help; -consent: also the
// rules that reject cookie banners, an npm package; without it a short built-in list serves;
// -accessibility: also the rules of enginetest.Accessible, another one; -check: only look).
// The order, each browser accepted only after it has shown a page:
//
//  1. driver: BrowserOptions.DriverDir, PLAYWRIGHT_DRIVER_PATH, the cache folder, else playwright-core 1.60.0 from
//     the npm registry that the machine's npm configuration names; node 18 or newer of the system, else node's npm
//     package;
//  2. browser: BrowserOptions.Executable, CHROME_PATH, a headless shell on PATH or in Playwright's cache, Chrome,
//     Chromium, Edge or Brave in their usual places, Playwright's own headless shell, the npm package
//     @sparticuz/chromium (Linux x64), and, only where System is set, chromium-headless-shell or chromium by
//     apt-get.
//
// # Machines without a network
//
// Run go run ./examples/install on a machine of the same kind that has a network, copy its cache folder (winnow in
// the user's cache folder: ~/.cache/winnow on Linux, ~/Library/Caches/winnow on macOS, %LocalAppData%\winnow on
// Windows) to the same place on the other, install any Chromium there (or copy it, and set CHROME_PATH), and set
// BrowserOptions.Install to browser.InstallNever: nothing is then ever downloaded. An engine with Render: never
// needs neither. go run ./examples/install -check reports whether everything is installed. For the Go modules
// themselves, go mod vendor or a copy of the module cache.
//
// # Running as root
//
// Chromium's own sandbox can't be used by root without help. Where bubblewrap is installed and user namespaces work,
// the browser runs inside it with its sandbox on; elsewhere root's browser runs with --no-sandbox, which is logged.
// Install bubblewrap, or run as another user, where pages are hostile.
package browser
