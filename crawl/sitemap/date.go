package sitemap

import (
	"strings"
	"time"
)

const maxDate = 64 // bytes; no form of a date is longer

// w3cLayouts are the precisions of the W3C note on dates and times (a profile of ISO 8601), the usual ones first, then
// what is often written instead: no zone, a zone without colon, digits left out. Fractions of seconds fit all of them.
var w3cLayouts = [...]string{
	time.RFC3339, time.DateOnly,
	"2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z0700", "2006-01-02T15:04:05Z07", "2006-01-02T15:04Z07",
	"2006-01", "2006", "2006-1-2", "2006-1-2T15:4:5Z07:00", "2006-1-2T15:4:5",
}

// rfc822Layouts are the dates of RSS, after rfc822 has put them in one form.
var rfc822Layouts = [...]string{
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04 -0700", "2 Jan 06 15:04:05 -0700", "2 Jan 06 15:04 -0700",
	"2 Jan 2006 15:04:05 -07:00", "2 Jan 2006", "2 Jan 06",
}

// parseTime reads a date of any sitemap or feed; without a zone it is UTC. The first second of the
// year 1, which programs write for none, is the zero time.
func parseTime(s string) (time.Time, bool) {
	if len(s) < 4 || len(s) > maxDate {
		return time.Time{}, false
	}
	layouts, text := w3cLayouts[:], ""
	if len(s) == 4 || s[4] == '-' || s[4] == '/' {
		text = w3c(s)
	} else {
		layouts, text = rfc822Layouts[:], rfc822(s)
	}
	for _, layout := range layouts {
		// UTC as the place: else the machine's own zone would give names of zones their meaning.
		if t, err := time.ParseInLocation(layout, text, time.UTC); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// w3c writes a date as the note does: a T before the time, no blanks, Z for UTC.
func w3c(s string) string {
	s = strings.ToUpper(s)
	if date, clock, ok := strings.Cut(s, " "); ok && !strings.Contains(date, "T") {
		s = date + "T" + clock
	}
	s = strings.ReplaceAll(s, " ", "")
	for _, zone := range []string{"UTC", "GMT"} {
		if rest, ok := strings.CutSuffix(s, zone); ok {
			s = rest + "Z"
		}
	}
	return strings.ReplaceAll(s, "/", "-")
}

// rfc822 writes a date without its day of the week, the month in three letters, the zone in digits.
func rfc822(s string) string {
	if _, rest, ok := strings.Cut(s, ","); ok {
		s = rest
	}
	words := strings.Fields(s)
	if len(words) > 0 && isLetter(words[0][0]) {
		words = words[1:] // a weekday without its comma
	}
	if len(words) < 3 {
		return s
	}
	words[1] = words[1][:min(len(words[1]), 3)]
	if len(words) == 4 {
		words = append(words, "+0000")
	}
	if len(words) == 5 && isLetter(words[4][0]) {
		words[4] = zoneOffset(words[4])
	}
	return strings.Join(words, " ")
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// zoneOffset knows the names of RFC 822; others, the military letters too, mean UTC as RFC 2822 has it.
func zoneOffset(name string) string {
	switch name = strings.ToUpper(name); name {
	case "EST", "CDT":
		return "-0500"
	case "EDT":
		return "-0400"
	case "CST", "MDT":
		return "-0600"
	case "MST", "PDT":
		return "-0700"
	case "PST":
		return "-0800"
	}
	if offset := strings.TrimLeft(name, "GMTUC"); offset != "" && (offset[0] == '+' || offset[0] == '-') {
		return offset
	}
	return "+0000"
}
