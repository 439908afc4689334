package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/winnow-go/winnow/crawl/robots"
)

// obey waits until a URL's robots.txt is known, within ctx, and gives nil where that
// allows the URL: else a [CodeRobots] or, where the file can't be had in time, a
// [CodeRobotsUnreachable] error.
func (r *robotsFiles) obey(ctx context.Context, href, agent, proxy string) error {
	for {
		file, err := r.fileVia(ctx, href, proxy)
		if err == nil {
			return disallowed(file, agent, href)
		}
		later, ok := errors.AsType[*robotsError](err)
		if !ok || later.Next.IsZero() {
			return err
		}
		wait := later.Next.Sub(r.engine.now())
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
			return err
		}
		if err := r.sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// disallowed is nil or a [CodeRobots] error with the line that decides.
func disallowed(file *robots.File, agent, href string) error {
	if file.Allowed(agent, href) {
		return nil
	}
	cause := fmt.Errorf("the site's robots.txt forbids it to %s", agent)
	if line, ok := file.Rule(agent, href); ok {
		cause = fmt.Errorf("%w: %s", cause, line)
	}
	return &Error{Code: CodeRobots, Err: cause}
}

// pause waits, or gives the cause of ctx's end.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// longestRobotsAgent is room for any User-Agent header.
const longestRobotsAgent = 256

// checkRobots refuses an agent that no robots.txt can name.
func (p *plan) checkRobots(o ScrapeOptions) error {
	agent := o.RobotsUserAgent
	switch {
	case agent != "" && !o.ObeyRobots:
		return &OptionError{Field: "robotsUserAgent", Value: agent, Want: "unset without ObeyRobots"}
	case !plausibleAgent(agent):
		return &OptionError{Field: "robotsUserAgent", Value: agent, Want: fmt.Sprintf(`a product token ("winnow") or a User-Agent header that begins with one, at most %d bytes`, longestRobotsAgent)}
	case o.ObeyRobots:
		p.robotsAgent = orDefault(agent, DefaultRobotsAgent)
	}
	return nil
}

// plausibleAgent accepts "", a product token, and a header that begins with one.
func plausibleAgent(agent string) bool {
	if len(agent) > longestRobotsAgent || strings.ContainsFunc(agent, func(c rune) bool { return c < ' ' || c > '~' }) {
		return false
	}
	const token = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	name := agent
	if end := strings.IndexAny(agent, "/("); end >= 0 {
		name = strings.TrimSpace(agent[:end])
	}
	return agent == "" || name != "" && strings.Trim(strings.ToLower(name), token) == ""
}

// obey asks robots.txt about a URL that is about to be fetched, or was redirected to.
func (s *scrape) obey(ctx context.Context, href string) error {
	if s.plan.robotsAgent == "" {
		return nil
	}
	if s.robots == nil {
		s.robots = s.engine.robotsFor(s.plan.noRetention)
	}
	return s.step("robots", func() (string, error) {
		return "", s.robots.obey(ctx, href, s.plan.robotsAgent, s.proxy)
	})
}

// robotsFor gives the files to ask: the engine's, or, where nothing may be remembered,
// some that are dropped with the request.
func (e *Engine) robotsFor(noRetention bool) *robotsFiles {
	if !noRetention {
		return e.robots
	}
	own := newRobotsFiles(e)
	own.sleep = e.robots.sleep
	return own
}
