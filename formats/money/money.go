package money

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Price is an amount of money.
type Price struct {
	Amount float64 `json:"amount"`
	// Currency is an ISO 4217 code; "" when it isn't known.
	Currency string `json:"currency,omitempty"`
	// Formatted is the price as the page shows it; "" when it doesn't.
	Formatted string `json:"formatted,omitempty"`
}

// maxTextLen bounds what Parse and Value look at, and Find of one price.
const maxTextLen = 200

// Parse reads the first price of a text, with or without a currency. lang is the language of
// the text (BCP 47), which decides what "$" and "kr" are; it may be empty. ok is false when there
// is no amount.
func Parse(text, lang string) (_ Price, ok bool) {
	if len(text) > maxTextLen {
		text = text[:maxTextLen]
	}
	list := find(text, lang, 1, false)
	if len(list) == 0 {
		return Price{}, false
	}
	return list[0], true
}

// Find returns the prices of a text that have a currency, in order, at most limit.
func Find(text, lang string, limit int) []Price { return find(text, lang, limit, true) }

// Value reads the amount of a page's data, where the dot is the decimal point whatever the
// language ("1299.00", "1.299" is less than two). Text that is not such a number is read as Parse does.
func Value(text, lang string) (_ Price, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) <= maxTextLen && plain.MatchString(text) {
		if f, err := strconv.ParseFloat(text, 64); err == nil && f < maxAmount {
			return Price{Amount: f}, true
		}
		return Price{}, false
	}
	return Parse(text, lang)
}

// Marked reads a value that stands beside the text shown in its place, as in
// microdata: where both are the same text it is read as Parse does, else as Value does,
// and Formatted is the shown text if that has the same amount with a currency. shown may be
// empty.
func Marked(text, shown, lang string) (p Price, ok bool) {
	if shown != "" && shown == text {
		p, ok = Parse(text, lang)
	} else {
		p, ok = Value(text, lang)
	}
	p.Formatted = ""
	if s, readable := Parse(shown, lang); ok && readable && s.Amount == p.Amount && s.Currency != "" {
		p.Formatted = s.Formatted
		if p.Currency == "" {
			p.Currency = s.Currency
		}
	}
	return p, ok
}

// maxAmount is far beyond any price.
const maxAmount = 1e15

var plain = regexp.MustCompile(`^[0-9]+(\.[0-9]*)?$`)

// number: groups of three behind spaces, or digits with any separators within.
var number = regexp.MustCompile(`^(?:[0-9]{1,3}(?:[ ][0-9]{3})+(?:[.,][0-9]{1,2})?|[0-9](?:[0-9.,'’]*[0-9])?)`)

// dashes stand for "no cents".
var dashes = regexp.MustCompile(`^[.,][-–—]+`)

// maxNumberLen is far more than any price has, separators included.
const maxNumberLen = 60

func find(text, lang string, limit int, withCurrency bool) []Price {
	text = normalize(text)
	var list []Price
	for at := 0; len(list) < limit; {
		i := strings.IndexAny(text[at:], "0123456789")
		if i < 0 {
			return list
		}
		p, end, ok := read(text, at+i, lang)
		if ok && (p.Currency != "" || !withCurrency) {
			list = append(list, p)
		}
		at = end
	}
	return list
}

// read makes a price of the number at from. end is where to look for the next.
func read(text string, from int, lang string) (p Price, end int, ok bool) {
	digits := number.FindString(text[from:min(len(text), from+maxNumberLen)])
	start := from
	end = from + len(digits)
	shown := end
	if strings.HasPrefix(text[end:], ",") || strings.HasPrefix(text[end:], ".") {
		end += len(dashes.FindString(text[end:min(len(text), end+maxNumberLen)]))
		shown = end
	}
	if size, currency := signBefore(text[:from], lang); size > 0 {
		p.Currency, start = currency, from-size
	} else if size, currency := signAfter(text[end:], lang); size > 0 {
		p.Currency, end = currency, end+size
		shown = end
	}
	p.Amount, ok = amount(digits, p.Currency)
	p.Formatted = strings.TrimSpace(text[start:shown])
	return p, end, ok
}

// maxSignLen is in characters.
const maxSignLen = 5

// signBefore is the currency that a text ends with, and how many bytes it and a space take; 0
// for none.
func signBefore(text, lang string) (int, string) {
	trimmed := strings.TrimSuffix(text, " ")
	best, currency := 0, ""
	start := len(trimmed)
	for range maxSignLen {
		_, size := utf8.DecodeLastRuneInString(trimmed[:start])
		if start -= size; size == 0 {
			break
		}
		if code := currencyOf(trimmed[start:], lang); code != "" && !inWord(trimmed[:start], trimmed[start:]) {
			best, currency = len(text)-start, code
		}
	}
	return best, currency
}

// signAfter is likewise for what a text begins with.
func signAfter(text, lang string) (int, string) {
	trimmed := strings.TrimPrefix(text, " ")
	best, currency := 0, ""
	end := 0
	for range maxSignLen {
		_, size := utf8.DecodeRuneInString(trimmed[end:])
		if end += size; size == 0 {
			break
		}
		if code := currencyOf(trimmed[:end], lang); code != "" && !inWord(trimmed[:end], trimmed[end:]) {
			best, currency = len(text)-len(trimmed)+end, code
		}
	}
	return best, currency
}

// inWord reports whether two neighbors are one word: letters on both sides.
func inWord(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return unicode.IsLetter(last) && unicode.IsLetter(first)
}

// normalize gives ASCII digits and spaces.
func normalize(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case r == '\u00a0' || r == '\u202f' || r == '\u2009' || r == '\u2007':
			return ' '
		case r >= '０' && r <= '９':
			return r - '０' + '0'
		case r >= '٠' && r <= '٩':
			return r - '٠' + '0'
		case r >= '۰' && r <= '۹':
			return r - '۰' + '0'
		case r == '٫':
			return '.'
		case r == '٬' || r == '，':
			return ','
		case r == '．':
			return '.'
		case r == '￥':
			return '¥'
		case r == '＄':
			return '$'
		}
		return r
	}, s)
}
