package noise

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

var (
	timeOfDay = regexp.MustCompile(`(?i)(\d{1,2})[:h](\d{2})(?::(\d{2})(?:\.\d+)?)?(?:\s?([ap])\.?m\.?)?(?:\s?(?:uhr|utc|gmt|z|[ce]e?s?t|[ep][sd]t|bst|ist|jst))?`)
	countdown = regexp.MustCompile(`(?i)(?:(?:ends?|starts?|closes?|expires?|begins?|noch)(?:\s+in)?\s*:?\s*)((?:\d+\s?d(?:ays?)?\s*)?)(\d{1,2})(?::|\s?h\s?)(\d{2})(?:(?::|\s?m\s?)(\d{2})\s?s?)?` +
		`|((?:\d+\s?d(?:ays?)?\s*)?)(\d{1,2})(?::|\s?h\s?)(\d{2})(?:(?::|\s?m\s?)(\d{2})\s?s?)?\s+(?:left|remaining|to\s+go)`)
	copyright = regexp.MustCompile(`(?i)((?:©|\(c\)|copyright)[^.\d]{0,30}(?:\d{4}\s?[-–]\s?)?)(20\d\d)`)
	duration  = regexp.MustCompile(`(?i)(?:generated|rendered|loaded|served|created|found|took|results?|erzeugt|geladen)\s*(?:in|:)?\s*\(?(\d+(?:[.,]\d+)?)\s?(?:milliseconds|ms|seconds|secs?|sekunden|s)`)

	// clockLabel stands before a time or date that is that of the check.
	clockLabel = regexp.MustCompile(`(?i)(?:^` + opening + relativeSign + closing + `(?:\sis)?|today(?:\sis|['’]s\sdate)?|current\s(?:date|time)(?:\sand\stime)?|(?:local|server|system)\s(?:time|date)|time\snow|it\sis(?:\snow)?|now|as\sof|` +
		`(?:last\s|page\s|data\s|prices\s)?(?:updated|update|generated|rendered|retrieved|refreshed|refresh|checked|loaded|accessed|sync(?:ed)?)|stand|aktualisiert|zuletzt\saktualisiert|heute(?:\sist)?|` +
		`abgerufen|mis(?:e)?\sà\sjour|nous\ssommes|il\sest|actualizado|actualizada|actualización|hoy\ses|aggiornato|oggi\sè|atualizado|bijgewerkt|обновлено|сейчас|更新)` +
		`(?:\sis)?(?:\s(?:on|at|am|um|vom|le|el|il|em|op|à))?[\s:,–—-]*[*_]*$`)
	// dateLabel stands before dates that are content.
	dateLabel = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:publish|posted|veröffentlicht|publi|event|deadline|expire|due|until|till|starts?|begins?|ends?|from|since|released?|apply|closes?|on\ssale|date|opens?|` +
		`arriv|depart|bis|ab|seit|jusqu|hasta|entro|fällig)\pL*(?:\s(?:on|by|at|am|le|el))?[\s:*_]*$`)
)

// clocks masks what moves with the time of the check.
func (m *masker) clocks(text string) string {
	if !m.digits {
		return text
	}
	if m.open&durationGate != 0 {
		text = m.each(text, duration, func(string, []int) (mark, bool) { return mark{rule: "clock/duration"}, true })
	}
	if m.open&countdownGate != 0 {
		text = m.each(text, countdown, m.countdownMark)
	}
	if lower := strings.ToLower(text); containsAny(lower, copyrightSigns) {
		text = m.copyright(text)
	}
	for _, d := range dateForms {
		if d.needs != 0 && m.open&d.needs == 0 || d.signs != "" && !strings.ContainsAny(text, d.signs) {
			continue
		}
		text = m.each(text, d.pattern, func(part string, at []int) (mark, bool) {
			days := d.read(part, at)
			return mark{rule: "clock/date"}, m.isCheckDay(days) && m.ofCheck(text, part, at[0], at[1])
		})
	}
	if !strings.ContainsAny(text, ":hH") {
		return text
	}
	return m.each(text, timeOfDay, func(part string, at []int) (mark, bool) {
		return m.timeMark(text, part, at)
	})
}

var copyrightSigns = []string{"©", "(c)", "copyright"}

// copyright masks the year of a notice that is that of the check, or the one before.
func (m *masker) copyright(text string) string {
	return m.each(text, copyright, func(part string, at []int) (mark, bool) {
		age := m.version.Seen.Year() - atoi(part[at[4]:at[5]])
		return mark{rule: "clock/year"}, m.version.Seen.IsZero() || age == 0 || age == 1
	})
}

// timeMark is the mark of a time of day that is that of the check.
func (m *masker) timeMark(text, part string, at []int) (mark, bool) {
	hour, minute := atoi(part[at[2]:at[3]]), atoi(part[at[4]:at[5]])
	if hour > 23 || minute > 59 {
		return mark{}, false
	}
	k := mark{rule: "clock/time"}
	if m.kind == tracking.Paragraph && bare(text, part[at[0]:at[1]]) {
		k = m.ahead(hour, minute, strings.EqualFold(group(part, at, 4), "p"))
		return k, !k.moment.IsZero()
	}
	return k, m.ofCheck(text, part, at[0], at[1])
}

// ahead is the mark of a time of day that stands alone. What it means is how far it is ahead of the check: that stays, where it moves
// with it.
func (m *masker) ahead(hour, minute int, afternoon bool) mark {
	k := mark{rule: "clock/time", slack: 10 * time.Minute}
	if seen := m.version.Seen; !seen.IsZero() {
		if afternoon && hour < 12 {
			hour += 12
		}
		gap := time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute - seen.UTC().Sub(seen.UTC().Truncate(day))
		k.moment = time.Unix(0, 0).Add((gap + 2*day) % day)
	}
	return k
}

// ofCheck reports whether a date or time is that of the check by where it stands: behind a word that says so or a date of the check, or in
// a paragraph of its own.
func (m *masker) ofCheck(block, part string, start, end int) bool {
	before := tail(block[:max(strings.Index(block, part), 0)] + part[:start])
	if dateLabel.MatchString(before) {
		return false
	}
	if clockLabel.MatchString(withoutTime(before)) && !goesOnAsRange(part[end:]) {
		return true
	}
	last := strings.TrimRight(before, " ,|·–—-")
	if strings.HasSuffix(last, "clock/date"+closing) || strings.HasSuffix(last, "clock/time"+closing) {
		return true
	}
	return m.kind == tracking.Paragraph && bare(segmentAt(block, strings.Index(block, part)+start), part[start:end])
}

// withoutTime is what stands before a time of day that a date follows: “as of 12:30, 26 November”.
func withoutTime(before string) string {
	all := timeOfDay.FindAllStringIndex(before, -1)
	if len(all) == 0 || strings.Trim(before[all[len(all)-1][1]:], " ,·") != "" {
		return before
	}
	return before[:all[len(all)-1][0]]
}

// goesOnAsRange reports a time that is the beginning of an interval, as opening hours are.
func goesOnAsRange(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "–") || strings.HasPrefix(rest, "to ") || strings.HasPrefix(rest, "bis ")
}

var marked = regexp.MustCompile(opening + `[^` + closing + `]*` + closing)

// bare reports a block that holds nothing but a date or time, and marks.
func bare(block, text string) bool {
	rest := marked.ReplaceAllString(strings.Replace(block, text, "", 1), "")
	for _, p := range []*regexp.Regexp{isoDate, dayFirst, monthDay, numbered, timeOfDay, weekdayAlone} {
		rest = p.ReplaceAllString(rest, "")
	}
	return strings.TrimLeft(rest, " ,.|·–—-*_•()") == ""
}

var weekdayAlone = regexp.MustCompile(`(?i)` + weekday)

// countdownMark is the mark of a countdown, which means a moment.
func (m *masker) countdownMark(part string, at []int) (mark, bool) {
	first := 2
	if at[6] < 0 {
		first = 10
	}
	value := func(group int) int {
		start := at[first+2*group]
		if start < 0 {
			return 0
		}
		n, _ := strconv.Atoi(strings.TrimRight(part[start:at[first+2*group+1]], " dayDAYs"))
		return n
	}
	k := mark{rule: "clock/countdown", slack: 15 * time.Minute}
	if !m.version.Seen.IsZero() {
		left := time.Duration(value(0)) * day
		for i, unit := range []time.Duration{time.Hour, time.Minute, time.Second} {
			left += time.Duration(value(i+1)) * unit
		}
		k.moment = m.version.Seen.Add(left)
	}
	return k, value(0) < 10_000
}

// isCheckDay reports whether one of several days is that of the check, or the day before or after it: the page may be in another zone.
func (m *masker) isCheckDay(days []time.Time) bool {
	return !m.version.Seen.IsZero() && m.near(days, day)
}

// near reports whether one of several days is no more than that from the day of the check.
func (m *masker) near(days []time.Time, apart time.Duration) bool {
	today := midday(m.version.Seen.UTC())
	for _, d := range days {
		if d.Year() == 0 {
			d = d.AddDate(nearestYear(d, today), 0, 0)
		}
		if d.Sub(today).Abs() <= max(apart, day) {
			return true
		}
	}
	return false
}
