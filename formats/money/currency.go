package money

import (
	"cmp"
	"strings"
)

// bySign are the currencies of signs that belong to one, or mostly mean one.
var bySign = map[string]string{
	"€": "EUR", "£": "GBP", "$": "USD", "¥": "JPY", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "₪": "ILS", "฿": "THB", "₫": "VND", "₴": "UAH",
	"₦": "NGN", "₱": "PHP", "₡": "CRC", "₲": "PYG", "₸": "KZT", "₾": "GEL", "₵": "GHS", "円": "JPY", "元": "CNY", "원": "KRW",
	"US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL",
	"kr": "SEK", "kr.": "DKK", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "RON", "лв": "BGN", "лв.": "BGN", "руб": "RUB", "руб.": "RUB", "грн": "UAH",
	"TL": "TRY", "Fr.": "CHF", "Rs": "INR", "Rs.": "INR", "Rp": "IDR", "RM": "MYR", "R": "ZAR", "din.": "RSD", "€uro": "EUR", "Euro": "EUR", "euros": "EUR",
}

// byLanguage are the currencies that a sign has where a language is spoken; the longer tag
// counts first.
var byLanguage = map[string]map[string]string{
	"$":  {"en-ca": "CAD", "fr-ca": "CAD", "en-au": "AUD", "en-nz": "NZD", "en-sg": "SGD", "en-hk": "HKD", "zh-hk": "HKD", "zh-tw": "TWD", "es-mx": "MXN", "es-ar": "ARS", "es-cl": "CLP", "es-co": "COP"},
	"kr": {"sv": "SEK", "da": "DKK", "nb": "NOK", "nn": "NOK", "no": "NOK", "is": "ISK"},
	"¥":  {"ja": "JPY", "zh": "CNY"},
	"Rs": {"ur": "PKR", "en-pk": "PKR", "en-lk": "LKR", "si": "LKR", "ne": "NPR", "en-mu": "MUR"},
	"R":  {"pt": "BRL"},
}

// codes are the ISO 4217 codes that prices are written with.
var codes = func() map[string]bool {
	m := map[string]bool{}
	for _, code := range strings.Fields(`
		AED ALL AMD ARS AUD AZN BAM BDT BGN BHD BOB BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP ETB EUR
		GBP GEL GHS GTQ HKD HNL HUF IDR ILS INR IQD ISK JMD JOD JPY KES KRW KWD KZT LBP LKR LYD MAD MDL MKD MMK
		MUR MXN MYR NGN NIO NOK NPR NZD OMR PAB PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TND TRY TTD
		TWD TZS UAH UGX USD UYU UZS VND XAF XOF ZAR`) {
		m[code] = true
	}
	return m
}()

// Currency is the ISO 4217 code of a sign or code as pages write it, "" when it is none. lang
// may be empty.
func Currency(s, lang string) string {
	s = strings.TrimSpace(s)
	if code := strings.ToUpper(s); codes[code] {
		return code
	}
	return currencyOf(s, lang)
}

func currencyOf(sign, lang string) string {
	code, known := bySign[sign]
	switch {
	case !known && codes[sign]:
		return sign
	case !known:
		return ""
	}
	local := byLanguage[strings.TrimSuffix(sign, ".")]
	if local == nil {
		return code
	}
	lang = strings.ToLower(strings.ReplaceAll(lang, "_", "-"))
	short, _, _ := strings.Cut(lang, "-")
	return cmp.Or(local[lang], local[short], code)
}
