// Package inner sends requests to a handler of this process on behalf of one that came over the network: with that one's key, host and
// origin, so that it gets what its sender may have and nothing else. Start with [Do].
package inner

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// Answer is what the handler answered.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// carried are the headers that go along: who asks, from which page, and in which trace.
var carried = []string{"Authorization", "Origin", "Sec-Fetch-Site", "X-Request-Id", "Traceparent", "Tracestate"}

// Do posts a value as JSON to a path of the handler. It ends with the request of's context. The error is that of encoding the value.
func Do(to http.Handler, of *http.Request, path string, value any) (*Answer, error) {
	body, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(of.Context(), http.MethodPost, path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, name := range carried {
		r.Header[name] = of.Header[name]
	}
	r.Header.Set("Content-Type", "application/json")
	r.Host, r.RemoteAddr, r.RequestURI = of.Host, of.RemoteAddr, path
	a := &Answer{Header: http.Header{}}
	a.take(to, r)
	return a, nil
}

// take has the handler answer. One that breaks its answer off has failed.
func (a *Answer) take(to http.Handler, r *http.Request) {
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			*a = Answer{Status: http.StatusInternalServerError, Header: http.Header{}}
		} else if p != nil {
			panic(p)
		}
	}()
	to.ServeHTTP(writer{a}, r)
}

// OK reports whether the answer is no error.
func (a *Answer) OK() bool { return a.Status < http.StatusBadRequest }

// PassOn answers with an answer as it is.
func (a *Answer) PassOn(w http.ResponseWriter) {
	for _, name := range []string{"Content-Type", "Retry-After", "Www-Authenticate"} {
		if a.Header.Get(name) != "" {
			w.Header()[name] = a.Header[name]
		}
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // a client that is gone needs no answer
}

// Refuse answers with an error in the form of the API's own.
func Refuse(w http.ResponseWriter, status int, code, text string) {
	body, _ := json.Marshal(struct { // plain fields: can't fail
		Success bool   `json:"success"`
		Code    string `json:"code"`
		Error   string `json:"error"`
	}{false, code, text})
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}

// maxBody bounds the bodies that Read takes, in bytes.
const maxBody = 1 << 20

// Read reads a request's JSON body into value, and refuses one that is none, or not a POST; then it reports false. Keys that value
// hasn't are ignored: they are for other servers.
func Read(w http.ResponseWriter, r *http.Request, value any) bool {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		Refuse(w, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED", "this route accepts only POST")
		return false
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err == nil {
		err = json.Unmarshal(data, value)
	}
	if err != nil {
		Refuse(w, http.StatusBadRequest, "BAD_REQUEST_INVALID_JSON", "the body cannot be read: "+err.Error())
	}
	return err == nil
}

// writer takes an answer.
type writer struct{ to *Answer }

func (w writer) Header() http.Header { return w.to.Header }

func (w writer) WriteHeader(status int) {
	if w.to.Status == 0 && status >= http.StatusOK {
		w.to.Status = status
	}
}

func (w writer) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	w.to.Body = append(w.to.Body, b...)
	return len(b), nil
}
