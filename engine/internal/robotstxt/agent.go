package robotstxt

import "strings"

// MaxAgent is room for any User-Agent header, in bytes.
const MaxAgent = 256

// Plausible accepts an agent that a robots.txt can name: "", a product token, and a header that begins with one.
func Plausible(agent string) bool {
	if len(agent) > MaxAgent || strings.ContainsFunc(agent, func(c rune) bool { return c < ' ' || c > '~' }) {
		return false
	}
	const token = "abcdefghijklmnopqrstuvwxyz0123456789-_."
	name := agent
	if end := strings.IndexAny(agent, "/("); end >= 0 {
		name = strings.TrimSpace(agent[:end])
	}
	return agent == "" || name != "" && strings.Trim(strings.ToLower(name), token) == ""
}
