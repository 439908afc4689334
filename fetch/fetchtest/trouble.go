package fetchtest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func redirectN(w http.ResponseWriter, r *http.Request) {
	n, _ := strconv.Atoi(r.PathValue("n"))
	if n <= 1 {
		http.Redirect(w, r, "/article", http.StatusFound)
		return
	}
	http.Redirect(w, r, "/redirect/"+strconv.Itoa(min(n, 1000)-1), http.StatusFound)
}

// redirectTo writes the Location as it is given, bad ones too.
func redirectTo(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Location", r.URL.Query().Get("url"))
	w.WriteHeader(number(r, "status", http.StatusFound, 399))
}

func redirectLoop(w http.ResponseWriter, r *http.Request) {
	to := "/loop?b"
	if r.URL.RawQuery == "b" {
		to = "/loop"
	}
	http.Redirect(w, r, to, http.StatusFound)
}

func setCookies(w http.ResponseWriter, r *http.Request) {
	for name, values := range r.URL.Query() {
		http.SetCookie(w, &http.Cookie{Name: name, Value: values[0], Path: "/"})
	}
	http.Redirect(w, r, "/cookies/show", http.StatusFound)
}

func showCookies(w http.ResponseWriter, r *http.Request) {
	cookies := map[string]string{}
	for _, c := range r.Cookies() {
		cookies[c.Name] = c.Value
	}
	writeJSON(w, cookies)
}

func countCookies(w http.ResponseWriter, r *http.Request) {
	n := 0
	if c, err := r.Cookie("n"); err == nil {
		n, _ = strconv.Atoi(c.Value)
	}
	if n >= 3 {
		writeJSON(w, n)
		return
	}
	http.SetCookie(w, &http.Cookie{Name: "n", Value: strconv.Itoa(n + 1), Path: "/"})
	http.Redirect(w, r, "/cookies/count", http.StatusFound)
}

func showHeaders(w http.ResponseWriter, r *http.Request) { writeJSON(w, r.Header) }

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

func status(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 200 || n > 599 {
		n = http.StatusBadRequest
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(n)
	if n != http.StatusNoContent && n != http.StatusNotModified {
		_, _ = io.WriteString(w, framed(strconv.Itoa(n), "<h1>"+strconv.Itoa(n)+" "+http.StatusText(n)+"</h1>"))
	}
}

func statusRetryAfter(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", strconv.Itoa(number(r, "s", 1, 1_000_000)))
	status(w, r)
}

// flaky fails as often as ?fail= says, per ?key=, then serves a page. With status=0 it cuts the connection.
func (s *Site) flaky(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	key := "flaky " + r.URL.Query().Get("key")
	s.hits[key]++
	failed := s.hits[key] <= number(r, "fail", 1, 1000)
	s.mu.Unlock()
	code := number(r, "status", http.StatusServiceUnavailable, 599)
	switch {
	case !failed:
		page(articlePage)(w, r)
	case code == 0:
		empty(w, r)
	default:
		http.Error(w, "come back later", code)
	}
}

func (s *Site) slow(w http.ResponseWriter, r *http.Request) {
	t := time.NewTimer(time.Duration(number(r, "ms", 200, 600_000)) * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		page(articlePage)(w, r)
	case <-r.Context().Done():
	case <-s.done:
	}
}

func (s *Site) never(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	s.wait(r)
}

func (s *Site) silent(_ http.ResponseWriter, r *http.Request) { s.wait(r) }

func (s *Site) endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	line := strings.Repeat("<p>and so on</p>\n", 256)
	for {
		select {
		case <-s.done:
			return
		default:
		}
		if _, err := io.WriteString(w, line); err != nil || r.Context().Err() != nil {
			return
		}
	}
}

func huge(w http.ResponseWriter, r *http.Request) {
	n := number(r, "bytes", 64<<20, 1<<30)
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if r.URL.Query().Get("chunked") == "" {
		w.Header().Set("Content-Length", strconv.Itoa(n))
	}
	if r.Method != http.MethodHead {
		_, _ = io.CopyN(w, endlessText{}, int64(n))
	}
}

// endlessText gives the letter a for ever.
type endlessText struct{}

func (endlessText) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

func truncated(w http.ResponseWriter, r *http.Request) {
	raw(w, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n<p>only this much", false)
}

func truncatedChunks(w http.ResponseWriter, r *http.Request) {
	raw(w, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n100\r\n<p>only this much", false)
}

func reset(w http.ResponseWriter, _ *http.Request) { raw(w, "", true) }

func resetBody(w http.ResponseWriter, _ *http.Request) {
	raw(w, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n<p>only this much", true)
}

func empty(w http.ResponseWriter, _ *http.Request) { raw(w, "", false) }

func rubbish(w http.ResponseWriter, _ *http.Request) { raw(w, "220 smtp.example.com ready\r\n", false) }

func bigHeaders(w http.ResponseWriter, r *http.Request) {
	for n := number(r, "bytes", 1<<20, 16<<20); n > 0; n -= 1000 {
		w.Header().Add("X-Filler", strings.Repeat("x", 990))
	}
	page(articlePage)(w, r)
}

// raw takes the connection over, writes what it is given and ends the connection, with a reset on demand.
// On HTTP/2, where there is no connection to take, it aborts the stream.
func raw(w http.ResponseWriter, answer string, abort bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer c.Close()
	_, _ = io.WriteString(c, answer)
	if t, ok := c.(*net.TCPConn); ok && abort {
		_ = t.SetLinger(0)
	}
}
