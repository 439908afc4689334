// Package serving is the server of the examples: package httpapi with addresses, keys and metrics. It may change without notice.
//
// Start from Main. In the order of things:
//
//	main.go        Main, Run: the order of things, and the exit status
//	settings.go    the command line
//	keys.go        the file of keys; a fresh key
//	proxy.go       the proxies of the command line
//	address.go     where to listen, which names are allowed, and the URL for clients
//	assemble.go    the engine's and the handler's options from the command line
//	face.go        each address and its handler
//	examples.go    what the page at / offers to try
//	serve.go       serving; the stop that lets running requests finish
//	gate.go        counts the requests that run
//	metrics.go     metrics for Prometheus
//	profile.go     profiles of the running program
//	greeting.go    what is printed at the start
package serving
