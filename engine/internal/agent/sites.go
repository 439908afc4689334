package agent

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
)

var (
	errAddress = errors.New("this is no http or https address")
	errReach   = errors.New("this address is not within reach: only the given URLs and their sites are, or those that a search has found")
	errStrict  = errors.New("this address is not within reach: only the given URLs are")
)

// maxSites bounds what searches bring within reach.
const maxSites = 500

// within returns an error where an address is out of reach.
func (a *agent) within(address string) error {
	site := siteOf(address)
	switch {
	case site == "":
		return errAddress
	case a.o.Strict:
		if !slices.ContainsFunc(a.o.URLs, func(u string) bool { return samePage(u, address) }) {
			return errStrict
		}
	case !slices.ContainsFunc(a.o.URLs, func(u string) bool { return siteOf(u) == site }) && !slices.Contains(a.state.Sites, site):
		return errReach
	}
	return nil
}

// reach brings the site of what a search has found within reach.
func (a *agent) reach(address string) {
	if site := siteOf(address); site != "" && !slices.Contains(a.state.Sites, site) && len(a.state.Sites) < maxSites {
		a.state.Sites = append(a.state.Sites[:len(a.state.Sites):len(a.state.Sites)], site)
	}
}

// siteOf is the host of a web address with its port, where that isn't the usual one, without "www."; "" for what is none.
func siteOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.TrimPrefix(strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), "www.")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		return net.JoinHostPort(host, port)
	}
	return host
}

// samePage compares without fragments and a slash at the end.
func samePage(a, b string) bool {
	return siteOf(a) != "" && siteOf(a) == siteOf(b) && pathOf(a) == pathOf(b)
}

func pathOf(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return "\x00"
	}
	return strings.TrimSuffix(u.EscapedPath(), "/") + "?" + u.RawQuery
}
