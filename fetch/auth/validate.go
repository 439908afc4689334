package auth

import (
	"crypto/fips140"
	"fmt"
	"strings"
)

// OptionError says which option can't be honored, and what could be. It never holds a secret.
type OptionError struct {
	Field string // such as "Credentials[0].For"
	Value any
	Want  string
	Err   error // more about it; may be nil
}

func (e *OptionError) Error() string {
	text := fmt.Sprintf("%s: %v; want %s", e.Field, e.Value, e.Want)
	if e.Err != nil {
		text += " (" + e.Err.Error() + ")"
	}
	return text
}

func (e *OptionError) Unwrap() error { return e.Err }

// check refuses what can't be honored; place is the option's own, such as "Credentials[0]".
func (c *Credentials) check(place string) error {
	refuse := func(field string, value any, want string) error {
		return &OptionError{Field: place + "." + field, Value: value, Want: want}
	}
	uses, known := methods[c.Method]
	switch {
	case !known:
		return refuse("Method", string(c.Method), `"basic", "digest", "ntlm", "negotiate" or "form"`)
	case uses.old && fips140.Enforced():
		return refuse("Method", string(c.Method), "another one: NTLM needs MD4 and MD5, which GODEBUG=fips140=only forbids")
	case uses.password && (c.User == "" || !plain(c.User)):
		return refuse("User", c.User, "an account, without control characters")
	case c.Method == Basic && strings.Contains(c.User, ":"):
		return refuse("User", c.User, "a name without a colon, with the method basic")
	case uses.password && (c.Password == "" || !plain(string(c.Password))):
		return refuse("Password", c.Password, "a password, without control characters")
	case !uses.password && c.Password != "":
		return refuse("Password", c.Password, fmt.Sprintf("none with the method %s", c.Method))
	case uses.negotiator != (c.Negotiator != nil):
		return refuse("Negotiator", c.Negotiator != nil, fmt.Sprintf("true with the method negotiate alone: this is %s", c.Method))
	case uses.form != (c.Form != nil):
		return refuse("Form", c.Form != nil, fmt.Sprintf("true with the method form alone: this is %s", c.Method))
	case uses.form:
		return c.Form.check(place + ".Form")
	}
	return nil
}

// methods says what each of them uses. It is read only.
var methods = map[Method]struct{ password, negotiator, form, old bool }{
	Basic: {password: true}, Digest: {password: true}, NTLM: {password: true, old: true}, Negotiate: {negotiator: true},
	Form: {password: true, form: true},
}

// plain reports a text without control characters.
func plain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// check refuses recipes that can't be followed.
func (r *Recipe) check(place string) error {
	if len(r.Steps) == 0 || len(r.Steps) > maxSteps {
		return &OptionError{Field: place + ".Steps", Value: len(r.Steps), Want: fmt.Sprintf("1 to %d", maxSteps)}
	}
	for i, s := range r.Steps {
		where := fmt.Sprintf("%s.Steps[%d]", place, i)
		if !isPath(s.Path) && (s.Path != "" || i == 0) {
			return &OptionError{Field: where + ".Path", Value: s.Path, Want: `a path such as "/login"; "" after the first step`}
		}
		if !isPath(s.Action) && s.Action != "" {
			return &OptionError{Field: where + ".Action", Value: s.Action, Want: `a path such as "/login", or "" for the form's own`}
		}
		if len(s.Fields) == 0 {
			return &OptionError{Field: where + ".Fields", Value: len(s.Fields), Want: "1 or more"}
		}
	}
	for i, s := range append([]Sign{r.Success}, r.Ended...) {
		where := place + ".Success"
		if i > 0 {
			where = fmt.Sprintf("%s.Ended[%d]", place, i-1)
		}
		if err := s.check(where, i > 0); err != nil {
			return err
		}
	}
	return nil
}

func (s Sign) check(place string, needed bool) error {
	switch {
	case needed && s == (Sign{}):
		return &OptionError{Field: place, Value: "empty", Want: "a path, a text or a status"}
	case s.Path != "" && !isPath(s.Path):
		return &OptionError{Field: place + ".Path", Value: s.Path, Want: `a path such as "/login"`}
	case s.Status != 0 && (s.Status < 200 || s.Status > 599):
		return &OptionError{Field: place + ".Status", Value: s.Status, Want: "0 (any) or 200 to 599"}
	}
	return nil
}

// isPath reports a path on the origin itself.
func isPath(s string) bool {
	return strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//") && !strings.Contains(s, `\`) && plain(s)
}
