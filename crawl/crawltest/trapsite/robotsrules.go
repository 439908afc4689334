package trapsite

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// robotsRules are the robots.txt of a host, and what it means. The zero value allows all.
type robotsRules struct {
	groups   []robotsGroup
	delay    time.Duration
	sitemaps []string // paths
	broken   int      // the status of every answer
	fails    bool     // there is no answer
}

// robotsGroup is the rules for one agent.
type robotsGroup struct {
	agent string // "*": all without a group of their own
	rules []robotsRule
}

type robotsRule struct {
	allow   bool
	pattern string // "*" is anything
	matches *regexp.Regexp
}

func allow(pattern string) robotsRule    { return robotsRule{true, pattern, robotsPattern(pattern)} }
func disallow(pattern string) robotsRule { return robotsRule{false, pattern, robotsPattern(pattern)} }

func robotsPattern(pattern string) *regexp.Regexp {
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*"))
}

func (r *robotsRules) serve(w http.ResponseWriter, origin string) {
	if r.fails {
		panic(http.ErrAbortHandler)
	}
	if r.broken != 0 {
		http.Error(w, "robots.txt can't be read now.", r.broken)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, r.text(origin))
}

func (r *robotsRules) text(origin string) string {
	var b strings.Builder
	b.WriteString("# Who may go where.\n")
	for _, g := range r.groups {
		fmt.Fprintf(&b, "User-agent: %s\n", g.agent)
		for _, rule := range g.rules {
			fmt.Fprintf(&b, "%s: %s\n", map[bool]string{true: "Allow", false: "Disallow"}[rule.allow], rule.pattern)
		}
		b.WriteString("\n")
	}
	if r.delay > 0 {
		fmt.Fprintf(&b, "User-agent: *\nCrawl-delay: %g\n\n", r.delay.Seconds())
	}
	for _, path := range r.sitemaps {
		fmt.Fprintf(&b, "Sitemap: %s%s\n", origin, path)
	}
	return b.String()
}

// admit reports whether an agent may request a path with its query. The longest rule counts; what can't be read forbids all.
func (r *robotsRules) admit(agent, path string) bool {
	if r.fails || r.broken != 0 {
		return false
	}
	longest, allowed := -1, true
	for _, rule := range r.rulesFor(agent) {
		if len(rule.pattern) > longest && rule.matches.MatchString(path) {
			longest, allowed = len(rule.pattern), rule.allow
		}
	}
	return allowed
}

func (r *robotsRules) rulesFor(agent string) (rules []robotsRule) {
	for _, g := range r.groups {
		if g.agent == agent {
			return g.rules
		}
		if g.agent == "*" {
			rules = g.rules
		}
	}
	return rules
}
