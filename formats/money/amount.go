package money

import (
	"strconv"
	"strings"
)

// thousandths are the currencies with three decimals.
var thousandths = map[string]bool{"BHD": true, "IQD": true, "JOD": true, "KWD": true, "LYD": true, "OMR": true, "TND": true}

var (
	noGaps  = strings.NewReplacer(" ", "", "'", "", "’", "")
	noMarks = strings.NewReplacer(".", "", ",", "")
)

// amount reads digits with separators. Of a dot and a comma the last is the decimal mark. One
// that stands alone is it too, unless three digits follow, as they do in groups; of "0" and of
// currencies with three decimals no group is made.
func amount(s, currency string) (float64, bool) {
	s = noGaps.Replace(s)
	mark := strings.LastIndexAny(s, ".,")
	whole, rest := s, ""
	if mark >= 0 && isDecimal(s, mark, currency) {
		whole, rest = s[:mark], s[mark+1:]
	}
	digits := noMarks.Replace(whole)
	if digits == "" || len(digits) > 15 || len(rest) > 15 {
		return 0, false
	}
	if rest != "" {
		digits += "." + rest
	}
	f, err := strconv.ParseFloat(digits, 64)
	return f, err == nil
}

func isDecimal(s string, mark int, currency string) bool {
	other := map[byte]string{'.': ",", ',': "."}[s[mark]]
	if strings.Contains(s[:mark], other) {
		return true
	}
	if strings.IndexByte(s[:mark], s[mark]) >= 0 {
		return false
	}
	return len(s)-mark-1 != 3 || thousandths[currency] || strings.Trim(s[:mark], "0") == ""
}
