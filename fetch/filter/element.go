package filter

import "strings"

// element is a hiding rule: hide what the selector finds on some pages, or, as an
// exception, don't.
type element struct {
	selector string
	domains  domainList
	except   bool
}

// parseElement reads a hiding rule that was cut at its mark.
func parseElement(domains, body string, except bool) (element, Reason) {
	e := element{selector: strings.TrimSpace(body), except: except}
	if why := foreignHiding(e.selector); why != "" {
		return e, why
	}
	if !safeSelector(e.selector) {
		return e, BadSelector
	}
	if domains == "" || domains == "*" {
		return e, ""
	}
	var why Reason
	e.domains, why = parseDomains(domains, ",")
	return e, why
}

// foreignHiding recognizes what looks like a selector and is something else.
func foreignHiding(selector string) Reason {
	switch {
	case strings.HasPrefix(selector, "+js("):
		return Scriptlet
	case strings.HasPrefix(selector, "^"):
		return MarkupRule
	case strings.Contains(selector, ":style("):
		return StyleRule
	}
	for _, word := range extendedWords {
		if strings.Contains(selector, word) {
			return ExtendedHiding
		}
	}
	return ""
}

// extendedWords are pseudo-classes that filter lists know and browsers do not.
var extendedWords = []string{
	":-abp-", "[-abp-", "[-ext-", ":has-text(", ":contains(", ":if(", ":if-not(", ":matches-attr(", ":matches-css(",
	":matches-css-after(", ":matches-css-before(", ":matches-media(", ":matches-path(", ":matches-prop(",
	":matches-property(", ":min-text-length(", ":nth-ancestor(", ":others(", ":remove(", ":remove-attr(",
	":remove-class(", ":shadow(", ":upward(", ":watch-attr(", ":watch-attrs(", ":xpath(",
}
