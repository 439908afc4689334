package monitor

import (
	"fmt"
	"strings"
)

// Digest is a check in a few lines of text: what it has counted, and a line for each of the pages, which are those that aren't the same.
// name is the monitor's.
func Digest(name string, c *Check, pages []Page) string {
	var b strings.Builder
	s := c.Summary
	fmt.Fprintf(&b, "%s: %s\n%d of %d pages changed, %d new, %d removed, %d the same, %d failed.\n",
		name, c.Status, s.Changed, s.TotalPages, s.New, s.Removed, s.Same, s.Error)
	if c.Baseline {
		b.WriteString("This is the first check: later ones are compared with it.\n")
	}
	if c.Error != "" {
		fmt.Fprintf(&b, "%s\n", c.Error)
	}
	for _, p := range pages {
		if c.Baseline && p.Status == New {
			continue
		}
		fmt.Fprintf(&b, "- %s %s", p.Status, p.URL)
		if why := reasonOf(p); why != "" {
			fmt.Fprintf(&b, ": %s", why)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// maxReason bounds how much of a page's reason a digest has, in characters.
const maxReason = 200

func reasonOf(p Page) string {
	why := p.Error
	switch {
	case p.Judgment != nil && p.Judgment.Reason != "":
		why = p.Judgment.Reason
	case why == "" && p.Diff != nil:
		why = firstLines(p.Diff.Text)
	}
	if r := []rune(why); len(r) > maxReason {
		why = string(r[:maxReason]) + "…"
	}
	return why
}

// firstLines are the first line that is gone and the first that is new.
func firstLines(diff string) string {
	gone, added := "", ""
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "+++"):
		case gone == "" && strings.HasPrefix(line, "-") && len(line) > 1:
			gone = "-" + strings.TrimSpace(line[1:])
		case added == "" && strings.HasPrefix(line, "+") && len(line) > 1:
			added = "+" + strings.TrimSpace(line[1:])
		}
	}
	return strings.TrimSpace(gone + " " + added)
}
