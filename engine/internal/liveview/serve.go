package liveview

import (
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/coder/websocket"
)

// ServeHTTP answers for all addresses: the page at a token's own, its socket one below. All others, and tokens of screens that have
// ended, are not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.page.setHeaders(w.Header())
	if len(s.opts.Hosts) > 0 && !slices.ContainsFunc(s.opts.Hosts, func(h string) bool { return strings.EqualFold(h, hostless(r.Host)) }) {
		http.Error(w, "unknown host", http.StatusMisdirectedRequest)
		return
	}
	path, _ := strings.CutPrefix(r.URL.Path, s.opts.Path)
	token, rest, _ := strings.Cut(path, "/")
	st, control := s.find(token)
	switch {
	case st == nil || rest != "" && rest != socketPath:
		http.Error(w, "not found", http.StatusNotFound)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	case rest == socketPath:
		s.serveSocket(w, r, st, control)
	default:
		s.page.write(w, r)
	}
}

// socketPath is the socket's path below that of its page.
const socketPath = "socket"

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request, st *stage, control bool) {
	if !s.begin() {
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	defer s.requests.Done()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: s.opts.Origins})
	if err != nil {
		s.opts.Logger.Debug("live view: a socket was refused", "error", err)
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxMessage)
	newViewer(st, conn, control).serve(s.ctx)
}

// ownHost refuses names that others may have made point to this machine: they would let another site's page read what is here.
func (s *Server) ownHost(next http.Handler) http.Handler {
	if len(s.opts.Hosts) > 0 {
		return next // ServeHTTP looks at it
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostless(r.Host)
		if _, err := netip.ParseAddr(host); err != nil && host != "localhost" {
			http.Error(w, "unknown host", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// write sends the page.
func (p *viewPage) write(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(p.html)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(p.html)
	}
}
