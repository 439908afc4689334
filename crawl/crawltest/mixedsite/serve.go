package mixedsite

import (
	"context"
	"embed"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// files are what pages load, by their paths.
//
//go:embed all:files
var files embed.FS

// robots allows all.
const robots = "User-agent: *\nAllow: /\n"

// picture is what every picture looks like.
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120" fill="#9ab"/></svg>`

// ServeHTTP implements http.Handler.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.o.Latency > 0 && !pause(r.Context(), s.o.Latency) {
		return
	}
	if p := s.paths[r.URL.Path]; p != nil {
		s.servePage(w, p, s.hits.add(r))
	} else {
		s.serveFile(w, r)
	}
}

func (s *Site) servePage(w http.ResponseWriter, p *page, before int) {
	switch {
	case p.fails == Broken:
		write(w, "text/html; charset=utf-8", http.StatusInternalServerError, execute("broken", nil))
	case p.fails == Missing:
		write(w, "text/html; charset=utf-8", http.StatusNotFound, execute("missing", nil))
	case p.fails == Busy && before == 0:
		write(w, "text/html; charset=utf-8", http.StatusServiceUnavailable, execute("busy", nil))
	default:
		body, _ := s.html(p)
		if p.fails == Cut {
			cut(w, body)
		}
		write(w, "text/html; charset=utf-8", http.StatusOK, body)
	}
}

// cut gives half a page.
func cut(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body[:len(body)/2])
	http.NewResponseController(w).Flush() // a ResponseWriter that cannot has sent it, or never will
	panic(http.ErrAbortHandler)           // closes the connection
}

func write(w http.ResponseWriter, kind string, status int, body []byte) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	w.Write(body) // a client that hangs up has no page
}

// serveFile answers with what a page loads: a file, or the content of a page below /api, /part or /frame.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) {
	kind, body := s.file(r.URL.Path)
	if kind == "" {
		http.NotFound(w, r)
		return
	}
	s.files.add(r)
	write(w, kind, http.StatusOK, body)
}

// file is what is at a path that is no page's, with its media type; "" where nothing is.
func (s *Site) file(at string) (kind string, body []byte) {
	switch {
	case at == "/robots.txt":
		return "text/plain; charset=utf-8", []byte(robots)
	case strings.HasPrefix(at, "/img/"):
		return "image/svg+xml", []byte(picture)
	}
	if kind, body = s.data(at); kind != "" {
		return kind, body
	}
	body, err := files.ReadFile("files" + at)
	if err != nil {
		return "", nil
	}
	return mediaTypes[path.Ext(at)], body
}

var mediaTypes = map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}

// data is the content of a page in one of its forms.
func (s *Site) data(at string) (kind string, body []byte) {
	form, rest, _ := strings.Cut(strings.TrimPrefix(at, "/"), "/")
	p := s.paths["/"+rest]
	if p == nil {
		return "", nil
	}
	c, _ := s.contentOf(p)
	switch form {
	case "api":
		return "application/json", []byte(c.JSON())
	case "part":
		return "text/html; charset=utf-8", execute("content", c)
	case "frame":
		return "text/html; charset=utf-8", execute("frame", c)
	}
	return "", nil
}

func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
