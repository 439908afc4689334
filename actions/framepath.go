package actions

import "strings"

// frameMark stands between a frame and what is inside it. No selector of CSS has it.
const frameMark = ">>>"

// FramePath splits a selector into those of the frames on the way and, last, that of the element:
//
//	iframe.checkout >>> #card iframe >>> input[name=number]
//
// Each part but the last finds the first frame element that matches in the document before it. A selector without a path
// is one part. A part that is empty is no selector.
func FramePath(selector string) []string {
	if !strings.Contains(selector, frameMark) {
		return []string{selector}
	}
	parts := strings.Split(selector, frameMark)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}
