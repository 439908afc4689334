package enginetest

import (
	"net/http"
	"runtime/debug"
	"testing"
)

// watch is a handler whose panic fails the test. http.ErrAbortHandler is meant, and does not.
func watch(t testing.TB, host string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p != http.ErrAbortHandler {
				t.Errorf("enginetest: the handler of %q panicked at %s %s: %v\n%s", host, r.Method, r.URL.Path, p, debug.Stack())
			}
			panic(p)
		}()
		h.ServeHTTP(w, r)
	})
}
