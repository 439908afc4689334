// Package auth gets an HTTP client, and the guard of a browser, into the sites of an intranet.
// Credentials and TLS say what the program has for which origins; Access has them all, and a Login is what one origin gets: Basic, Digest
// (RFC 7617, RFC 7616), NTLM, Negotiate with the tokens of the program's own Kerberos, or a login by form, whose recipe is followed again
// when a page says that the session has ended. A Login works on requests and answers alone, so that client and guard send the same.
//
// What an origin has is sent to that origin alone (scheme, host and port), over TLS that has been verified unless its pattern says http.
//
// Start from Credentials, TLS and New.
//
// Where things are:
//
//	credentials.go  Credentials, Method, Secret, Negotiator
//	tls.go          TLS: authorities and client certificates
//	origin.go       Origin, and the patterns that stand for some
//	validate.go     which options are refused
//	access.go       Access: who gets what
//	login.go        Login: one request with what its origin wants
//	pause.go        how often refused credentials are sent again
//	challenge.go    WWW-Authenticate
//	digest.go       Digest, and
//	parameters.go   its parameters as they are written
//	connected.go    NTLM and Negotiate, which belong to a connection
//	form.go         Form: the recipe of a login by form
//	session.go      the session that a recipe has begun,
//	steps.go        its steps, and
//	fields.go       the forms of a page
package auth
