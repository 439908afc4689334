package jobs

import (
	"errors"
	"net/url"
	"slices"
	"strings"
)

// minSecret: shorter texts are no secrets, and would be found everywhere.
const minSecret = 4

// redact is an error's text without what only the hook's owner may know: addresses of
// hooks carry tokens, and errors of HTTP clients carry addresses.
func redact(err error, w *Webhook) string {
	secrets := []string{w.URL, w.Secret}
	if e, ok := errors.AsType[*url.Error](err); ok {
		secrets = append(secrets, e.URL) // written in another way, perhaps
	}
	if u, err := url.Parse(w.URL); err == nil {
		password, _ := u.User.Password()
		secrets = append(secrets, u.String(), u.Redacted(), u.RequestURI(), u.Path, u.EscapedPath(), u.RawQuery, u.Fragment)
		secrets = append(secrets, u.User.String(), u.User.Username(), password)
		for _, values := range u.Query() {
			secrets = append(secrets, values...)
		}
	}
	for _, value := range w.Headers {
		secrets = append(secrets, value)
	}
	secrets = slices.DeleteFunc(secrets, func(s string) bool { return len(s) < minSecret })
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // the whole before its parts
	text := err.Error()
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, "…")
	}
	return text
}
