package read

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// supports reports whether a quote says what the leaf says: the same words, number or date.
func supports(quote string, n *node) bool {
	if f, ok := n.number(); ok {
		return saysNumber(quote, f)
	}
	s, ok := n.text()
	if !ok {
		return true // true and false: that there is a quote must do
	}
	return saysWords(quote, s) || saysDate(quote, s) || saysNumberText(quote, s)
}

// words reads text without case, punctuation, compatibility forms: words between single blanks.
func words(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKC.String(text) {
		if !unicode.In(r, unicode.L, unicode.N, unicode.M) {
			gap = gap || !unseen(r)
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func saysWords(quote, value string) bool {
	q, v := words(quote), words(value)
	if v == "" { // only signs: as they stand
		return strings.Contains(quote, strings.TrimSpace(value)) && strings.TrimSpace(value) != ""
	}
	if wordIndex(q, v) >= 0 {
		return true
	}
	tight := strings.ReplaceAll(v, " ", "") // "10kg" is "10 kg"
	return weight(tight) >= 5 && strings.Contains(strings.ReplaceAll(q, " ", ""), tight)
}

var (
	numberText = regexp.MustCompile(`\d{1,3}(?:[ \x{00a0}\x{202f}\x{2009}'’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*`)
	scaleText  = regexp.MustCompile(`^[ \x{00a0}\x{202f}-]?(%|\pL+)`)
)

// scales by the words that follow numbers.
var scales = map[string]float64{
	"%": 0.01, "percent": 0.01, "k": 1e3, "thousand": 1e3, "tsd": 1e3, "mille": 1e3, "mil": 1e3,
	"m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "millionen": 1e6, "millones": 1e6,
	"b": 1e9, "bn": 1e9, "mrd": 1e9, "billion": 1e9, "billions": 1e9, "milliarden": 1e9, "milliards": 1e9,
	"trillion": 1e12,
}

var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// saysNumber looks for a number in any of the ways of writing that it may have.
func saysNumber(quote string, value float64) bool {
	if value < 0 && !strings.ContainsAny(quote, "-−–(") {
		return false
	}
	value = math.Abs(value)
	if value < float64(len(numberWords)) && value == math.Trunc(value) &&
		slices.Contains(strings.Fields(words(quote)), numberWords[int(value)]) {
		return true
	}
	for _, at := range numberText.FindAllStringIndex(quote, -1) {
		scale := 1.0
		if m := scaleText.FindStringSubmatch(quote[at[1]:]); m != nil {
			scale = scales[strings.ToLower(m[1])]
		}
		for _, f := range readings(quote[at[0]:at[1]]) {
			if same(f, value) || scale != 0 && same(f*scale, value) {
				return true
			}
		}
	}
	return false
}

func same(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// readings are the numbers that digits with commas, dots and blanks can be.
func readings(text string) []float64 {
	groups := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == '\'' || r == '’' })
	var found []float64
	for _, s := range append(groups, strings.Join(groups, "")) {
		for _, plain := range decimals(s) {
			if f, err := strconv.ParseFloat(plain, 64); err == nil {
				found = append(found, f)
			}
		}
	}
	return found
}

// decimals reads commas and dots as thousands and as decimal marks, as far as each can be.
func decimals(s string) []string {
	none := strings.NewReplacer(",", "", ".", "").Replace(s)
	last := strings.LastIndexAny(s, ",.")
	if last < 0 {
		return []string{s}
	}
	marks := strings.Count(s, ",") + strings.Count(s, ".")
	decimal := strings.NewReplacer(",", "", ".", "").Replace(s[:last]) + "." + s[last+1:]
	switch {
	case strings.Count(s, s[last:last+1]) > 1: // 1,234,567
		return []string{none}
	case marks > 1 || len(s)-last-1 != 3: // 1.234,5 or 12.5
		return []string{decimal}
	}
	return []string{decimal, none} // 1,234
}

// saysNumberText compares a string that is a number with its unit or sign, such as "€ 49,00".
func saysNumberText(quote, value string) bool {
	at := numberText.FindAllStringIndex(value, -1)
	if len(at) != 1 || len(strings.Fields(words(value[:at[0][0]]+" "+value[at[0][1]:]))) > 1 {
		return false
	}
	unit := words(value[:at[0][0]] + value[at[0][1]:])
	if unit != "" && !saysWords(quote, unit) {
		return false
	}
	return slices.ContainsFunc(readings(value[at[0][0]:at[0][1]]), func(f float64) bool { return saysNumber(quote, f) })
}

// isoDate is how models are instructed to write dates (RFC 3339), with or without time.
var isoDate = regexp.MustCompile(`^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ].*)?$`)

// monthStems begin the names of months in some languages.
var monthStems = [12][]string{
	{"jan", "ene", "gen", "янв", "sty"}, {"feb", "fév", "fev", "фев", "lut"}, {"mar", "mär", "maa", "mrt", "мар"},
	{"apr", "avr", "abr", "апр", "kwi"}, {"may", "mai", "mag", "mei", "maj", "май", "мая"}, {"jun", "juin", "giu", "июн", "cze"},
	{"jul", "juil", "lug", "июл", "lip"}, {"aug", "aoû", "aou", "ago", "авг", "sie"}, {"sep", "set", "сен", "wrz"},
	{"oct", "okt", "ott", "out", "окт", "paź"}, {"nov", "ноя", "lis"}, {"dec", "dez", "déc", "dic", "дек", "gru"},
}

// saysDate compares the parts of an RFC 3339 date with the numbers and month names of a quote.
func saysDate(quote, value string) bool {
	m := isoDate.FindStringSubmatch(strings.TrimSpace(value))
	if m == nil {
		return false
	}
	month, _ := strconv.Atoi(m[2])
	if month < 1 || month > 12 {
		return false
	}
	numbers, names := dateParts(quote)
	if !slices.Contains(numbers, strings.TrimLeft(m[1], "0")) && !slices.Contains(numbers, strings.TrimLeft(m[1][2:], "0")) {
		return false
	}
	day := strings.TrimLeft(m[3], "0")
	if day != "" && !slices.Contains(numbers, day) {
		return false
	}
	if i := slices.Index(numbers, day); i >= 0 { // the day's number isn't the month's too
		numbers = slices.Delete(numbers, i, i+1)
	}
	return slices.Contains(numbers, strconv.Itoa(month)) || slices.ContainsFunc(names, func(name string) bool {
		return slices.ContainsFunc(monthStems[month-1], func(stem string) bool { return strings.HasPrefix(name, stem) })
	})
}

var datePart = regexp.MustCompile(`\d+|\pL+`)

// dateParts are the numbers without leading zeros, and the words.
func dateParts(quote string) (numbers, names []string) {
	for _, part := range datePart.FindAllString(strings.ToLower(norm.NFKC.String(quote)), -1) {
		if part[0] <= '9' {
			numbers = append(numbers, strings.TrimLeft(part, "0"))
		} else {
			names = append(names, part)
		}
	}
	return numbers, names
}
