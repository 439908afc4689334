package auth

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/Azure/go-ntlmssp"
)

// connectedExchange is that of NTLM and Negotiate: a connection is agreed on once, and stays so. A server that says 401 all the same has
// forgotten it, and is begun with once more.
type connectedExchange struct {
	login *Login
	conn  *Conn
	with  Negotiation // nil until begun
	begun bool        // over a connection that had not been agreed on
	heard bool        // a challenge of this negotiation has been answered
}

func (e *connectedExchange) begin(ctx context.Context) (string, error) {
	if e.conn != nil && e.conn.done {
		return "", nil
	}
	return e.start(ctx)
}

func (e *connectedExchange) start(ctx context.Context) (_ string, err error) {
	e.begun = true
	if e.with, err = e.negotiation(ctx); err != nil {
		return "", err
	}
	return e.say(ctx, nil)
}

func (e *connectedExchange) negotiation(ctx context.Context) (Negotiation, error) {
	if e.login.with.Method == NTLM {
		return &ntlm{with: e.login.with}, nil
	}
	return e.login.with.Negotiator.Begin(ctx, "HTTP/"+e.login.origin.Host)
}

// say is the next token in a header.
func (e *connectedExchange) say(ctx context.Context, challenge []byte) (string, error) {
	said, err := e.with.Next(ctx, challenge)
	if err != nil {
		return "", err
	}
	return e.scheme() + " " + base64.StdEncoding.EncodeToString(said), nil
}

// opening: NTLM takes three messages, of which the first never suffices; a token of Kerberos does.
func (e *connectedExchange) opening() bool {
	return e.login.with.Method == NTLM && e.begun && !e.heard && (e.conn == nil || !e.conn.done)
}

func (e *connectedExchange) scheme() string {
	return map[Method]string{NTLM: "NTLM", Negotiate: "Negotiate"}[e.login.with.Method]
}

func (e *connectedExchange) answer(ctx context.Context, given []challenge) (string, error) {
	if e.conn != nil {
		e.conn.done = false
	}
	c := ofScheme(given, strings.ToLower(e.scheme()))
	switch {
	case c == nil:
		return "", nil
	case !e.begun:
		return e.start(ctx)
	case c.token == "":
		return "", nil
	}
	challenge, err := base64.StdEncoding.DecodeString(c.token)
	if err != nil {
		return "", fmt.Errorf("%s: %w", e.scheme(), err)
	}
	e.heard = true
	return e.say(ctx, challenge)
}

// ofScheme is the challenge of a scheme; nil for none.
func ofScheme(given []challenge, scheme string) *challenge {
	for _, c := range given {
		if c.scheme == scheme {
			return &c
		}
	}
	return nil
}

// ntlm is a Negotiation of NTLMv2.
type ntlm struct{ with *Credentials }

// Next implements Negotiation.
func (n *ntlm) Next(_ context.Context, challenge []byte) ([]byte, error) {
	if challenge == nil {
		return ntlmssp.NewNegotiateMessage("", "")
	}
	return ntlmssp.NewAuthenticateMessage(challenge, n.with.User, string(n.with.Password), nil)
}
