package fetch

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// Request is one URL to fetch with GET. The zero value of each field but URL works.
type Request struct {
	// URL is absolute, http or https. It is normalized by the WHATWG rules; a user name and password in it
	// are sent as Basic authorization.
	URL string
	// Page is the page that this is a part of, such as a script, by its URL: it, in place of URL, decides whether credentials of
	// Options.Access are used. "": it is a part of none.
	Page string
	// Header holds the caller's own headers, Cookie and Authorization among them. They are secrets: they are
	// sent to the origin of URL only (scheme, host and port; an upgrade from http on port 80 to https on port
	// 443 of the same host counts as the same), and never to where a redirect leads elsewhere. They replace
	// what the client would send there itself. Names that ValidateHeader refuses are refused.
	Header http.Header
	// UserAgent, AcceptLanguage and Accept are sent on every hop. UserAgent defaults to Options.UserAgent,
	// Accept to what a browser sends for a page, AcceptLanguage to nothing.
	UserAgent, AcceptLanguage, Accept string
	// SkipTLSVerify accepts any certificate of the site (not of a proxy).
	SkipTLSVerify bool
	// Proxy is the upstream proxy that the request goes through. The zero value is none.
	Proxy Proxy
	// MaxBytes limits the body. 0: the client's limit.
	MaxBytes int64
	// Retries limits how often this request is retried after a transient failure. 0: Options.Retries applies;
	// negative: never, for callers that retry themselves.
	Retries int
	// AcceptDamaged accepts a damaged body and returns what is readable of it, with Response.Damage: a text under a
	// Content-Encoding of gzip that isn't applied, and a body that ends before its declared length, if it still does so at the
	// last try. False: damage is an error.
	AcceptDamaged bool
	// BodyTime returns how long a body of the media type that the response declares, "" for none, may take once it has begun; 0 is
	// no limit. With AcceptDamaged, what has come of a text by then is returned, with a *TimeoutError as Response.Damage; and so is a
	// text that has stayed silent for Options.BodyTimeout. If nil, no body has a limit of its own.
	BodyTime func(mediaType string) time.Duration
	// OnRedirect is called before a redirect is followed, with the address that it leads to, without user name and password. Its error
	// ends Do, which returns it as it is. If nil, all are followed.
	OnRedirect func(ctx context.Context, to string) error
}

// Response is the final response of a URL.
type Response struct {
	// URL is where the redirects ended, without user name and password, with the fragment.
	URL    string
	Status int
	// Header is the last response's. Content-Encoding and Content-Length are removed where an encoding was undone.
	Header http.Header
	// Body is decoded, and whole unless Damage is set.
	Body []byte
	// Damage describes what is wrong with Body: a *DecodeError, a *ConnectError or a *TimeoutError. Nil without Request.AcceptDamaged.
	Damage error
	// MediaType is in lower case without parameters: the declared type, or the one detected from the content where
	// none is declared, or only application/octet-stream, or a type that the content contradicts.
	MediaType string
	// Redirects are the URLs visited on the way, in order, without the last one.
	Redirects []string
}

const defaultAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// validate checks all but the URL.
func (r *Request) validate() error {
	for name, values := range r.Header {
		for _, v := range values {
			if err := ValidateHeader(name, v); err != nil {
				return err
			}
		}
	}
	for _, h := range []struct{ name, value string }{
		{"User-Agent", r.UserAgent}, {"Accept-Language", r.AcceptLanguage}, {"Accept", r.Accept},
	} {
		if err := ValidateHeader(h.name, h.value); err != nil {
			return err
		}
	}
	if r.MaxBytes < 0 {
		return fmt.Errorf("fetch request: MaxBytes %d: want 0 (default) or more", r.MaxBytes)
	}
	if !r.Proxy.none() {
		if err := r.Proxy.Validate(); err != nil {
			return fmt.Errorf("fetch request: %w", err)
		}
	}
	return nil
}
