package filter

import (
	"regexp"
	"strings"
)

// rule is one rule about requests.
type rule struct {
	text    string // as the list has it
	pattern pattern
	regex   *regexp.Regexp // what decides behind the pattern, if there is one
	size    int            // of regex
	options
	except bool
}

// options is what stands behind the $ of a rule.
type options struct {
	types     typeMask
	party     party
	matchCase bool
	important bool
	domains   domainList
}

// party restricts a rule to the pages of the same or of another site.
type party uint8

const (
	anyParty   party = iota
	thirdParty       // on pages of another site than the request's
	firstParty
)

// parseRule reads a line that is not a hiding rule.
func parseRule(line string) (*rule, Reason) {
	r := &rule{text: line}
	body, except := strings.CutPrefix(line, "@@")
	r.except = except
	body, opts := splitOptions(body)
	var why Reason
	if r.options, why = parseOptions(opts, except); why != "" {
		return nil, why
	}
	if why = r.parsePattern(body); why != "" {
		return nil, why
	}
	return r, ""
}

// parsePattern reads what stands before the options.
func (r *rule) parsePattern(body string) (why Reason) {
	if why = checkPattern(body); why != "" {
		return why
	}
	if isRegex(body) {
		return r.parseRegex(body)
	}
	if !r.matchCase {
		body = lowerASCII(body)
	}
	if r.pattern, why = parsePattern(body); why == "" && r.tooGeneral() {
		why = TooGeneral
	}
	return why
}

// splitOptions cuts a rule at the last $ that has options behind it; a $ that has
// not is a part of the pattern, as is one in a regular expression without options.
func splitOptions(body string) (pattern, opts string) {
	if isRegex(body) {
		return splitRegex(body)
	}
	at := strings.LastIndexByte(body, '$')
	if at < 0 || at == len(body)-1 {
		return body, ""
	}
	for opt := range strings.SplitSeq(body[at+1:], ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(opt), "=")
		if !isOptionName(strings.TrimPrefix(name, "~")) {
			return body, ""
		}
	}
	return body[:at], body[at+1:]
}

func isOptionName(name string) bool {
	for i := range len(name) {
		if !isAlnum(name[i]) && name[i] != '-' && name[i] != '_' {
			return false
		}
	}
	return name != ""
}

func checkPattern(body string) Reason {
	for i := range len(body) {
		if body[i] <= ' ' || body[i] == 0x7f {
			return Malformed
		}
	}
	if strings.Contains(body, "##") || strings.Contains(body, "#@#") { // a hiding rule's mark behind no domains
		return Malformed
	}
	if rest, ok := strings.CutPrefix(body, "||"); ok {
		if host, _, _ := strings.Cut(rest, "/"); !isASCII(host) {
			return International
		}
	}
	return ""
}

// tooGeneral refuses what would block nearly everything everywhere.
func (r *rule) tooGeneral() bool {
	return !r.except && !r.domains.named && r.pattern.literals() < 2
}

// wideHost returns the host that the rule blocks as a whole, whatever the type of
// the request, "" if there is none.
func (r *rule) wideHost() string {
	if r.types&defaultTypes != defaultTypes || !r.pattern.hostWide() {
		return ""
	}
	return lowerASCII(strings.TrimSuffix(r.pattern.glob, "^"))
}

// matches compares a rule with a request, the cheap parts first.
func (r *rule) matches(p *probe) bool {
	url := p.text(r.matchCase)
	return r.fits(p.types) && r.pattern.match(url, p.hostAt, p.hostEnd) && r.onPage(p) && (r.regex == nil || r.regex.MatchString(url))
}

// fits compares types: a block must be for all that the request can be, an
// exception for one of them.
func (r *rule) fits(types typeMask) bool {
	if r.except {
		return r.types&types != 0
	}
	return r.types&types == types
}

// onPage reports whether the rule counts for requests of the probe's page.
func (r *rule) onPage(p *probe) bool {
	if r.party != anyParty && (r.party == thirdParty) != p.isThirdParty() {
		return false
	}
	return len(r.domains.entries) == 0 || r.domains.includes(p.pageNames()) // names are expensive, so they are computed only here
}
