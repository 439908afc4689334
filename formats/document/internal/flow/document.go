package flow

import (
	"strings"
	"time"
)

// Document is a reader's result.
type Document struct {
	Body     []byte // the content of a body element
	Meta     Meta
	Slides   int // of presentations
	Warnings []string
}

// Meta is a file's description of itself. Any field may be empty.
type Meta struct {
	Title, Author, Subject, Language, Producer string
	Authors                                    []string // each, where the file lists them; Author is all of them
	Keywords                                   []string
	Created, Modified                          time.Time
}

// Warn adds a sentence once.
func (d *Document) Warn(sentence string) {
	for _, w := range d.Warnings {
		if w == sentence {
			return
		}
	}
	d.Warnings = append(d.Warnings, sentence)
}

// SplitKeywords takes a list of keywords apart at commas or semicolons.
func SplitKeywords(s string) []string {
	var out []string
	for _, k := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ';' }) {
		if k = strings.TrimSpace(k); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// timeLayouts are the forms that dates in files take.
var timeLayouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", "2006-01", "2006",
	time.RFC1123Z, time.RFC1123, time.RFC822Z, time.RFC822,
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 MST",
}

// ParseTime reads a date as files write them (RFC 3339 and its shorter forms, RFC 822 and its successors); zero when it is none.
func ParseTime(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
