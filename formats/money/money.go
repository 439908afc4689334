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

// longest bounds what Parse and Value look at, and Find of one price.
const longest = 200

// Parse reads the first price of a text, with or without a currency. lang is the language of
// the text (BCP 47), which tells what "$" and "kr" are; it may be empty. ok is false when there
// is no amount.
func Parse(text, lang string) (_ Price, ok bool) {
	if len(text) > longest {
		text = text[:longest]
	}
	list := find(text, lang, 1, false)
	if len(list) == 0 {
		return Price{}, false
	}
	return list[0], true
}

// Find gives the prices of a text that have a currency, in order, at most so many.
func Find(text, lang string, most int) []Price { return find(text, lang, most, true) }

// Value reads the amount of a page's data, where the dot is the decimal point whatever the
// language ("1299.00", "1.299" is less than two). What is no such number is read as Parse does.
func Value(text, lang string) (_ Price, ok bool) {
	text = strings.TrimSpace(text)
	if len(text) <= longest && plain.MatchString(text) {
		if f, err := strconv.ParseFloat(text, 64); err == nil && f < most {
			return Price{Amount: f}, true
		}
		return Price{}, false
	}
	return Parse(text, lang)
}

// Marked reads a value that stands beside the text that a reader sees in its place, as
// microdata has it: where both are the same text it is read as Parse does, else as Value does,
// and Formatted is the shown one where that is the same amount with a currency. shown may be
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

// most is far beyond any price.
const most = 1e15

var plain = regexp.MustCompile(`^[0-9]+(\.[0-9]*)?$`)

// number: groups of three behind spaces, or digits with any separators within.
const number = `[0-9]{1,3}(?:[ ][0-9]{3})+(?:[.,][0-9]{1,2})?|[0-9](?:[0-9.,'’]*[0-9])?`

var priced = regexp.MustCompile(`(` + signs() + `)?[ ]?(` + number + `)(?:[.,][-–—]+)?(?:[ ]?(` + signs() + `))?`)

func find(text, lang string, most int, withCurrency bool) []Price {
	text = normalise(text)
	var list []Price
	for len(list) < most {
		at := priced.FindStringSubmatchIndex(text)
		if at == nil {
			return list
		}
		p, end, ok := read(text, at, lang)
		if ok && (p.Currency != "" || !withCurrency) {
			list = append(list, p)
		}
		text = text[end:]
	}
	return list
}

// read makes a price of a match. end is where to look for the next.
func read(text string, at []int, lang string) (p Price, end int, ok bool) {
	start, end := at[4], at[5]
	if before, currency := at[2], ""; before >= 0 && apart(text, at[2], at[3]) {
		if currency = currencyOf(text[at[2]:at[3]], lang); currency != "" {
			p.Currency, start = currency, before
		}
	}
	if tail := at[1]; at[6] < 0 {
		end = tail
	}
	if p.Currency == "" && at[6] >= 0 && apart(text, at[6], at[7]) {
		if p.Currency = currencyOf(text[at[6]:at[7]], lang); p.Currency != "" {
			end = at[7]
		}
	}
	p.Amount, ok = amount(text[at[4]:at[5]], p.Currency)
	p.Formatted = strings.TrimSpace(text[start:end])
	return p, end, ok
}

// apart tells whether a sign stands for itself: letters next to it make it part of a word.
func apart(text string, from, to int) bool {
	first, _ := utf8.DecodeRuneInString(text[from:to])
	last, _ := utf8.DecodeLastRuneInString(text[from:to])
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !(unicode.IsLetter(first) && unicode.IsLetter(before)) && !(unicode.IsLetter(last) && unicode.IsLetter(after))
}

// normalise gives ASCII digits and spaces.
func normalise(s string) string {
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
