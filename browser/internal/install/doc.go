// Package install finds or installs what browsers need on this machine: a driver, a Node.js that runs it, and a Chromium. It may change
// without notice.
//
// Start from Run. It starts no browser by itself: Request.Probe does, for each candidate.
//
//	install.go       Request, Installation, Run: its order and lock
//	error.go         Error: what was tried, and how to fix it
//	driver.go        the driver: found or downloaded, patched, checked
//	node.go          the Node.js that runs the driver
//	chromium.go      the browser: candidates in order, each tested
//	places.go        the usual locations of browsers
//	obtain.go        downloading one: by the driver itself, by the npm package
//	brotli.go        unpacking the compressed parts of the npm package
//	fonts.go         fonts that are missing
//	system.go        the system's packages, by apt-get
//	shellcommand.go  ShellCommand: the browser command for shells, from its npm package
//	sandbox.go       Sandbox: the sandbox of sessions
//	consent.go       Consent, ConsentRules: the npm package with rules for cookie banners
//	parts.go         Parts: what the cache holds that another machine can use; FetchParts
//	accessibility.go  Accessibility: the npm package with rules for the accessibility of pages
//	records.go       earlier findings about files, by their stamp
//	registry.go      the npm configuration of the machine
//	download.go      tarballs, checked against pinned hashes
//	unpack.go        archives, unpacked within bounds
package install
