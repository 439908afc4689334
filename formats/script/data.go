package script

import "bytes"

// isData reports a script that only holds data, as those with which servers hand pages their state: window.__STATE__ = {…}, or a push of
// it. It calls nothing else and sets nothing that a page shows, so that there is nothing to read in it. What stands outside of its
// strings decides.
func isData(source []byte) bool {
	word := -1 // where an identifier begins
	for i := 0; i < len(source); i++ {
		c := source[i]
		if isWordByte(c) {
			if word < 0 {
				word = i
			}
			continue
		}
		if word >= 0 && acts[string(source[word:i])] {
			return false
		}
		switch {
		case c == '"' || c == '\'':
			end := stringEnd(source, i)
			if end < 0 {
				return false
			}
			i = end
		case c == '(' && !isPush(source, word, i), bytes.IndexByte([]byte("`/\\<>+?#@%^~*"), c) >= 0:
			return false
		}
		word = -1
	}
	return word < 0 || !acts[string(source[word:])]
}

// acts are words of code, beside those of contentProperties, which data has only as strings.
var acts = func() map[string]bool {
	set := words(`function class new return if for while await import export eval location href src onload onclick onerror`)
	for name := range contentProperties {
		set[name] = true
	}
	return set
}()

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= 0x80
}

// isPush reports a parenthesis that begins a call of push, or that groups.
func isPush(source []byte, word, at int) bool {
	if word < 0 {
		before := bytes.TrimRight(source[:at], " \t\r\n")
		return len(before) == 0 || bytes.IndexByte([]byte("=(,;:["), before[len(before)-1]) >= 0
	}
	return string(source[word:at]) == "push"
}

// stringEnd is where the string that begins at i ends; -1 for none.
func stringEnd(source []byte, i int) int {
	quote := source[i]
	for i++; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case quote:
			return i
		case '\n':
			return -1
		}
	}
	return -1
}
