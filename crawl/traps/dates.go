package traps

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const dated = "{date}"

var (
	isoDate = regexp.MustCompile(`^\d{4}-(\d{1,2}(-\d{1,2})?|[Ww]\d{1,2})$`)
	// timeOfDay and the like stand in texts.
	timeOfDay = regexp.MustCompile(`^(\d{4}-\d{1,2}(-\d{1,2})?(t[\d:.]+z?)?|\d{1,2}:\d{2}(:\d{2})?([.]\d+)?|\d{1,2}[./]\d{1,2}[./]\d{2,4})$`)
)

// Names of months and days, which are written out or by their first three letters, and of parameters that hold dates.
var (
	monthNames = strings.Fields("january february march april may june july august september october november december")
	dayNames   = strings.Fields("monday tuesday wednesday thursday friday saturday sunday")
	dateNames  = strings.Fields("date day month year week ym ymd")
)

// calendar is the pattern of an address with a date in it: a year and a month, or a date in one part, or such parameters.
func (a *address) calendar() string {
	parts, inPath := datedParts(a.parts)
	names, inQuery := a.datedQuery()
	if !inPath && !inQuery {
		return ""
	}
	name := a.host + "/" + strings.Join(parts, "/")
	if len(names) > 0 {
		name += "?" + strings.Join(names, "&")
	}
	return name
}

// datedParts puts {date} in place of the first date; what follows on it is one pattern.
func datedParts(parts []string) ([]string, bool) {
	for at, part := range parts {
		n := dateLength(parts[at:])
		if n == 0 && (!strings.Contains(part, "-") || !isoDate.MatchString(part)) {
			continue
		}
		out := append(slices.Clone(parts[:at]), dated)
		if at+max(n, 1) < len(parts) {
			out = append(out, "*")
		}
		return out, true
	}
	return parts, false
}

// dateLength is how many parts at the beginning are a year, its month and a day.
func dateLength(parts []string) int {
	if len(parts) < 2 || !isYear(parts[0]) || !isUpTo(parts[1], 12) && !isMonth(parts[1]) {
		return 0
	}
	if len(parts) > 2 && isUpTo(parts[2], 31) {
		return 3
	}
	return 2
}

// datedQuery are the names of the parameters, those with dates as one.
func (a *address) datedQuery() (names []string, found bool) {
	for name, values := range a.query {
		value := strings.ToLower(strings.Join(values, ","))
		switch {
		case isoDate.MatchString(value), slices.Contains(dateNames, strings.ToLower(name)) && hasDigits(value):
			found = true
		default:
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if found {
		names = append([]string{dated}, names...)
	}
	return names, found
}

// nearYear reports the years that calendars show beside their own.
func nearYear(s string) bool {
	return isYear(s) && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

func isYear(s string) bool { return len(s) == 4 && isNumber(s) }

// isUpTo reports a number of one or two digits from 1 to last.
func isUpTo(s string, last int) bool {
	n, err := strconv.Atoi(s)
	return err == nil && len(s) <= 2 && n >= 1 && n <= last && isNumber(s)
}

func isMonth(word string) bool { return named(monthNames, word) }

// named reports one of the names, whole or as its first three letters.
func named(names []string, word string) bool {
	word = strings.ToLower(strings.TrimSuffix(word, "."))
	return slices.ContainsFunc(names, func(n string) bool { return word == n || word == n[:3] })
}

// isDateWord reports a word that only says when, in lower case: a month, a weekday, a time, a number of a day or year.
func isDateWord(word string) bool {
	return isMonth(word) || named(dayNames, word) || timeOfDay.MatchString(word) || isUpTo(word, 31) || nearYear(word)
}

func hasDigits(s string) bool { return strings.ContainsAny(s, "0123456789") }
