package taping

import (
	"errors"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/fetch/auth"
)

// newAccess is what the engine has for its intranet; nil for nothing.
func (e *Engine) newAccess(replays bool) (*auth.Access, error) {
	access, err := auth.New(e.Credentials, e.TLS, e.Now)
	if refused, ok := errors.AsType[*auth.OptionError](err); ok {
		return nil, &option.Error{Field: refused.Field, Value: refused.Value, Want: refused.Want, Err: refused.Err}
	}
	if access == nil || err != nil {
		return nil, err
	}
	field, given := "Credentials", len(e.Credentials)
	if given == 0 {
		field, given = "TLS", len(e.TLS)
	}
	switch {
	case replays:
		return nil, &option.Error{Field: field, Value: given, Want: "0 beside Replay: archives need no login"}
	case e.Remote:
		const want = "0 beside Browser.ConnectURL: a remote browser doesn't trust the guard that logs in"
		return nil, &option.Error{Field: field, Value: given, Want: want}
	}
	return access, nil
}

// attach has client and guards use what there is for the intranet.
func (t *Taping) attach(access *auth.Access) error {
	t.access = access
	if t.authority != nil {
		return nil
	}
	return t.trust()
}
