package auth

import "strings"

// challenge is one of a WWW-Authenticate header: a scheme with either a token or parameters.
type challenge struct {
	scheme     string // in lower case
	token      string // base64
	parameters map[string]string
}

// maxChallenges bounds how many of a header are read.
const maxChallenges = 20

// parseChallenges reads WWW-Authenticate headers (RFC 9110 §11.6.1). What can't be read is left out.
func parseChallenges(headers []string) []challenge {
	var all []challenge
	for _, h := range headers {
		for _, part := range splitList(h) {
			name, rest, spaced := strings.Cut(part, " ")
			if key, value, ok := parameter(part); ok && len(all) > 0 && !(spaced && isParameter(rest)) {
				all[len(all)-1].parameters[key] = value
				continue
			}
			if len(all) == maxChallenges {
				return all
			}
			c := challenge{scheme: strings.ToLower(name), parameters: map[string]string{}}
			if key, value, ok := parameter(rest); ok {
				c.parameters[key] = value
			} else {
				c.token = strings.TrimSpace(rest)
			}
			all = append(all, c)
		}
	}
	return all
}

// splitList splits at the commas outside of quotes.
func splitList(s string) []string {
	var parts []string
	quoted, start := false, 0
	for i := 0; i < len(s); i++ {
		switch {
		case quoted && s[i] == '\\':
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			parts, start = append(parts, strings.TrimSpace(s[start:i])), i+1
		}
	}
	parts = append(parts, strings.TrimSpace(s[start:]))
	full := parts[:0]
	for _, p := range parts {
		if p != "" {
			full = append(full, p)
		}
	}
	return full
}

func isParameter(s string) bool {
	_, _, ok := parameter(s)
	return ok
}

// parameter reads name=value; base64 that ends in = is none.
func parameter(s string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(s, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || name == "" || strings.ContainsAny(name, " \t\"") || strings.Trim(value, "=") == "" {
		return "", "", false
	}
	return strings.ToLower(name), unquote(value), true
}

func unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
