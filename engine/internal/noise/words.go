package noise

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inside reports a place between two characters of one word. Scripts that write without spaces have no such places.
func inside(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return at > 0 && at < len(text) && inWord(before) && inWord(after) && !unspaced(before) && !unspaced(after)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

func runeLength(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return max(n, 1)
}

// anyOf is a pattern for one of several words. They are given apart by spaces; "_" stands for a space in one.
func anyOf(words string) string {
	list := strings.Fields(words)
	for i, w := range list {
		list[i] = strings.ReplaceAll(w, "_", `\s`)
	}
	return "(?:" + strings.Join(list, "|") + ")"
}

// number is a pattern for a number as counters have it: "1,234", "1.2k", "3 Mio.".
const number = `(?:\d{1,3}(?:[.,'’ \x{a0}\x{202f}]\d{3})+|\d+(?:[.,]\d+)?)(?:\s?(?:k|m|mn|bn|b|mln|tsd\.?|mio\.?|тыс\.?|万|千|億|亿|만|천))?\+?`

var (
	guardBefore = regexp.MustCompile(`(?i)(?:[€$£¥₹₽₩]|\b(?:usd|eur|gbp|chf|jpy|kr|rs|v|ver|version|release|build|rev|phone|tel|fax|call|room|no|nr|` +
		`price|preis|prix|precio|prezzo|only|nur|noch|just|from|ab|isbn|sku|age|size|chapter|section|level|step|page|of)\.?:?)\s*$|[.\-/#+:,]$|\bv$|\($`)
	guardAfter = regexp.MustCompile(`(?i)^\s*(?:[€$£¥₹₽₩%°‰]|(?:usd|eur|gbp|chf|jpy|kr|zł|dollars?|euros?|percent|prozent|pct|[kmgt]i?b|[kmgt]?hz|[kmcµn]?m|` +
		`km/h|mph|kg|g|mg|lbs?|oz|l|ml|w|kwh?|mw|v|px|pt|ms|s|min|sec|h|hrs?|hours?|days?|weeks?|months?|years?|inch(?:es)?|ft|miles?|` +
		`stars?|left|remaining|in\sstock|available|lieferbar|auf\slager|verfügbar|vorrätig|en\sstock|disponibles?|disponibili|restantes?)(?:[^\pL]|$))|` +
		`^[.\-/:,]\d|^x\d`)
	preciousBefore = regexp.MustCompile(`(?i)(?:[€$£¥₹₽₩]|\b(?:usd|eur|gbp|chf|jpy|kr|v|ver|version|release|build|rev|phone|tel|fax|call|` +
		`price|preis|prix|precio|prezzo|isbn|sku)\.?:?)\s*$|\bv$|\d[.\-/]$`)
	preciousAfter = regexp.MustCompile(`(?i)^\s*(?:[€$£¥₹₽₩%‰]|(?:usd|eur|gbp|chf|jpy|kr|zł|dollars?|euros?|percent|prozent|pct|[kmgt]i?b|[kmgt]?hz|` +
		`[kmcµn]?m|km/h|mph|kg|g|mg|lbs?|oz|l|ml|w|kwh?|mw|v|px|pt|inch(?:es)?|ft|miles?|stars?|left|remaining|in\sstock|available|lieferbar|auf\slager|verfügbar|vorrätig|en\sstock|disponibles?|disponibili|restantes?)(?:[^\pL]|$))|^[.\-/]\d`)
	hoursBefore = regexp.MustCompile(`(?i)\d\s?h\s?$`) // "5h 10m"
	guardWords  = regexp.MustCompile(`(?i)(?:[€$£¥₹₽₩]\s?\d|\d\s?(?:[€£¥₹₽₩%]|usd|eur|gbp|chf)|(?:^|[^\pL])(?:price|preis|prix|precio|prezzo|cost|fee|salary|gehalt|` +
		`in\sstock|out\sof\sstock|sold\sout|stock|pre-?order|back-?order|available|unavailable|availability|auf\slager|ausverkauft|verfügbar|lieferbar|` +
		`en\sstock|rupture|épuisé|agotado|disponib\pL*|esaurito|version|release|deadline|expires?|due|closing|phone|tel|fax|telefon|isbn|sku)(?:[^\pL]|$))`)
)

// guarded reports a number that means something because of its neighbours: money, percent, a unit, a version, a place in a row.
func guarded(text string, start, end int) bool {
	return guardBefore.MatchString(tail(text[:start])) || guardAfter.MatchString(text[end:])
}

// precious reports a text with a price, the state of a stock, a version or a date that is content.
func precious(text string) bool { return guardWords.MatchString(text) }

// tail is the end of a text, as long as a label is.
func tail(text string) string {
	const longest = 60
	if len(text) > longest {
		text = text[len(text)-longest:]
	}
	return text
}
