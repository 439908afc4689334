// Package dates reads dates as pages spell them.
package dates

import (
	"strconv"
	"strings"
	"time"
)

// Dates as pages write them, and which parts are known: the day, the time of day, the offset from UTC.
const (
	isoDay    = "2006-01-02"
	isoMoment = "2006-01-02T15:04:05"
)

var (
	zonedLayouts = []string{
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04-0700", "2006-01-02T15:04:05-07",
		"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 Z07:00", "2006-01-02 15:04:05-0700", "2006-01-02 15:04Z07:00",
		"2006-01-02 15:04:05 MST", "20060102T150405Z07:00",
		time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "Mon Jan 02 2006 15:04:05 GMT-0700",
		"Mon Jan _2 15:04:05 MST 2006",
	}
	momentLayouts = []string{
		"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006/01/02 15:04:05", "2006/01/02 15:04", "20060102T150405",
		"02.01.2006 15:04", "02.01.2006, 15:04", "January 2, 2006 15:04", "January 2, 2006 3:04 PM", "January 2, 2006 at 3:04 PM", "Jan 2, 2006 3:04 PM",
	}
	dayLayouts = []string{
		"2006-1-2", "2006/1/2", "2006.1.2", "20060102", "2.1.2006", "January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006", "2 January 2006", "2 Jan 2006",
		"Monday, January 2, 2006", "Monday, 2 January 2006", "Mon, January 2, 2006", "Mon, Jan 2, 2006", "Jan. 2, 2006", "2006年1月2日",
	}
)

// longDate is the most bytes of a text that is tried as a date.
const longDate = 60

// ISO reads a date in one of the usual spellings and returns it in ISO 8601 (RFC 3339 where the offset is known), as precise as it was;
// one that already has that form stays as it is. It is "" for all else, for a date with digits whose order is ambiguous, and for
// years that no page is from.
func ISO(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < len("20060102") || len(s) > longDate {
		return ""
	}
	if i := strings.IndexByte(s, '('); i > 0 { // (Central European Time)
		s = strings.TrimSpace(s[:i])
	}
	if t, ok := unixTime(s); ok {
		return t
	}
	if t, ok := parseDate(s, zonedLayouts); ok {
		if _, err := time.Parse(time.RFC3339, s); err == nil {
			return s
		}
		return t.Format(time.RFC3339)
	}
	if t, ok := parseDate(s, momentLayouts); ok {
		return t.Format(isoMoment)
	}
	if t, ok := parseDate(s, dayLayouts); ok {
		return t.Format(isoDay)
	}
	return slashDate(s)
}

func parseDate(s string, layouts []string) (time.Time, bool) {
	for _, layout := range layouts {
		if startsWithDigit(layout) != startsWithDigit(s) {
			continue // a failed attempt costs an error value
		}
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1900 && t.Year() < 2200 {
			return t, true
		}
	}
	return time.Time{}, false
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// unixTime reads seconds or milliseconds since 1970, of 2001 to 2286.
func unixTime(s string) (string, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
		return "", false
	case len(s) == len("1000000000"):
		return time.Unix(n, 0).UTC().Format(time.RFC3339), true
	case len(s) == len("1000000000000"):
		return time.UnixMilli(n).UTC().Format(time.RFC3339), true
	}
	return "", false
}

// slashDate reads 31/12/2006 and 12/31/2006, where the day is recognizable by being over 12.
func slashDate(s string) string {
	a, rest, _ := strings.Cut(s, "/")
	b, _, _ := strings.Cut(rest, "/")
	layout := ""
	switch x, y := atoi(a), atoi(b); {
	case x > 12 || x == y:
		layout = "2/1/2006"
	case y > 12:
		layout = "1/2/2006"
	}
	if t, ok := parseDate(s, []string{layout}); ok && layout != "" {
		return t.Format(isoDay)
	}
	return ""
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
