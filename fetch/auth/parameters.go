package auth

import (
	"fmt"
	"net/url"
	"strings"
)

// digestParameters are what an Authorization of Digest says.
type digestParameters struct {
	*challenge
	user, uri, qop, cnonce, response string
	hashed                           bool // the user
	count                            uint32
}

// nc is the count as it is written.
func (p *digestParameters) nc() string { return fmt.Sprintf("%08x", p.count) }

func (p *digestParameters) String() string {
	var b strings.Builder
	b.WriteString("Digest " + p.name())
	for _, name := range []string{"realm", "nonce"} {
		fmt.Fprintf(&b, `, %s=%s`, name, quote(p.parameters[name]))
	}
	fmt.Fprintf(&b, `, uri=%s, response="%s"`, quote(p.uri), p.response)
	if opaque, ok := p.parameters["opaque"]; ok {
		b.WriteString(", opaque=" + quote(opaque))
	}
	if a, ok := p.parameters["algorithm"]; ok {
		b.WriteString(", algorithm=" + token(a))
	}
	if p.qop != "" || strings.HasSuffix(strings.ToUpper(p.parameters["algorithm"]), "-SESS") {
		fmt.Fprintf(&b, `, cnonce="%s"`, p.cnonce)
	}
	if p.qop != "" {
		fmt.Fprintf(&b, `, qop=%s, nc=%s`, p.qop, p.nc())
	}
	if p.hashed {
		b.WriteString(", userhash=true")
	}
	return b.String()
}

// name is the account: one that isn't ASCII is written by RFC 8187, where the server doesn't want its hash.
func (p *digestParameters) name() string {
	ascii := !strings.ContainsFunc(p.user, func(r rune) bool { return r > 0x7e })
	if ascii || p.hashed {
		return "username=" + quote(p.user)
	}
	return "username*=UTF-8''" + strings.ReplaceAll(url.QueryEscape(p.user), "+", "%20")
}

// quote writes a quoted string. What a challenge says is of the site: no control character gets into the header.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(harmless(s)) + `"`
}

func token(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ',' || r == ' ' || r == '"' {
			return -1
		}
		return r
	}, harmless(s))
}

func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}
