// Package code runs code of strangers against the browser of one session: Node.js, Python and shell.
//
// A Runner keeps one warm worker per language, each in a sandbox of its own without a network, started when it is first asked for. What
// a worker sees of the machine is a read-only system, its runtime, and two Unix sockets that lead to the session's own browser. It is
// not a browser, starts none, and knows no page: whoever owns the session gives it the sockets. What the browser may reach is the matter of
// whoever started that.
//
// Files:
//
//	runner.go    Runner: one call at a time, workers started and replaced
//	request.go   Request, Result and the errors
//	options.go   Options: defaults and checks
//	worker.go    one worker: start, call, end
//	protocol.go  what runner and worker tell each other
//	capture.go   bounded output, and where one call's ends
//	process.go   a worker's process, in a sandbox or without
//	programs.go  the workers' programs, and what each needs of the machine
//	process_*.go systems
//
// The workers' programs, which get their source by standard input and leave no file:
//
//	js/tab.js     the connection to the browser, the page that is meant, the lines of the protocol
//	js/node.js    statements of JavaScript, in V8's own mode for consoles
//	js/bridge.js  objects of the browser for the Python worker
//	js/shell.js   one shell per call, and the relay that its browser command uses
//	py/names.py   the names that Python code finds
//	py/worker.py  statements of Python, and the objects of the bridge under Python's names
//
// Start with Start and Runner.Run.
package code
