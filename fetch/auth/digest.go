package auth

import (
	"context"
	"crypto/fips140"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"hash"
	"slices"
	"strings"
)

// digestExchange is that of Digest (RFC 7616).
type digestExchange struct {
	login   *Login
	request Request
	fresh   bool // what was sent last answered a challenge of this request
}

func (d *digestExchange) begin(context.Context) (string, error) {
	d.login.mu.Lock()
	known := d.login.nonce
	d.login.mu.Unlock()
	if known == nil {
		return "", nil
	}
	return d.respond(known), nil
}

func (d *digestExchange) answer(_ context.Context, given []challenge) (string, error) {
	c := strongest(given)
	if c == nil && slices.ContainsFunc(given, isDigest) {
		return "", errors.New("neither algorithm nor qop of Digest is known")
	}
	if c == nil || d.fresh && !strings.EqualFold(c.parameters["stale"], "true") {
		d.remember(nil)
		return "", nil
	}
	d.fresh = true
	d.remember(c)
	return d.respond(c), nil
}

func (d *digestExchange) opening() bool { return false }

func isDigest(c challenge) bool { return c.scheme == "digest" }

// remember has the next requests begin with a nonce; nil: with none.
func (d *digestExchange) remember(c *challenge) {
	d.login.mu.Lock()
	defer d.login.mu.Unlock()
	d.login.nonce, d.login.count = c, 0
}

// algorithms are those of Digest, the strongest first.
var algorithms = []struct {
	name string
	make func() hash.Hash
	old  bool
}{
	{"SHA-512-256", sha512.New512_256, false},
	{"SHA-256", sha256.New, false},
	{"MD5", md5.New, true},
}

// algorithm finds one by its name in a challenge, where none is MD5; nil for one that is unknown or forbidden.
func algorithm(name string) (of func() hash.Hash, session bool) {
	name = strings.ToUpper(name)
	name, session = strings.CutSuffix(name, "-SESS")
	for _, a := range algorithms {
		if (a.name == name || a.old && name == "") && !(a.old && fips140.Enforced()) {
			return a.make, session
		}
	}
	return nil, false
}

// strongest is the challenge of Digest with the strongest algorithm; nil where none can be answered.
func strongest(given []challenge) *challenge {
	for _, a := range algorithms {
		for _, c := range given {
			name, _ := strings.CutSuffix(strings.ToUpper(c.parameters["algorithm"]), "-SESS")
			of, _ := algorithm(c.parameters["algorithm"])
			if isDigest(c) && of != nil && (name == a.name || name == "" && a.old) && qop(c) != unknownQop {
				return &c
			}
		}
	}
	return nil
}

const unknownQop = "?"

// qop is the quality of protection: "auth", or "" of a server that knows none.
func qop(c challenge) string {
	offered := c.parameters["qop"]
	if offered == "" {
		return ""
	}
	for q := range strings.SplitSeq(offered, ",") {
		if strings.EqualFold(strings.TrimSpace(q), "auth") {
			return "auth"
		}
	}
	return unknownQop
}

// respond makes the header that answers a challenge for this request.
func (d *digestExchange) respond(c *challenge) string {
	d.login.mu.Lock()
	count := uint32(1)
	if d.login.nonce == c {
		d.login.count++
		count = d.login.count
	}
	d.login.mu.Unlock()
	return d.header(c, count, rand.Text())
}

func (d *digestExchange) header(c *challenge, count uint32, cnonce string) string {
	of, session := algorithm(c.parameters["algorithm"])
	sum := func(parts ...string) string {
		h := of()
		h.Write([]byte(strings.Join(parts, ":")))
		return hex.EncodeToString(h.Sum(nil))
	}
	with, p := d.login.with, digestParameters{challenge: c, uri: d.request.Target, qop: qop(*c), count: count, cnonce: cnonce}
	a1 := sum(with.User, c.parameters["realm"], string(with.Password))
	if session {
		a1 = sum(a1, c.parameters["nonce"], cnonce)
	}
	a2 := sum(d.request.Method, p.uri)
	if p.response = sum(a1, c.parameters["nonce"], a2); p.qop != "" {
		p.response = sum(a1, c.parameters["nonce"], p.nc(), cnonce, p.qop, a2)
	}
	if p.user = with.User; strings.EqualFold(c.parameters["userhash"], "true") {
		p.user, p.hashed = sum(with.User, c.parameters["realm"]), true
	}
	return p.String()
}
