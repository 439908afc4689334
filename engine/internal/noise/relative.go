package noise

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

const day = 24 * time.Hour

// units are the beginnings of the names of units of time, the longer before the shorter.
var units = []struct {
	length time.Duration
	words  string
}{
	{time.Second, `seconds? secs? sekunden? secondes? segundos? secondi seconden секунд[аы]? sekund[ay]? sekunder saniye 秒 초`},
	{time.Minute, `minutes? mins? minuten? minutos? minuti minuut минут[аы]? minut[ay]? minuter minutter dakika 分钟 分鐘 分 분`},
	{time.Hour, `hours? hrs? stunden? std\.? heures? horas? ore ora uur uren час(?:а|ов)? godzin[ay]? godz\.? timmar timer saat 小时 小時 時間 시간`},
	{7 * day, `weeks? wks? wochen? semaines? semanas? settimane? weken недел[яьию] tygodni tygodnie tydzień veckor uger hafta 週間 周 주`},
	{30 * day, `months? monate?n? mois meses mês mes mesi mese maanden maand месяц(?:а|ев)? miesięcy miesiące miesiąc månader måneder か月 ヶ月 个月 個月 개월`},
	{365 * day, `years? yrs? jahre?n? années? años? anni anno anos? jaar jaren года? лет lat år yıl 年 년`},
	{day, `days? tage?n? jours? días? dias? giorni giorno dagen dag дн(?:я|ей) день dni dzień dagar dage gün 日 天 일`},
}

// count is a pattern for how many.
const count = `(\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|few|a\sfew|several|eine?[mnr]?|zwei|drei|vier|fünf|sechs|une?|un[ao]?|uma?|dos|deux)`

var numerals = map[string]int{
	"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "few": 3, "a few": 3, "several": 3, "zwei": 2,
	"drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "dos": 2, "deux": 2,
}

// relativeRule is a way to say a time that is relative to the check. Its pattern has a count and a unit as submatches.
type relativeRule struct {
	pattern *regexp.Regexp
	needs   []string // one of which stands in every text that matches
	sign    int      // +1: to come
}

var unitPattern = `(` + unitWords() + `)`

func unitWords() string {
	var all []string
	for _, u := range units {
		all = append(all, anyOf(u.words))
	}
	return strings.Join(all, "|")
}

// more is what a second unit adds, which doesn't count: "2 hours and 5 minutes ago".
var more = `(?:[,\s]+(?:and\s|und\s|et\s|y\s)?\d+\s?` + "(?:" + unitWords() + `))*`

func relative(sign int, needs, before, after string) relativeRule {
	roughly := `(?:(?:about|over|almost|nearly|less\sthan|more\sthan|around|etwa|ungefähr|environ|casi|circa|~)\s*)?`
	pattern := regexp.MustCompile(`(?i)` + before + roughly + count + `\s*` + unitPattern + more + after)
	pattern.Longest() // of units, one is the beginning of another
	return relativeRule{pattern, strings.Fields(needs), sign}
}

var relativeRules = []relativeRule{
	relative(-1, "ago", ``, `\s+ago`),
	relative(-1, "vor", `vor\s+`, ``),
	relative(-1, "a", `il\s+y\s+a\s+`, ``),
	relative(-1, "hace", `hace\s+`, ``),
	relative(-1, "fa", ``, `\s+fa`),
	relative(-1, "há atrás", `há\s+`, `(?:\s+atrás)?`),
	relative(-1, "geleden", ``, `\s+geleden`),
	relative(-1, "назад", ``, `\s+назад`),
	relative(-1, "temu", ``, `\s+temu`),
	relative(-1, "sedan siden", `(?:för\s+)?`, `\s+(?:sedan|siden)`),
	relative(-1, "önce", ``, `\s+önce`),
	relative(-1, "前", ``, `前`),
	relative(-1, "전", ``, `\s*전`),
	relative(+1, "in", `in\s+`, ``),
	relative(+1, "left remaining", ``, `\s+(?:left|remaining)(?:\s+to\s+\pL+)?`),
	relative(+1, "noch", `noch\s+`, ``),
	relative(+1, "dans", `dans\s+`, ``),
	relative(+1, "en", `en\s+`, ``),
	relative(+1, "через", `через\s+`, ``),
}

// delivery stands before how long something takes, which is no countdown.
var delivery = regexp.MustCompile(`(?i)(?:ships?|shipping|delivery|delivered|deliver|dispatch(?:ed)?|lieferung|lieferzeit|lieferbar|livraison|livré|entrega|envío|consegna|` +
	`done|finished|ready|expire[sd]?|cancel)\pL*\s*:?\s*$`)

