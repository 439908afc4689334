package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch/archive"
)

// MissHeader marks the answer to a request that no archive has an answer for: status 502 and, as the value, the text of the *MissError. No
// recorded response has it when it is served.
const MissHeader = "X-Winnow-Replay-Miss"

// maxRequest bounds the body of a request, and maxAnswer that of an answer of which a part is wanted, in bytes.
const (
	maxRequest = 64 << 20
	maxAnswer  = 256 << 20
)

// left are the headers of recorded responses that belong to their connection, or that are written here.
var left = []string{"Connection", "Keep-Alive", "Transfer-Encoding", "Trailer", "Upgrade", "Proxy-Authenticate", "Proxy-Connection",
	"Content-Length", "Strict-Transport-Security", "Alt-Svc", MissHeader}

// ServeHTTP answers from the archives, for virtual hosts. A part of a body is cut from the whole one, or from a part that was recorded; a
// preflight of CORS that wasn't recorded is allowed what it wants; a robots.txt that wasn't is answered with 404, as by a site that has
// none; redacted headers are left out; a script for a worker begins with Script; a websocket hears the messages that were recorded, after
// those of its own that they followed; what is not found is answered as MissHeader says.
func (r *Replay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, maxRequest))
	if err != nil {
		refuse(w, q, err)
		return
	}
	worker := isWorker(q)
	scheme := "http"
	if q.TLS != nil {
		scheme = "https"
	}
	address := scheme + "://" + q.Host + q.URL.RequestURI()
	if strings.EqualFold(q.Header.Get("Upgrade"), "websocket") {
		r.converse(w, q, strings.Replace(address, "http", "ws", 1))
		return
	}
	part := parseRange(q.Header.Get("Range"))
	a, err := r.find(Request{Method: q.Method, URL: address, ContentType: q.Header.Get("Content-Type"), Body: body}, part)
	if _, missed := errors.AsType[*MissError](err); missed && isPreflight(q) {
		allow(w, q)
		return
	}
	if err != nil {
		refuse(w, q, err)
		return
	}
	if worker {
		a.prepare(address)
	}
	if !a.servePart(w, q, part) {
		a.serve(w, q)
	}
}

func refuse(w http.ResponseWriter, q *http.Request, err error) {
	if _, missed := errors.AsType[*MissError](err); missed && q.Method == http.MethodGet && q.URL.Path == "/robots.txt" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	w.Header().Set(MissHeader, strings.NewReplacer("\r", " ", "\n", " ").Replace(fmt.Sprintf("%.2000s", err.Error())))
	w.WriteHeader(http.StatusBadGateway)
}

func isPreflight(q *http.Request) bool {
	return q.Method == http.MethodOptions && q.Header.Get("Access-Control-Request-Method") != ""
}

// allow answers a preflight.
func allow(w http.ResponseWriter, q *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", q.Header.Get("Origin"))
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Access-Control-Allow-Methods", q.Header.Get("Access-Control-Request-Method"))
	if wanted := q.Header.Get("Access-Control-Request-Headers"); wanted != "" {
		h.Set("Access-Control-Allow-Headers", wanted)
	}
	w.WriteHeader(http.StatusNoContent)
}

// serve writes the answer.
func (a *Answer) serve(w http.ResponseWriter, q *http.Request) {
	a.header(w.Header())
	if q.Header.Get("Range") != "" && a.Status() == http.StatusOK {
		whole, err := io.ReadAll(io.LimitReader(a.Body, maxAnswer))
		if err != nil {
			panic(http.ErrAbortHandler) // as a site whose answer breaks off
		}
		http.ServeContent(w, q, "", time.Time{}, bytes.NewReader(whole))
		return
	}
	w.WriteHeader(a.Status())
	if q.Method == http.MethodHead || a.Body == nil {
		return
	}
	if _, err := io.Copy(w, a.Body); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// header copies what may be served again.
func (a *Answer) header(to http.Header) {
	for _, f := range a.Header {
		to.Add(f.Name, f.Value)
	}
	for name, values := range to {
		if values[0] == archive.Redacted {
			delete(to, name)
		}
	}
	for _, name := range left {
		to.Del(name)
	}
	if to.Get("Content-Type") == "" {
		to["Content-Type"] = nil // none is guessed
	}
}
