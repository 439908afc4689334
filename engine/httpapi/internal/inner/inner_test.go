package inner

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDo_asksForTheSenderOfTheRequest(t *testing.T) {
	of := httptest.NewRequest("GET", "http://api.example/elsewhere?a=b", nil)
	for name, value := range map[string]string{"Authorization": "Bearer key", "Origin": "https://app.example", "Sec-Fetch-Site": "cross-site", "Accept": "text/html", "Cookie": "a=b"} {
		of.Header.Set(name, value)
	}
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if got := r.Method + " " + r.URL.Path + " " + r.Host + " " + string(body); got != `POST /v2/scrape api.example {"url":"x"}` {
			t.Error(got)
		}
		h := r.Header
		if h.Get("Authorization") != "Bearer key" || h.Get("Origin") != "https://app.example" || h.Get("Sec-Fetch-Site") != "cross-site" || h.Get("Content-Type") != "application/json" || h.Get("Accept")+h.Get("Cookie") != "" {
			t.Errorf("%v", h)
		}
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(429)
		_, _ = io.WriteString(w, "later")
	})
	a, err := Do(api, of, "/v2/scrape", map[string]string{"url": "x"})
	if err != nil || a.OK() || string(a.Body) != "later" {
		t.Fatalf("%+v, %v", a, err)
	}
	w := httptest.NewRecorder()
	if a.PassOn(w); w.Code != 429 || w.Header().Get("Retry-After") != "3" || w.Body.String() != "later" {
		t.Errorf("%+v", w)
	}
}

func TestDo_anAnswerThatIsBrokenOffIsAFailure(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "begun")
		panic(http.ErrAbortHandler)
	})
	a, err := Do(api, httptest.NewRequest("GET", "/", nil), "/", nil)
	if err != nil || a.Status != 500 || len(a.Body) > 0 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestRead_refusesWhatIsNoJSONThatIsPosted(t *testing.T) {
	for _, c := range []struct {
		method, body string
		want         int
	}{
		{"GET", "", 405}, {"POST", "", 400}, {"POST", "[]", 400}, {"POST", `{"a":"` + strings.Repeat("b", maxBody) + `"}`, 400}, {"POST", `{"a":"b","c":1}`, 200},
	} {
		w := httptest.NewRecorder()
		var value struct{ A string }
		ok := Read(w, httptest.NewRequest(c.method, "/", strings.NewReader(c.body)), &value)
		if ok != (c.want == 200) || w.Code != c.want || ok && value.A != "b" {
			t.Errorf("%s %.20s: %t, %d %s", c.method, c.body, ok, w.Code, w.Body)
		}
	}
}
