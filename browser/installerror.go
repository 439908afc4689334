package browser

import "strings"

// Attempt is one thing that an installation tried.
type Attempt struct {
	What string // for example "Chromium at /usr/bin/chromium"
	Why  string // why it could not be used
}

// InstallError says why driver or browser could not be had: everything that was tried, and shell lines that would mend it.
type InstallError struct {
	Missing string // "driver", "node", "browser" or "folder"
	Tried   []Attempt
	Mend    []string // shell lines, each a way of its own
}

// Error is several lines: what is missing, each attempt, each way to mend it.
func (e *InstallError) Error() string {
	var b strings.Builder
	b.WriteString("no usable " + e.Missing)
	for _, a := range e.Tried {
		b.WriteString("\n  tried " + a.What + ": " + a.Why)
	}
	for i, line := range e.Mend {
		if i == 0 {
			b.WriteString("\nany one of these mends it:")
		}
		b.WriteString("\n  " + line)
	}
	return b.String()
}
