package robots

import "strings"

// anyone is the token of the group for robots without one of their own.
const anyone = "*"

// tokenOfLine is the product token that the value of a user-agent line names, in lower case: its first word up to a
// version. "" when it names none.
func tokenOfLine(value string) string {
	if value == anyone || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		return anyone
	}
	return product(value)
}

// tokenOfAgent is the product token of a robot, in lower case, "" when there is none; then only the group for
// anyone applies. A text with a version or comment is a User-Agent header: its first product is
// taken, or what follows "compatible;" behind a browser's name. Every other text is the token itself, as a whole.
func tokenOfAgent(agent string) string {
	agent = trim(agent)
	if !strings.ContainsAny(agent, "/(") {
		if token := product(agent); len(token) == len(agent) {
			return token
		}
		return ""
	}
	token := product(agent)
	if token != "mozilla" {
		return token
	}
	if _, behind, ok := strings.Cut(strings.ToLower(agent), "compatible;"); ok {
		if robot := product(trim(behind)); robot != "" {
			return robot
		}
	}
	return token
}

// product is the product token that s begins with, in lower case. Beside the letters, "-" and "_" of RFC 9309,
// digits and dots count as part of a name: robots are called so.
func product(s string) string {
	end := 0
	for end < len(s) && isTokenByte(lower(s[end])) {
		end++
	}
	return strings.ToLower(s[:end])
}

func isTokenByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
}