// relativeWords are single words, with the days that they are away.
var relativeWords = []struct {
	pattern *regexp.Regexp
	days    int
	now     bool // a moment ago
}{
	{regexp.MustCompile(`(?i)(?:just\snow|moments\sago|a\smoment\sago|seconds\sago|gerade\seben|à\sl['’]instant|ahora\smismo|proprio\sora|agora\smesmo|zojuist|только\sчто|たった今|刚刚|방금)`), 0, true},
	{regexp.MustCompile(`(?i)(?:day\sbefore\syesterday|vorgestern|avant-hier|anteayer|позавчера|一昨日|前天)`), -2, false},
	{regexp.MustCompile(`(?i)(?:yesterday|gestern|hier|ayer|ieri|ontem|gisteren|вчера|wczoraj|igår|i\sgår|dün|昨日|昨天|어제)`), -1, false},
	{regexp.MustCompile(`(?i)(?:today|heute|aujourd['’]hui|hoy|oggi|hoje|vandaag|сегодня|dzisiaj|idag|i\sdag|bugün|今日|今天|오늘)`), 0, false},
	{regexp.MustCompile(`(?i)(?:tomorrow|morgen|demain|mañana|domani|amanhã|завтра|jutro|imorgon|yarın|明日|明天|내일)`), 1, false},
}

// short are times without words, as under posts: "3h", "2 d". They stand alone, or between dots.
var short = regexp.MustCompile(`(?:^|[·•(]\s*|\s-\s)((\d{1,3})\s?(s|m|min|h|hr|d|w|wk|mo|y|yr))(?:$|\s*[·•)])`)

var shortUnits = map[string]time.Duration{
	"s": time.Second, "m": time.Minute, "min": time.Minute, "h": time.Hour, "hr": time.Hour, "d": day, "w": 7 * day, "wk": 7 * day, "mo": 30 * day,
	"y": 365 * day, "yr": 365 * day,
}

// relatives masks times that are relative to the check.
func (m *masker) relatives(text string) string {
	lower := strings.ToLower(text)
	for _, r := range relativeRules {
		if m.open&unitGate != 0 && containsAny(lower, r.needs) {
			text = m.each(text, r.pattern, func(part string, at []int) (mark, bool) {
				k, ok := m.ago(r.sign, strings.ToLower(part[at[2]:at[3]]), strings.ToLower(part[at[4]:at[5]]))
				return k, ok && !(r.sign > 0 && delivery.MatchString(tail(part[:at[0]])))
			})
		}
	}
	if !m.prose && m.open&dayGate != 0 {
		text = m.relativeDays(text)
	}
	if m.kind == tracking.Row || !m.digits {
		return text
	}
	return m.each(text, short, func(part string, at []int) (mark, bool) {
		k, ok := m.ago(-1, part[at[4]:at[5]], part[at[6]:at[7]])
		return k, ok && !strings.ContainsAny(part[:at[2]], "€$£")
	})
}

// relativeDays masks words such as “yesterday” in short texts.
func (m *masker) relativeDays(text string) string {
	for _, w := range relativeWords {
		text = m.each(text, w.pattern, func(string, []int) (mark, bool) {
			k := mark{rule: ruleOfSign(w.days), slack: day * 3 / 4}
			if seen := m.version.Seen; !seen.IsZero() {
				k.moment = midday(seen).AddDate(0, 0, w.days)
			}
			if w.now {
				k.moment = m.version.Seen
			}
			return k, true
		})
	}
	return text
}

func midday(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC)
}

func ruleOfSign(sign int) string {
	if sign > 0 {
		return "relative/future"
	}
	return "relative/past"
}

// ago is the mark of so many units.
func (m *masker) ago(sign int, howMany, unit string) (mark, bool) {
	n, err := strconv.Atoi(howMany)
	if err != nil {
		if n = numerals[howMany]; n == 0 {
			n = 1
		}
	}
	length := unitLength(unit)
	if length == 0 || n > 10_000 {
		return mark{}, false
	}
	k := mark{rule: ruleOfSign(sign), slack: length * 11 / 20}
	if length < day {
		k.slack += time.Hour / 2
	}
	if !m.version.Seen.IsZero() {
		k.moment = m.version.Seen.Add(time.Duration(sign*n) * length)
	}
	return k, true
}

var unitPatterns = compileUnits()

func compileUnits() (list []*regexp.Regexp) {
	for _, u := range units {
		list = append(list, regexp.MustCompile(`(?i)^(?:`+anyOf(u.words)+`)$`))
	}
	return list
}

func unitLength(word string) time.Duration {
	for i, p := range unitPatterns {
		if p.MatchString(word) {
			return units[i].length
		}
	}
	return shortUnits[word]
}

func containsAny(text string, words []string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// sameMoment reports whether two marks can mean one moment; also where that isn't known.
func sameMoment(a, b mark) bool {
	if a.moment.IsZero() || b.moment.IsZero() {
		return true
	}
	return a.moment.Sub(b.moment).Abs() <= a.slack+b.slack
}
