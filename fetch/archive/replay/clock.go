package replay

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// clockJS stops the clock of a document or a worker; see the file.
//
//go:embed clock.js
var clockJS string

// workerMark ends the address of a worker's script where a browser doesn't say what it fetches for: by plain http.
const workerMark = "winnow-replay-worker"

// Moment is when the answer to a GET of an address was recorded, in whole seconds; of what isn't recorded, when the first archive begins.
func (r *Replay) Moment(address string) time.Time {
	for _, l := range r.layers {
		if e, err := l.find(Request{Method: http.MethodGet, URL: address}, nil); err == nil && e != nil && !e.Time.IsZero() {
			return e.Time.UTC().Truncate(time.Second)
		}
	}
	return r.layers[0].began.UTC().Truncate(time.Second)
}

// Script is for a browser to run before all scripts of the documents of a page that begins at an address, in every frame: it makes the
// clock stand at Moment, and seeds what is random by the address. Workers whose script a site sends have theirs from ServeHTTP.
func (r *Replay) Script(address string) string { return script(r.Moment(address), address) }

func script(at time.Time, seed string) string {
	name, _ := json.Marshal(seed) // of a string it can't fail
	return fmt.Sprintf("%s(%d, %s);", strings.TrimSpace(strings.ReplaceAll(clockJS, "MARK", workerMark)), at.UnixMilli(), name)
}

// isWorker reports whether a request is for the script of a worker, and takes the mark off its address.
func isWorker(q *http.Request) bool {
	for _, before := range []string{"&", "?"} {
		if address, marked := strings.CutSuffix(q.RequestURI, before+workerMark); marked {
			q.RequestURI = address
			q.URL.RawQuery = strings.TrimSuffix(strings.TrimSuffix(q.URL.RawQuery, workerMark), "&")
			return true
		}
	}
	purpose := q.Header.Get("Sec-Fetch-Dest")
	return purpose == "worker" || purpose == "sharedworker"
}

// prepare puts Script before that of a worker. What isn't encoded as is known, or damaged, is left as it is.
func (a *Answer) prepare(address string) {
	if a.Body == nil || a.Status() != http.StatusOK {
		return
	}
	stored, err := io.ReadAll(io.LimitReader(a.Body, maxAnswer))
	var plain []byte
	if err == nil {
		plain, err = decode(a.Header.Get("Content-Encoding"), stored)
	}
	if err != nil {
		a.Body = bytes.NewReader(stored)
		return
	}
	a.Body = io.MultiReader(strings.NewReader(script(a.Entry.Time.UTC().Truncate(time.Second), address)+"\n"), bytes.NewReader(plain))
	a.Header.Del("Content-Encoding")
}
