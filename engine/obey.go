package engine

import (
	"cmp"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/robotstxt"
)

// checkRobots refuses an agent that no robots.txt can name.
func (p *plan) checkRobots(o ScrapeOptions) error {
	agent := o.RobotsUserAgent
	switch {
	case agent != "" && !o.ObeyRobots:
		return &OptionError{Field: "robotsUserAgent", Value: agent, Want: "unset without ObeyRobots"}
	case !robotstxt.Plausible(agent):
		want := fmt.Sprintf(`a product token ("winnow") or a User-Agent header that begins with one, at most %d bytes`, robotstxt.MaxAgent)
		return &OptionError{Field: "robotsUserAgent", Value: agent, Want: want}
	case o.ObeyRobots:
		p.RobotsAgent = cmp.Or(agent, DefaultRobotsAgent)
	}
	return nil
}

// DefaultRobotsAgent is the product token (RFC 9309 §2.2.1) that the engine looks itself
// up by in a robots.txt, where a request names no other.
const DefaultRobotsAgent = "winnow"
