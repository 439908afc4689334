package httpapi

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine"
)

// visit is a request as it is recorded: one line in the log, a span, and metrics. None of them has its URL, headers or body.
type visit struct {
	*call
	seen    *statusWriter
	route   route
	id      string // of the request, in the answer too
	began   time.Time
	whole   bool        // the answer came to its end
	code    engine.Code // of an answer that is an error
	fault   string      // id of the internal error that the answer is
	span    *serverSpan
	numbers *counted
}

const idHeader = "X-Request-Id"

// begin is called before anything is known of a request but its route; the caller calls end.
func (a *api) begin(c *call, seen *statusWriter, to route) *visit {
	v := &visit{call: c, seen: seen, route: to, id: requestID(c.r), began: a.options.Now()}
	c.w.Header().Set(idHeader, v.id)
	if !to.probe() {
		v.span = a.spans.begin(v)
	}
	v.numbers = a.numbers.begin(v)
	return v
}

func (v *visit) end() {
	took := v.api.options.Now().Sub(v.began)
	v.numbers.end(v, took)
	v.span.end(v)
	v.log(took)
}

// requestID is the client's own, where it can stand in a log as it is.
func requestID(r *http.Request) string {
	if given := r.Header.Values(idHeader); len(given) == 1 && plain(given[0], 64) {
		return given[0]
	}
	return uuid.NewString()
}

// plain accepts 1 to limit letters, digits, dots, underscores and hyphens.
func plain(s string, limit int) bool {
	return len(s) > 0 && len(s) <= limit && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == ""
}

// level of the request's line: probes come all day long.
func (v *visit) level() slog.Level {
	if v.route.probe() {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// log writes the request's one line. What is empty is left out.
func (v *visit) log(took time.Duration) {
	ctx, logger := v.r.Context(), v.api.options.Logger
	if !logger.Enabled(ctx, v.level()) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request", v.id), slog.String("method", knownMethod(v.r.Method)), slog.String("route", v.path()),
		slog.Int("status", v.seen.status), slog.Int64("bytes", v.seen.bytes), slog.Duration("duration", took),
	}
	for _, word := range []struct{ name, value string }{
		{"code", string(v.code)}, {"fault", v.fault}, {"team", v.team}, {"key", v.keyID()},
		{"origin", label(v.origin)}, {"integration", label(v.integration)}, {"trace", v.span.traceID()},
	} {
		if word.value != "" {
			attrs = append(attrs, slog.String(word.name, word.value))
		}
	}
	if !v.whole {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	logger.LogAttrs(ctx, v.level(), "httpapi: request", attrs...)
}

// path of the route's pattern; "unknown" for none.
func (v *visit) path() string {
	_, path, ok := strings.Cut(v.route.pattern, " ")
	if !ok {
		return v.route.pattern
	}
	return path
}

// keyID identifies the key without revealing it: see [Key.ID].
func (c *caller) keyID() string {
	if c.hash == (caller{}).hash {
		return ""
	}
	return keyID(c.hash)
}

const maxLoggedLabel = 64

// label is a client's word for itself, where it is a word: a URL in its place is not logged.
func label(s string) string {
	if s == "" || plain(strings.ReplaceAll(s, "@", "."), maxLoggedLabel) {
		return s
	}
	return "(other)"
}

// knownMethod bounds what foreign words can stand in the log, in spans and numbers, as the semantic conventions of HTTP say.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return m
	}
	return "_OTHER"
}

// internalError logs the cause that an answer leaves out.
func (a *api) internalError(p *problem, err error) {
	op := ""
	if e, ok := errors.AsType[*engine.Error](err); ok {
		op = e.Op
	}
	a.options.Logger.LogAttrs(context.Background(), slog.LevelError, "httpapi: internal error",
		slog.String("id", p.id), slog.String("code", string(p.code)), slog.String("op", op), slog.String("err", withoutURLs(err)))
}

// anyURL goes on to the next blank or quotation mark: rather too far than not far enough.
var anyURL = regexp.MustCompile(`(?i)[a-z][a-z0-9+.-]*://[^\s"]+`)

// withoutURLs is an error's text in which URLs are cut down to scheme and host: there may be secrets in all else.
func withoutURLs(err error) string {
	text := err.Error()
	for e := err; e != nil; {
		own, ok := errors.AsType[*engine.Error](e)
		if !ok {
			break
		}
		if own.URL != "" {
			text = strings.ReplaceAll(text, own.URL, "(URL)")
		}
		e = own.Err
	}
	return anyURL.ReplaceAllStringFunc(text, func(s string) string {
		u, err := url.Parse(s)
		if err != nil || u.Hostname() == "" {
			return "(URL)"
		}
		return u.Scheme + "://" + u.Hostname() + "/…"
	})
}
