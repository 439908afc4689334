package filter

import (
	_ "embed"
	"strings"
)

// builtinText has the built-in hosts: one in a line, and behind it, as "~page",
// the hosts of the owner's other sites, where it is needed for the page to work.
//
//go:embed builtin.txt
var builtinText string

// addBuiltin takes the built-in hosts as rules for third parties.
func (b *builder) addBuiltin() {
	report := Report{Skipped: map[Reason]int{}}
	for line := range strings.Lines(builtinText) {
		if rule := builtinRule(line); rule != "" {
			b.addLine(&report, rule, false)
		}
	}
}

// builtinRule writes a line of builtin.txt as a rule, "" for a comment.
func builtinRule(line string) string {
	line, _, _ = strings.Cut(line, "#")
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return ""
	}
	rule := "||" + fields[0] + "^$third-party"
	if pages := fields[1:]; len(pages) > 0 {
		rule += ",domain=" + strings.Join(pages, "|")
	}
	return rule
}
