package engine

import (
	"cmp"
	"fmt"
	"strings"
)

// maxRobotsAgent is room for any User-Agent header.
const maxRobotsAgent = 256

// checkRobots refuses an agent that no robots.txt can name.
func (p *plan) checkRobots(o ScrapeOptions) error {
	agent := o.RobotsUserAgent
	switch {
	case agent != "" && !o.ObeyRobots:
		return &OptionError{Field: "robotsUserAgent", Value: agent, Want: "unset without ObeyRobots"}
	case !plausibleAgent(agent):
		want := fmt.Sprintf(`a product token ("winnow") or a User-Agent header that begins with one, at most %d bytes`, maxRobotsAgent)
		return &OptionError{Field: "robotsUserAgent", Value: agent, Want: want}
	case o.ObeyRobots:
		p.RobotsAgent = cmp.Or(agent, DefaultRobotsAgent)
	}
	return nil
}

// plausibleAgent accepts "", a product token, and a header that begins with one.
func plausibleAgent(agent string) bool {
	if len(agent) > maxRobotsAgent || strings.ContainsFunc(agent, func(c rune) bool { return c < ' ' || c > '~' }) {
		return false
	}
	const token = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	name := agent
	if end := strings.IndexAny(agent, "/("); end >= 0 {
		name = strings.TrimSpace(agent[:end])
	}
	return agent == "" || name != "" && strings.Trim(strings.ToLower(name), token) == ""
}

// DefaultRobotsAgent is the product token (RFC 9309 §2.2.1) that the engine looks itself
// up by in a robots.txt, where a request names no other.
const DefaultRobotsAgent = "winnow"
