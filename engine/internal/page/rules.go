package page

import (
	"fmt"
	"regexp"

	"github.com/winnow-go/winnow/engine/internal/option"
)

// Rule says how the pages are got whose URLs match a regular expression (RE2).
type Rule struct {
	Pattern string
	Mode    Mode
}

// Rules say how pages are got that are not asked for in one way or the other. The zero value has none.
type Rules struct{ list []rule }

type rule struct {
	Rule
	matches *regexp.Regexp
}

// NewRules checks rules, which are known to callers by the name of an option. The error is an [*option.Error].
func NewRules(field string, list []Rule) (r Rules, err error) {
	for i, one := range list {
		matches, err := regexp.Compile(one.Pattern)
		if err != nil || one.Pattern == "" {
			return r, &option.Error{Field: fmt.Sprintf("%s[%d].Pattern", field, i), Value: one.Pattern, Want: "a regular expression (RE2)", Err: err}
		}
		if one.Mode != ModeAuto && one.Mode != ModeHTTP && one.Mode != ModeBrowser {
			return r, &option.Error{Field: fmt.Sprintf("%s[%d].Render", field, i), Value: string(one.Mode), Want: `"auto", "never" or "always"`}
		}
		r.list = append(r.list, rule{one, matches})
	}
	return r, nil
}

// Apply lets the first rule that matches decide a request for which both ways are open.
func (rs Rules) Apply(r *Request) {
	if r.Mode != ModeAuto || r.BrowserFor != "" {
		return
	}
	for _, one := range rs.list {
		if one.matches.MatchString(r.URL) {
			r.Mode, r.Because = one.Mode, fmt.Sprintf("the rule %q", one.Pattern)
			return
		}
	}
}
