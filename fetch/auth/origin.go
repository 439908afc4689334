package auth

import (
	"errors"
	"net"
	"strconv"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
	"golang.org/x/net/publicsuffix"
)

// Origin is where a request goes.
type Origin struct {
	Scheme string // http or https
	Host   string // as in a URL
	Port   string // never empty
}

// OriginOf is that of an absolute http or https URL; the zero value of anything else.
func OriginOf(href string) Origin {
	scheme, _, _ := strings.Cut(href, ":")
	host, port, err := net.SplitHostPort(weburl.HostPort(href))
	if err != nil || scheme != "http" && scheme != "https" {
		return Origin{}
	}
	return Origin{scheme, host, port}.canonical()
}

// canonical is the form in which origins are compared.
func (o Origin) canonical() Origin {
	host := strings.Trim(strings.ToLower(o.Host), "[]")
	return Origin{o.Scheme, strings.TrimSuffix(host, "."), o.Port}
}

// String is the origin as in a URL, with its port.
func (o Origin) String() string { return o.Scheme + "://" + net.JoinHostPort(o.Host, o.Port) }

// upgraded is where a standard http port is sent on to.
func (o Origin) upgraded() Origin {
	if o.Scheme == "http" && o.Port == "80" {
		return Origin{"https", o.Host, "443"}
	}
	return o
}

// pattern stands for origins: the host may begin with "*.".
type pattern Origin

func (p pattern) matches(o Origin) bool {
	if p.Scheme != o.Scheme || p.Port != o.Port {
		return false
	}
	if parent, wild := strings.CutPrefix(p.Host, "*"); wild {
		return strings.HasSuffix(o.Host, parent) && len(o.Host) > len(parent)
	}
	return p.Host == o.Host
}

// wantPattern is what patterns have to be like.
const wantPattern = `a host in lower case with optional scheme and port, such as "https://*.corp.example:8443"`

func parsePattern(text string) (pattern, error) {
	scheme, place, named := strings.Cut(text, "://")
	if !named {
		scheme, place = "https", text
	}
	if scheme != "http" && scheme != "https" {
		return pattern{}, errors.New("neither http nor https")
	}
	wild := ""
	if strings.HasPrefix(place, "*.") {
		wild, place = "*.", place[2:]
	}
	href, err := weburl.Parse(scheme + "://" + place + "/")
	o := OriginOf(href)
	if err != nil || !written(o, place) {
		return pattern{}, errors.New("not a host with an optional port")
	}
	if suffix, icann := publicsuffix.PublicSuffix(o.Host); wild != "" && (net.ParseIP(o.Host) != nil || icann && suffix == o.Host) {
		return pattern{}, errors.New("its names belong to many owners")
	}
	o.Host = wild + o.Host
	return pattern(o), nil
}

// written reports whether an origin is written in this way and no other.
func written(o Origin, place string) bool {
	bare := o.Host
	if strings.Contains(bare, ":") {
		bare = "[" + bare + "]"
	}
	if n, err := strconv.Atoi(o.Port); err != nil || n < 1 {
		return false
	}
	return o.Host != "" && !strings.Contains(o.Host, "*") && (place == bare+":"+o.Port || place == bare && (o.Port == "443" || o.Port == "80"))
}
