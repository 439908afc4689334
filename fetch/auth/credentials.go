package auth

import (
	"context"
	"fmt"
)

// Method is how credentials are presented.
type Method string

// The methods. A site can't choose another than the one that its Credentials name.
const (
	// Basic sends user and password with each request.
	Basic Method = "basic"
	// Digest proves with each request that the password is known, by MD5, SHA-256 or SHA-512-256; of qop, "auth" or none.
	Digest Method = "digest"
	// NTLM proves once for each connection that the password is known, by NTLMv2. It works over HTTP/1.1 only and has no channel binding:
	// a server that requires one (extended protection) refuses it.
	NTLM Method = "ntlm"
	// Negotiate sends the tokens of Credentials.Negotiator, over HTTP/1.1.
	Negotiate Method = "negotiate"
	// Form logs in by Credentials.Form and sends the cookies that this gave.
	Form Method = "form"
)

// Credentials are what origins get that match a pattern. They are never logged, recorded or cached.
type Credentials struct {
	// For is the pattern: a host with optional scheme and port, such as "wiki.corp.example", "https://*.corp.example:8443" or
	// "http://old.corp.example". Without a scheme it is https: only a pattern that says http has them sent in the clear. Without a port it
	// is the scheme's usual one. "*." stands for one label or more. The first that matches counts. Required.
	For string
	// Method is how they are presented. Required.
	Method Method
	// User is the account: of NTLM also "DOMAIN\user", of Negotiate a name that sets the cached pages of accounts apart. Required but for
	// Negotiate.
	User string
	// Password of the account. Required but for Negotiate, which has none.
	Password Secret
	// Negotiator gives the tokens of Negotiate, which requires it.
	Negotiator Negotiator
	// Form is the recipe of a login by form, which requires it.
	Form *Recipe
}

// Secret is a text that isn't printed, logged or encoded: all that shows of it is "(redacted)".
type Secret string

const redacted = "(redacted)"

// Format implements fmt.Formatter, for every verb.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, redacted) }

// MarshalText implements encoding.TextMarshaler.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// Negotiator begins negotiations, from the program's Kerberos library, say. It is safe for concurrent use.
type Negotiator interface {
	// Begin begins one for a service, "HTTP/" and the host in lower case. Each connection has one of its own.
	Begin(ctx context.Context, service string) (Negotiation, error)
}

// Negotiation is what one connection agrees on. It is used by one goroutine.
type Negotiation interface {
	// Next returns the token that answers a challenge of the server, which is nil at first.
	Next(ctx context.Context, challenge []byte) (token []byte, err error)
}
