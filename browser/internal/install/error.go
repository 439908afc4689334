package install

import "strings"

// Attempt is one attempt of an installation.
type Attempt struct {
	What string // for example "Chromium at /usr/bin/chromium"
	Why  string // why it could not be used
}

// Error reports that driver or browser is unavailable: all attempts, and shell lines that would fix it.
type Error struct {
	Missing string // "driver", "node", "browser" or "folder"
	Tried   []Attempt
	Fix     []string // shell lines, each an alternative
}

// Error has several lines: what is missing, each attempt, each fix.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("no usable " + e.Missing)
	for _, a := range e.Tried {
		b.WriteString("\n  tried " + a.What + ": " + a.Why)
	}
	for i, line := range e.Fix {
		if i == 0 {
			b.WriteString("\nany one of these fixes it:")
		}
		b.WriteString("\n  " + line)
	}
	return b.String()
}
