// Package fetch fetches one URL over HTTP and returns its bytes: a Client follows redirects, undoes encodings,
// retries after transient failures and keeps every size and every phase within bounds. A Policy decides which
// addresses may be contacted; the client's Dialer applies it to each address at the moment of dialing, and the
// browser's guard (fetch/guard) connects through the same Dialer. Text converts a body to UTF-8. The package
// doesn't parse pages, doesn't cache and knows nothing of browsers.
//
// Start with New and Client.Do.
//
// Where things are:
//
//	client.go     Options, Client, Do
//	request.go    Request, Response
//	header.go     which headers a caller may send
//	trip.go       one Do: redirects, headers and cookies of each hop
//	place.go      one URL on the way: origin, next hop, form on the wire
//	retry.go      which failures are retried, and when
//	attempt.go    one request: connection check, phases, redirects
//	body.go       the body within its bounds
//	record.go     Recorder: exchanges as they are kept (package fetch/archive stores them)
//	decode.go     content-encodings
//	transport.go  connection pools by TLS verification and proxy
//	dialer.go     Dialer: resolve, check, dial
//	race.go       several addresses, staggered
//	upstream.go   Proxy: an upstream proxy and how it is used
//	proxy.go      connecting through it: SOCKS, and
//	connect.go    CONNECT and TLS
//	virtual.go    Virtual: hosts served by handlers of this process,
//	virtualserve.go  their servers,
//	answering.go  what a handler's panic leaves of a response,
//	authority.go  their certificates,
//	memconn.go    connections within the process, and
//	flow.go       one direction of them
//	policy.go     Policy: which addresses may be contacted
//	names.go      names that a proxy resolves
//	hosts.go      hosts that the caller allows
//	ranges.go     the table of special address ranges
//	unwrap.go     IPv4 addresses inside IPv6 ones
//	ports.go      the ports that browsers block
//	sniff.go      the media type of a body, and
//	signature.go  binary formats by their first bytes,
//	binary.go     what is no text in any encoding
//	text.go       Text: the encoding of a body, and
//	detect.go     declarations inside of it, and detection where there is none (guesses are those of internal/guess)
//	contradict.go  declarations that the bytes contradict,
//	errors.go     the error types
//	classify.go   errors of the network and their names in a browser
package fetch
