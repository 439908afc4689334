package schedule

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/option"
)

// reading is what words mean: cron where it can say that, else an interval.
type reading struct {
	cron  string
	every time.Duration
}

var (
	intervalWords = regexp.MustCompile(`^every (?:(\d{1,6}) )?(minute|hour|day|week)s?$`)
	atWords       = regexp.MustCompile(`^(.*?)(?: at (.+))?$`)
	clockWords    = regexp.MustCompile(`^(\d{1,2})(?::(\d{2}))? ?(am|pm)?$`)
)

var units = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour}

// shorthands are other words for intervals and days.
var shorthands = map[string]string{
	"hourly": "every hour", "daily": "every day", "weekly": "every monday", "every week": "every monday", "monthly": "every month",
	"each day": "every day", "weekdays": "every weekday", "on weekdays": "every weekday", "weekends": "every weekend", "on weekends": "every weekend",
}

var days = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// read reads a schedule in words.
func read(text string) (reading, error) {
	words := strings.Join(strings.Fields(strings.ToLower(strings.TrimSuffix(strings.TrimSpace(text), "."))), " ")
	if r, ok := interval(words); len(text) <= maxText && ok {
		return r, nil
	}
	if r, ok := byDay(words); len(text) <= maxText && ok {
		return r, nil
	}
	return reading{}, &option.Error{
		Field: "schedule.text", Value: text[:min(len(text), maxText)],
		Want: `"every 30 minutes", "hourly", "every 2 hours", "daily at 9:00", "weekdays at 8:30", "every monday and friday at 6pm", "monthly" or cron`,
	}
}

// interval reads "every 30 minutes" and its like.
func interval(words string) (reading, bool) {
	if long, ok := shorthands[words]; ok {
		words = long
	}
	m := intervalWords.FindStringSubmatch(words)
	if m == nil {
		return reading{}, false
	}
	n := 1
	if m[1] != "" {
		n, _ = strconv.Atoi(m[1]) // at most six digits
	}
	switch unit := m[2]; {
	case n == 0:
		return reading{}, false
	case unit == "minute" && n < 60 && 60%n == 0:
		return reading{cron: step("*/%d * * * *", n)}, true
	case unit == "hour" && n < 24 && 24%n == 0:
		return reading{cron: step("0 */%d * * *", n)}, true
	case unit == "day" && n == 1:
		return reading{cron: "0 0 * * *"}, true
	default: // what is too long stays so, and is refused as such
		return reading{every: time.Duration(min(n, int(maxEvery/units[unit])+1)) * units[unit]}, true
	}
}

// step is a cron with a step; one of 1 is written as such.
func step(form string, n int) string {
	return strings.Replace(fmt.Sprintf(form, n), "*/1 ", "* ", 1)
}

// byDay reads "every monday and friday at 6pm" and its like.
func byDay(words string) (reading, bool) {
	m := atWords.FindStringSubmatch(words)
	clock, ok := clockOf(m[2])
	if !ok {
		return reading{}, false
	}
	on := m[1]
	if long, ok := shorthands[on]; ok {
		on = long
	}
	on = strings.TrimPrefix(strings.TrimPrefix(on, "weekly on "), "on ")
	switch on = strings.TrimPrefix(on, "every "); on {
	case "day":
		return reading{cron: clock + " * * *"}, true
	case "month":
		return reading{cron: clock + " 1 * *"}, true
	case "weekday":
		return reading{cron: clock + " * * 1-5"}, true
	case "weekend":
		return reading{cron: clock + " * * 0,6"}, true
	}
	list, ok := daysOf(on)
	return reading{cron: clock + " * * " + list}, ok
}

// daysOf reads "monday, wednesday and friday".
func daysOf(words string) (string, bool) {
	var list []string
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(words, " and ", ","), func(r rune) bool { return r == ',' || r == ' ' }) {
		word = strings.TrimSuffix(word, "s")
		i := slices.IndexFunc(days, func(day string) bool { return len(word) >= 3 && strings.HasPrefix(day, word) })
		if i < 0 {
			return "", false
		}
		if day := strconv.Itoa(i); !slices.Contains(list, day) {
			list = append(list, day)
		}
	}
	slices.Sort(list)
	return strings.Join(list, ","), len(list) > 0
}

// clockOf reads "9:00", "6pm", "noon" as minute and hour of cron; "" is midnight.
func clockOf(words string) (string, bool) {
	switch words {
	case "", "midnight":
		return "0 0", true
	case "noon":
		return "0 12", true
	}
	m := clockWords.FindStringSubmatch(words)
	if m == nil {
		return "", false
	}
	hour, _ := strconv.Atoi(m[1]) // digits
	minute, _ := strconv.Atoi(m[2])
	if m[3] != "" {
		if hour < 1 || hour > 12 {
			return "", false
		}
		hour %= 12
	}
	if m[3] == "pm" {
		hour += 12
	}
	return fmt.Sprintf("%d %d", minute, hour), hour < 24 && minute < 60
}
