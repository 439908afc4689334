package sandbox

import _ "embed"

// Relay is the source of a program for Node.js that carries connections between Unix sockets and ports on loopback, for programs in
// a sandbox that can only speak to a port: "node relay.js FROM TO …", each "port:3128" (on 127.0.0.1) or "unix:/path". As a module
// it exports relay(from, to).
//
//go:embed relay.js
var Relay string
