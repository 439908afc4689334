package traps

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// maxWords bounds the words of an address that its texts are freed of.
const maxWords = 200

// addressWords are the words that an address is made of. A text that only repeats these says nothing of its own.
func addressWords(href string) map[string]bool {
	words := map[string]bool{}
	plain, err := url.PathUnescape(href)
	if err != nil {
		plain = href
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(plain), notInWord) {
		if len(words) == maxWords {
			break
		}
		words[word] = true
		words[strings.TrimLeft(word, "0")] = true // 2027/03 is the third month
	}
	return words
}

// sessionNames are parameters, of the query or of the path, that hold a visitor's session.
var sessionNames = strings.Fields("sid sessid sessionid session session_id phpsessid jsessionid aspsessionid cfid cftoken zenid oscsid osclsid")

// sessions are the values of such parameters: a text that repeats one is the same text.
func sessions(href string) (values []string) {
	for pair := range strings.FieldsFuncSeq(href, func(r rune) bool { return strings.ContainsRune("?&;#", r) }) {
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && slices.Contains(sessionNames, strings.ToLower(name)) {
			values = append(values, value)
		}
	}
	return values
}

// holds reports a word that holds one of the values.
func holds(word string, values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return strings.Contains(word, v) })
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// ownWords are the words of a block in lower case, without those of the address and, of a calendar, those of dates. Of such words and
// numbers alone there are none.
func ownWords(block string, said map[string]bool, calendar bool) (own []string) {
	only := true
	for word := range strings.FieldsSeq(strings.ToLower(block)) {
		bare := strings.TrimFunc(word, notInWord)
		if bare == "" || calendar && isDateWord(bare) || allSaid(bare, said) {
			continue
		}
		own = append(own, bare)
		only = only && strings.Trim(bare, "0123456789") == ""
	}
	if only {
		return nil
	}
	return own
}

// allSaid reports a word that is made of words of the address, such as /a/b/.
func allSaid(word string, said map[string]bool) bool {
	if said[word] {
		return true
	}
	for part := range strings.FieldsFuncSeq(word, notInWord) {
		if !said[part] {
			return false
		}
	}
	return true
}

// notFound are the beginnings and texts by which a title or a heading says that there is no page.
var notFound = strings.Split("not found|404|no such page|page doesn't exist|page does not exist|page doesn’t exist|no longer available|"+
	"seite nicht gefunden|nicht gefunden|page introuvable|página no encontrada|pagina non trovata|pagina niet gevonden|не найдена", "|")

// saysNotFound reports a short text that says that there is no page.
func saysNotFound(block string) bool {
	if len(block) > 100 {
		return false
	}
	block = strings.ToLower(block)
	for _, text := range notFound {
		if strings.Contains(block, text) {
			return true
		}
	}
	return false
}
