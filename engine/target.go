package engine

import (
	"errors"

	"github.com/winnow-go/winnow/fetch/weburl"
)

const wantURL = "an http or https URL with a host"

// parseTarget is [weburl.Target] with the engine's error for the option url.
func parseTarget(raw string) (string, error) {
	href, err := weburl.Target(raw)
	return href, urlError(raw, err)
}

// urlError is the error of a URL that weburl has refused; nil for nil.
func urlError(raw string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, weburl.ErrTooLong):
		return &OptionError{Field: "url", Value: raw, Want: "at most 16 KiB"}
	case errors.Is(err, weburl.ErrNotWeb):
		err = nil
	}
	return &OptionError{Field: "url", Value: raw, Want: wantURL, Err: err}
}

// keyPrefixes is [weburl.KeyPrefixes] with the engine's error.
func keyPrefixes(raw string) ([]string, error) {
	prefixes, err := weburl.KeyPrefixes(raw)
	return prefixes, urlError(raw, err)
}
