package httpapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/engine"
)

// FuzzServe sends foreign bodies to every route that takes one, through the whole handler over a real engine.
func FuzzServe(f *testing.F) {
	s := newService(f, func(eo *engine.Options, o *Options) {
		o.Limits = Limits{Credits: 1} // what is begun stays small
	})
	var routes []string
	for _, r := range table() {
		if body := bodies[r.pattern]; body != "" && r.endpoint != EndpointBrowser { // that would start browsers
			f.Add(byte(len(routes)), body)
			routes = append(routes, r.pattern)
		}
	}
	for i, c := range refused {
		f.Add(byte(i), c.body)
	}
	f.Fuzz(func(t *testing.T, n byte, body string) {
		method, target := example(routes[int(n)%len(routes)])
		r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+redSecret)
		w := httptest.NewRecorder()
		s.bare().ServeHTTP(w, r)
		var a errorBody
		if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || a.Code == engine.CodeUnknown || w.Code == http.StatusInternalServerError && a.Code == "" {
			t.Errorf("%s %s %q: %d %s", method, target, body, w.Code, w.Body)
		}
	})
}
