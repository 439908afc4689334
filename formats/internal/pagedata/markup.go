package pagedata

import "strings"

// IsMarkup distinguishes HTML from text that happens to have a less-than sign.
func IsMarkup(s string) bool {
	for _, tag := range []string{"</p>", "</div>", "</li>", "</h2>", "</h3>", "</a>", "<br", "<p>", "</strong>", "</span>"} {
		if strings.Contains(s, tag) {
			return true
		}
	}
	return false
}

// WithoutTags is what stands between the tags, roughly: it is for counting.
func WithoutTags(s string) string {
	var b strings.Builder
	for s != "" {
		text, rest, _ := strings.Cut(s, "<")
		b.WriteString(text)
		b.WriteByte(' ')
		_, s, _ = strings.Cut(rest, ">")
	}
	return b.String()
}
