package noise

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// monthNames are those of the twelve months in several languages, as beginnings in lower case.
var monthNames = [12][]string{
	{"jan", "januar", "janvier", "janv", "enero", "ene", "gennaio", "gen", "janeiro", "januari", "января"},
	{"feb", "februar", "février", "févr", "febrero", "febbraio", "fevereiro", "fev", "februari", "февраля"},
	{"mar", "märz", "mrz", "mars", "marzo", "março", "maart", "марта"},
	{"apr", "avril", "avr", "abril", "abr", "aprile", "апреля"},
	{"may", "mai", "mayo", "maggio", "mag", "maio", "mei", "мая"},
	{"jun", "juni", "juin", "junio", "giugno", "giu", "junho", "июня"},
	{"jul", "juli", "juillet", "juil", "julio", "luglio", "lug", "julho", "июля"},
	{"aug", "august", "août", "agosto", "ago", "augustus", "августа"},
	{"sep", "sept", "september", "septembre", "septiembre", "settembre", "set", "setembro", "сентября"},
	{"oct", "okt", "oktober", "octobre", "octubre", "ottobre", "ott", "outubro", "out", "октября"},
	{"nov", "november", "novembre", "noviembre", "novembro", "ноября"},
	{"dec", "dez", "dezember", "décembre", "déc", "diciembre", "dic", "dicembre", "dezembro", "december", "декабря"},
}

var english = strings.Fields("january february march april may june july august september october november december")

const weekday = `(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|` +
	`jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)`

// dates are the ways to write a day: year-month-day, day month year, month day year, and with numbers alone.
var (
	isoDate  = regexp.MustCompile(`(\d{4})-(\d{1,2})-(\d{1,2})`)
	dayFirst = regexp.MustCompile(`(?i)(?:` + weekday + `,?\s+)?(?:(?:the|le|el|den|der)\s+)?(\d{1,2})(?:\.|st|nd|rd|th|º|er)?\s+(?:de\s+|of\s+)?(\pL{3,10})\.?(?:,?\s+(?:de\s+)?(\d{4}))?`)
	monthDay = regexp.MustCompile(`(?i)(?:` + weekday + `,?\s+)?(\pL{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?`)
	numbered = regexp.MustCompile(`(\d{1,2})([./])(\d{1,2})[./](\d{4})`)
)

// nearestYear is the year in which a day without one is nearest to another.
func nearestYear(d, today time.Time) int {
	year := today.Year()
	switch months := int(d.Month()) - int(today.Month()); {
	case months > 6:
		return year - 1
	case months < -6:
		return year + 1
	}
	return year
}

// dateForms read the days that a match may mean: where year or order aren't written, several.
var dateForms = []struct {
	pattern *regexp.Regexp
	needs   gate
	signs   string // of which one stands in it
	read    func(part string, at []int) []time.Time
}{
	{isoDate, 0, "-", func(part string, at []int) []time.Time {
		return date(part[at[2]:at[3]], atoi(part[at[4]:at[5]]), part[at[6]:at[7]])
	}},
	{dayFirst, monthGate, "", func(part string, at []int) []time.Time {
		return date(group(part, at, 3), month(part[at[4]:at[5]]), part[at[2]:at[3]])
	}},
	{monthDay, monthGate, "", func(part string, at []int) []time.Time {
		return date(group(part, at, 3), month(part[at[2]:at[3]]), part[at[4]:at[5]])
	}},
	{numbered, 0, "./", func(part string, at []int) []time.Time {
		first, second, year := part[at[2]:at[3]], part[at[6]:at[7]], part[at[8]:at[9]]
		days := date(year, atoi(second), first)
		if part[at[4]:at[5]] == "/" {
			days = append(days, date(year, atoi(first), second)...)
		}
		return days
	}},
}

func group(part string, at []int, n int) string {
	if at[2*n] < 0 {
		return ""
	}
	return part[at[2*n]:at[2*n+1]]
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// month is the number of a month by its name, 0 for other words.
func month(name string) int {
	name = strings.ToLower(name)
	for i, names := range monthNames {
		if name == english[i] {
			return i + 1
		}
		for _, n := range names {
			if name == n {
				return i + 1
			}
		}
	}
	return 0
}

// date is a day at noon; none where it isn't one. Its year is 0 where that isn't written.
func date(year string, month int, dayOfMonth string) []time.Time {
	d := atoi(dayOfMonth)
	if month < 1 || month > 12 || d < 1 || d > 31 {
		return nil
	}
	return []time.Time{time.Date(atoi(year), time.Month(month), d, 12, 0, 0, 0, time.UTC)}
}
