package pagefile

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Head is how a page's file begins: what the page is, in YAML.
func Head(title, href string) string {
	return fmt.Sprintf("---\ntitle: %s\nurl: %s\n---\n\n", quote(title), quote(href))
}

// quote makes a JSON string of s, which YAML reads as well.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always can
	return strings.TrimSuffix(b.String(), "\n")
}
