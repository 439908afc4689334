// Package code runs untrusted code against the browser of one session: Node.js, Python and shell. It may change without notice.
//
// A Runner keeps one warm worker per language, each in a sandbox of its own without a network, started on first use. What
// a worker sees of the machine is a read-only system, its runtime, and two Unix sockets that lead to the session's own browser. It is
// not a browser, starts none, and knows no page: the owner of the session passes it the sockets, and decides what the browser
// may reach.
//
// Files:
//
//	runner.go    Runner: one call at a time, workers started and replaced
//	request.go   Request, Result and the errors
//	options.go   Options: defaults and checks
//	worker.go    one worker: start, call, end
//	protocol.go  the messages between runner and worker
//	capture.go   bounded output, and where a call's output ends
//	process.go   a worker's process, in a sandbox or without
//	programs.go  the workers' programs, and their requirements
//	process_*.go systems
//
// The workers' programs, which get their source by standard input and leave no file:
//
//	js/tab.js     the connection to the browser, the page that is meant, the lines of the protocol
//	js/node.js    statements of JavaScript, in V8's own mode for consoles
//	js/bridge.js  objects of the browser for the Python worker
//	js/shell.js   one shell per call, and the relay that its browser command uses
//	py/names.py   the names that Python code finds
//	py/expect.py  what Python code expects of pages and locators
//	py/worker.py  statements of Python, and the objects of the bridge under Python's names
//
// Start with Start and Runner.Run.
package code
