package serving

import (
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"path"
	"strings"

	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/examples/server/demo"
)

// greet prints where the server is, who may use it, what is stored and what is unavailable.
func (srv *server) greet(to io.Writer) {
	s := srv.settings
	fmt.Fprintln(to, "winnow is served at", srv.base)
	say := func(what, format string, args ...any) {
		fmt.Fprintf(to, "  %-9s %s\n", what, fmt.Sprintf(format, args...))
	}
	if at := srv.faces[0].listener.Addr().String(); !strings.HasSuffix(srv.base, "//"+at) {
		say("listens", "%s", at)
	}
	say("keys", "%s", srv.keysLine())
	say("cache", "%s", orElse(s.cache, "in memory: pages and jobs end with the server (-cache keeps them)"))
	say("model", "%s", s.modelLine())
	say("search", "%s", orElse(s.searxng, "among the pages in the cache"))
	if s.demo {
		say("demo", "%s", strings.Join(demo.Homes(), " "))
	}
	for _, f := range srv.faces {
		for _, at := range f.greeted {
			say(path.Base(at), "%s%s", baseOf(f.listener, f.secure()), at)
		}
	}
	say("stop", "Ctrl-C; running requests have %v to end, a second Ctrl-C ends them at once", s.grace)
}

func (srv *server) keysLine() string {
	if srv.anonymous() {
		line := "none needed: requests of this machine are served, as one team"
		if base, err := url.Parse(srv.base); err == nil && !isLocalName(base.Host) {
			line += "; so are all clients that reach this address as " + base.Hostname()
		}
		return line
	}
	line := fmt.Sprintf("%d, of %s", len(srv.keys), srv.settings.keys)
	if !srv.faces[0].secure() && !isLoopback(srv.faces[0].listener.Addr()) {
		line += "; they travel unencrypted: set -tls-cert, or put TLS in front of this address"
	}
	return line
}

func (s *settings) modelLine() string {
	if !s.asksModel() {
		return "none: json, summary, question, highlights, query, extract, agent and prompts are refused (-model-url, -model)"
	}
	return strings.TrimSpace(s.model.Model + " " + s.model.BaseURL)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// logInstall logs an install's steps, but not each piece of a download.
func logInstall(log *slog.Logger, p browser.Progress) {
	if p.Done == 0 || p.Done == p.Total {
		log.Info("server: installing", "step", p.Step, "detail", p.Detail)
	}
}
