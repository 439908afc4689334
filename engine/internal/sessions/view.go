package sessions

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/liveview"
	"github.com/winnow-go/winnow/engine/internal/option"
)

// ViewOptions say where people look at sessions.
type ViewOptions struct {
	// Addr to listen on from the first session on. Empty: a free port of the loopback.
	Addr string
	// BaseURL is where [View.Handler] is mounted, with the path. Empty: the view listens on Addr.
	BaseURL string
	// FrameAncestors are the origins whose pages may show the view in a frame.
	FrameAncestors []string
	Logger         *slog.Logger
}

// View is the live view of sessions. A nil one shows none.
type View struct {
	server *liveview.Server
	addr   string
	base   string // of the addresses; found out by the first session where the view listens
}

// viewURLs are the addresses of a session in the live view.
type viewURLs struct{ view, control string }

// NewView listens on nothing yet.
func NewView(o ViewOptions) (*View, error) {
	v := &View{addr: o.Addr, base: o.BaseURL}
	options := liveview.Options{FrameAncestors: o.FrameAncestors, Logger: o.Logger}
	if v.base != "" {
		u, err := url.Parse(v.base)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || o.Addr != "" {
			return nil, &option.Error{Field: "LiveView.BaseURL", Value: v.base, Want: "an http or https URL, and no Addr beside it", Err: err}
		}
		options.Path = "/" + strings.Trim(u.Path, "/") + "/"
		options.Path = strings.Replace(options.Path, "//", "/", 1)
		v.base = u.Scheme + "://" + u.Host
		options.Origins = []string{v.base} // of its own page, also where a proxy changes the Host
	}
	v.server = liveview.New(options)
	return v, nil
}

// Handler serves the addresses; all else is not found.
func (v *View) Handler() http.Handler {
	if v == nil {
		return http.NotFoundHandler()
	}
	return v.server
}

// show makes a session visible. Sessions are shown one after the other.
func (v *View) show(s *Session) (viewURLs, error) {
	if v == nil || s.request.Unseen {
		return viewURLs{}, nil
	}
	if v.base == "" {
		at, err := v.server.Listen(v.addr)
		if err != nil {
			return viewURLs{}, &option.Error{Field: "LiveView.Addr", Value: v.addr, Want: "an address that can be listened on", Err: err}
		}
		v.base = "http://" + at.String()
	}
	urls, err := v.server.Add(s.id, screen{s})
	return viewURLs{v.base + urls.View, v.base + urls.Control}, err
}

func (v *View) hide(id, reason string) {
	if v != nil {
		v.server.Remove(id, "The session has ended: "+reason+".")
	}
}

// Close ends the view.
func (v *View) Close() error {
	if v == nil {
		return nil
	}
	return v.server.Close()
}
