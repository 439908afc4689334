package actions

import "strings"

// frameMark stands between a frame and what is inside it. No selector of CSS has it outside quotes.
const frameMark = ">>>"

// FramePath splits a selector into those of the frames on the way and, last, that of the element:
//
//	iframe.checkout >>> #card iframe >>> input[name=number]
//
// Each part but the last finds the first element that matches in the document before it: a frame, or one with an open shadow
// tree, in which the next part is looked for. A selector without a path is one part. A part that is empty is no selector.
func FramePath(selector string) []string {
	parts, rest := []string(nil), selector
	for at := markIn(rest); at >= 0; at = markIn(rest) {
		parts = append(parts, strings.TrimSpace(rest[:at]))
		rest = rest[at+len(frameMark):]
	}
	if parts == nil {
		return []string{selector}
	}
	return append(parts, strings.TrimSpace(rest))
}

// markIn is the place of the first mark that isn't within quotes, -1 for none.
func markIn(selector string) int {
	quote := byte(0)
	for i := 0; i < len(selector); i++ {
		switch c := selector[i]; {
		case c == '\\':
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && strings.HasPrefix(selector[i:], frameMark):
			return i
		}
	}
	return -1
}
