package search

import (
	"fmt"
	"strings"
	"time"
)

// Period is a span of time that ends now: the letter after "qdr:".
type Period string

// The periods.
const (
	Hour  Period = "h"
	Day   Period = "d"
	Week  Period = "w"
	Month Period = "m"
	Year  Period = "y"
)

// Span restricts results by their date. The zero value means all dates, the best results first.
type Span struct {
	// Past period; empty: none.
	Past Period
	// From and To are the first and the last day, as midnights in UTC; zero: open.
	From, To time.Time
	// ByDate puts the newest first.
	ByDate bool
}

// ParseSpan parses a tbs parameter: "qdr:" with one of h, d, w, m, y; "cdr:1" with "cd_min:" and
// "cd_max:", each MM/DD/YYYY, one of which may be missing; "sbd:1"; joined with commas. The error is
// an [*OptionError].
func ParseSpan(tbs string) (Span, error) {
	var s Span
	custom := false
	if strings.TrimSpace(tbs) == "" {
		return s, nil
	}
	for part := range strings.SplitSeq(tbs, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), ":")
		ok := true
		switch name {
		case "qdr":
			s.Past = Period(value)
			ok = !s.since(time.Now()).IsZero()
		case "cdr":
			custom, ok = true, value == "1"
		case "cd_min":
			s.From, ok = parseDay(value)
		case "cd_max":
			s.To, ok = parseDay(value)
		case "sbd":
			s.ByDate, ok = value == "1", value == "0" || value == "1"
		default:
			ok = false
		}
		if !ok {
			return Span{}, badSpan(tbs)
		}
	}
	dated := !s.From.IsZero() || !s.To.IsZero()
	if custom != dated || dated && s.Past != "" || !s.To.IsZero() && s.To.Before(s.From) {
		return Span{}, badSpan(tbs)
	}
	return s, nil
}

func badSpan(tbs string) error {
	return &OptionError{Field: "tbs", Value: tbs, Want: "qdr:h, d, w, m or y, or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY in order, and sbd:1, joined with commas"}
}

func parseDay(text string) (time.Time, bool) {
	t, err := time.Parse("1/2/2006", text)
	return t, err == nil
}

// String returns the tbs parameter that ParseSpan parses to s; empty for the zero value.
func (s Span) String() string {
	var parts []string
	if s.Past != "" {
		parts = append(parts, "qdr:"+string(s.Past))
	}
	if !s.From.IsZero() || !s.To.IsZero() {
		parts = append(parts, "cdr:1")
	}
	for _, end := range []struct {
		name string
		day  time.Time
	}{{"cd_min", s.From}, {"cd_max", s.To}} {
		if !end.day.IsZero() {
			parts = append(parts, fmt.Sprintf("%s:%s", end.name, end.day.Format("01/02/2006")))
		}
	}
	if s.ByDate {
		parts = append(parts, "sbd:1")
	}
	return strings.Join(parts, ",")
}

// Bounds returns the limits of a date, from inclusive, to exclusive; zero: open.
func (s Span) Bounds(now time.Time) (from, to time.Time) {
	if s.Past != "" {
		return s.since(now), time.Time{}
	}
	if !s.To.IsZero() {
		to = s.To.AddDate(0, 0, 1)
	}
	return s.From, to
}

// since returns when the past period began; zero for an unknown one.
func (s Span) since(now time.Time) time.Time {
	switch s.Past {
	case Hour:
		return now.Add(-time.Hour)
	case Day:
		return now.AddDate(0, 0, -1)
	case Week:
		return now.AddDate(0, 0, -7)
	case Month:
		return now.AddDate(0, -1, 0)
	case Year:
		return now.AddDate(-1, 0, 0)
	}
	return time.Time{}
}
