package trapsite

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const retryAfter = time.Second

// handler serves a host, by whatever name.
func (s *Site) handler(host string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := place{host: host, path: r.URL.EscapedPath(), query: r.URL.RawQuery}
		switch m := s.maps[at.host+at.path]; {
		case at.path == "/robots.txt":
			s.count(s.files, r)
			s.robots[host].serve(w, s.servedOrigin(r))
		case m != nil:
			s.count(s.files, r)
			m.serve(w, s.servedOrigin(r))
		case lostSitemap(at.path):
			s.count(s.files, r)
			http.NotFound(w, r)
		default:
			s.servePage(w, r, at)
		}
	})
}

// lostSitemap reports whether a sitemap is requested where there is none.
func lostSitemap(path string) bool {
	return strings.HasSuffix(path, ".xml") || strings.HasSuffix(path, ".xml.gz") || path == "/sitemap.txt"
}

// origin is how the site names itself in robots.txt and sitemaps: by https and its proper host, or as it was requested.
func (s *Site) origin(scheme, name string) string {
	if host, ok := s.aliases[name]; ok {
		name = host
	}
	if _, ok := s.robots[name]; ok {
		return "https://" + name
	}
	return scheme + "://" + name
}

func (s *Site) servedOrigin(r *http.Request) string {
	return s.origin(requestScheme(r), strings.ToLower(r.Host))
}

func requestURL(r *http.Request) string {
	return requestScheme(r) + "://" + strings.ToLower(r.Host) + r.URL.RequestURI()
}

func requestScheme(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

func (s *Site) count(c *counter, r *http.Request) int {
	if r.Method == http.MethodHead {
		return 0
	}
	return c.add(requestURL(r))
}

func (s *Site) servePage(w http.ResponseWriter, r *http.Request, at place) {
	n := s.find(at)
	before := s.count(s.hits, r)
	s.manners.request(at.host, s.robots[at.host].delay, r)
	switch {
	case n.fails:
		panic(http.ErrAbortHandler) // closes the connection, and works over HTTP/2 too
	case n.slow && !pause(r.Context(), s.o.SlowDelay):
		return
	case n.refuses != 0 && before == 0:
		if n.refuses == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
			s.manners.later(r)
		}
		http.Error(w, "Come back later.", n.refuses)
	case n.redirect != anchor{}:
		w.Header().Set("Location", n.redirect.href)
		w.WriteHeader(n.code())
	default:
		n.write(w, newProse(s.o.Seed, textHash(cmp.Or(n.words, at.host+at.path+at.query))))
	}
}

func (n *node) write(w http.ResponseWriter, p prose) {
	kind, body := n.kind, n.raw
	if kind == "" {
		kind, body = "text/html; charset=utf-8", n.html(p)
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(n.code())
	w.Write(body) // a client that hangs up has no page
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
