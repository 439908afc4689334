package httpapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// anyOrigin, among the origins, is every one.
const anyOrigin = "*"

// What scripts of other origins may send and read beside what all may (Fetch standard, CORS protocol).
const (
	crossMethods = "GET, POST, PUT, PATCH, DELETE"
	crossHeaders = "Accept, Authorization, Content-Type, Last-Event-ID, X-Idempotency-Key, X-Request-Id, traceparent, tracestate"
	crossExposed = "Retry-After, X-Request-Id"
	crossMaxAge  = "7200" // seconds that browsers may keep the answer to a preflight request
)

// checkOrigins panics where one can't be the origin of a page.
func checkOrigins(origins []string) {
	for _, one := range origins {
		u, err := url.Parse(one)
		if one != anyOrigin && (err != nil || u.Host == "" || u.Scheme+"://"+u.Host != one) {
			panic("httpapi: Options.Origins: " + one + " is neither \"*\" nor an origin, such as https://app.example")
		}
	}
}

// originOf is that of the page whose script has sent a request; "" for none, or for several.
func originOf(r *http.Request) string {
	if given := r.Header.Values("Origin"); len(given) == 1 {
		return given[0]
	}
	return ""
}

// namedOrigin reports whether a request comes from a page whose origin is listed by name.
func (a *api) namedOrigin(r *http.Request) bool {
	origin := originOf(r)
	return origin != "" && origin != anyOrigin && slices.ContainsFunc(a.options.Origins, func(one string) bool { return strings.EqualFold(one, origin) })
}

// crossOrigin lets scripts of the listed origins read answers, and answers the requests by which browsers ask first. No credentials of
// the browser are involved: keys are sent by the script itself.
func (a *api) crossOrigin(next http.Handler) http.Handler {
	if len(a.options.Origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		if origin := originOf(r); a.namedOrigin(r) || origin != "" && slices.Contains(a.options.Origins, anyOrigin) {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", crossExposed)
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				h.Set("Access-Control-Allow-Methods", crossMethods)
				h.Set("Access-Control-Allow-Headers", crossHeaders)
				h.Set("Access-Control-Max-Age", crossMaxAge)
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
