package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine"
)

// call is one request at work.
type call struct {
	caller
	api                 *api
	w                   http.ResponseWriter
	r                   *http.Request
	origin, integration string        // labels of the client
	held                int64         // credits; see purse
	inLine              time.Duration // for how long the team's other pages were waited for; 0: not at all
	asked               *fields       // not nil: nothing is to be done but to give the fields of the body; see bodyOf
}

// route is one line of the table.
type route struct {
	pattern  string
	endpoint Endpoint // whose rate counts; open: whoever asks is not asked who they are
	credits  int64    // that must be left to begin; 0: it costs nothing
	do       func(*call) error
}

const parsePath = "/v2/parse"

// open is the endpoint of routes for all, without a key or rate.
const open Endpoint = ""

// table lists all routes.
func table() []route {
	return append([]route{
		{"POST /v2/scrape", EndpointScrape, 1, (*call).scrape},
		{"GET /v2/scrape/{id}", EndpointStatus, 0, (*call).scrapeByID},
		{"POST /v2/scrape/{id}/interact", EndpointExecute, 1, (*call).interact},
		{"DELETE /v2/scrape/{id}/interact", EndpointStatus, 0, (*call).stopInteract},
		{"POST " + parsePath, EndpointParse, 1, (*call).parse},
		{"POST " + parsePath + "/upload-url", EndpointParse, 0, (*call).startUpload},
		{"PUT " + uploadPath + "/{id}", EndpointStatus, 0, (*call).receive},
		{"POST /v2/batch/scrape", EndpointBatch, 1, (*call).startBatch},
		{"GET /v2/batch/scrape/{id}", EndpointStatus, 0, of(engine.KindBatch, (*call).jobPage)},
		{"DELETE /v2/batch/scrape/{id}", EndpointStatus, 0, of(engine.KindBatch, (*call).cancel)},
		{"GET /v2/batch/scrape/{id}/errors", EndpointStatus, 0, of(engine.KindBatch, (*call).jobErrors)},
		{"POST /v2/crawl", EndpointCrawl, 1, (*call).startCrawl},
		{"GET /v2/crawl/active", EndpointStatus, 0, (*call).activeCrawls},
		{"GET /v2/crawl/ongoing", EndpointStatus, 0, (*call).activeCrawls},
		{"POST /v2/crawl/params-preview", EndpointCrawl, 0, (*call).crawlPreview},
		{"GET /v2/crawl/{id}", EndpointStatus, 0, of(engine.KindCrawl, (*call).jobPage)},
		{"DELETE /v2/crawl/{id}", EndpointStatus, 0, of(engine.KindCrawl, (*call).cancel)},
		{"GET /v2/crawl/{id}/errors", EndpointStatus, 0, of(engine.KindCrawl, (*call).jobErrors)},
		{"POST /v1/map", EndpointMap, 1, (*call).mapV1},
		{"POST /v2/map", EndpointMap, 1, (*call).mapV2},
		{"POST /v2/search", EndpointSearch, 2, (*call).search},
		{"POST /v2/extract", EndpointExtract, 1, (*call).startExtract},
		{"GET /v2/extract/{id}", EndpointStatus, 0, (*call).extractOrAgent},
		{"POST /v2/agent", EndpointAgent, 1, (*call).startAgent},
		{"GET /v2/agent", EndpointStatus, 0, (*call).listAgents},
		{"GET /v2/agent/{id}", EndpointStatus, 0, of(engine.KindAgent, (*call).answer)},
		{"DELETE /v2/agent/{id}", EndpointStatus, 0, of(engine.KindAgent, (*call).cancelAgent)},
		{"GET /v2/agent/{id}/trace", EndpointStatus, 0, of(engine.KindAgent, (*call).agentTrace)},
		{"GET /v2/agent/{id}/snapshots/{snapshot}", EndpointStatus, 0, of(engine.KindAgent, (*call).agentSnapshot)},
		{"GET /v2/team/activity", EndpointStatus, 0, (*call).activity},
		{"GET /v2/team/credit-usage", EndpointStatus, 0, (*call).creditUsage},
		{"GET /v2/team/credit-usage/historical", EndpointStatus, 0, (*call).creditHistory},
		{"GET /v2/team/token-usage", EndpointStatus, 0, (*call).tokenUsage},
		{"GET /v2/team/token-usage/historical", EndpointStatus, 0, (*call).tokenHistory},
		{"GET /v2/team/queue-status", EndpointStatus, 0, (*call).queueStatus},
		{"GET /v2/concurrency-check", EndpointStatus, 0, (*call).concurrency},
	}, append(sessionTable("/v2/browser"), sessionTable("/v2/interact")...)...)
}

// sessionTable are the routes of browser sessions, which have two names.
func sessionTable(base string) []route {
	return []route{
		{"POST " + base, EndpointBrowser, sessionCredits, (*call).startSession},
		{"GET " + base, EndpointStatus, 0, (*call).listSessions},
		{"DELETE " + base, EndpointStatus, 0, (*call).endNamedSession},
		{"POST " + base + "/{id}/execute", EndpointExecute, 1, (*call).execute},
		{"DELETE " + base + "/{id}", EndpointStatus, 0, (*call).endSession},
	}
}

// The least that a session costs, and one that a model drives.
const (
	sessionCredits  = 2
	promptedCredits = 7
)

// published are the routes that the document tells of: all but those of the page.
func published() []route { return slices.Concat(table(), healthTable(), documentTable()) }

func (a *api) routes() http.Handler {
	mux := http.NewServeMux()
	all := published()
	if a.options.Page {
		all = append(all, pageTable()...)
	}
	for _, r := range all {
		mux.HandleFunc(r.pattern, func(w http.ResponseWriter, req *http.Request) { a.serve(w, req, r) })
	}
	mux.Handle(LivePath, a.engine.LiveView())
	unknown := route{pattern: "unknown", endpoint: EndpointStatus, do: func(*call) error { return errNoRoute }}
	other := route{pattern: "unknown", endpoint: EndpointStatus, do: func(c *call) error { return c.otherMethod(mux) }}
	mux.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) { a.serve(w, req, other) })
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if at := req.URL.Path; at != path.Clean(at) || at[0] != '/' { // the mux would redirect, and answer "*" by itself
			a.serve(w, req, unknown)
			return
		}
		mux.ServeHTTP(w, req)
	})
}

// otherMethod tells of a path that is no route for this method which methods it has, if any (RFC 9110 §15.5.6).
func (c *call) otherMethod(mux *http.ServeMux) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		if _, pattern := mux.Handler(&http.Request{Method: method, URL: c.r.URL}); strings.HasPrefix(pattern, method+" ") {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		return errNoRoute
	}
	c.w.Header().Set("Allow", strings.Join(allowed, ", "))
	return &problem{status: http.StatusMethodNotAllowed, code: codeMethod, text: "this route is one for " + strings.Join(allowed, " and ")}
}

// serve is the way of every request: who asks, may they, do it; an error becomes its body.
func (a *api) serve(w http.ResponseWriter, r *http.Request, to route) {
	seen := &statusWriter{ResponseWriter: w, slowest: a.options.WriteTimeout}
	if r.ContentLength != 0 {
		setReadDeadline(w, a.options.BodyTimeout)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	c := &call{api: a, w: seen, r: r}
	v := a.begin(c, seen, to)
	defer v.end()
	body := r.Body
	if err := c.run(to); err != nil {
		if errors.Is(err, errTooLarge) {
			drain(w, r, body)
		}
		v.answer(err)
	}
	v.whole = true
}

// answer tells an error.
func (v *visit) answer(err error) {
	p := v.api.problemOf(err)
	v.code, v.fault = p.code, p.id
	if v.seen.status != 0 { // the answer has begun: only its end can tell
		panic(http.ErrAbortHandler)
	}
	p.write(v.seen)
}

func (c *call) run(to route) (err error) {
	defer c.recovered(&err)
	if to.endpoint == open {
		return to.do(c)
	}
	if c.caller, err = c.api.authenticate(c.r); err != nil {
		return err
	}
	rate := c.limits.Rates[to.endpoint]
	if wait := c.api.limits.take(counter{c.hash, to.endpoint}, rate, c.api.options.Now()); wait > 0 {
		return &problem{status: http.StatusTooManyRequests, code: codeRateLimit, text: fmt.Sprintf("too many %s requests", to.endpoint), wait: wait}
	}
	if to.credits > 0 {
		defer c.release()
		if err := c.afford(to.credits); err != nil {
			return err
		}
	}
	return to.do(c)
}

func (c *call) recovered(err *error) {
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		panic(p)
	default:
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// reply writes a body.
func (c *call) reply(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, _ = c.w.Write(b.Bytes()) // a client that is gone needs no answer
	return nil
}

// id reads the path's id.
func (c *call) id() (string, error) {
	id := c.r.PathValue("id")
	if !isUUID(id) {
		return "", &problem{status: http.StatusBadRequest, code: engine.CodeBadRequest, text: "the id in the path is no UUID", details: []issue{{Code: "invalid", Path: []any{"id"}, Message: wantUUID}}}
	}
	return id, nil
}

const wantUUID = "want a UUID in lower case"

func isUUID(id string) bool {
	u, err := uuid.Parse(id)
	return err == nil && u.String() == id
}

// statusURL is where a job stands.
func (c *call) statusURL(route, id string) string {
	return strings.TrimRight(c.api.options.BaseURL, "/") + route + "/" + id
}

// stamp spells a time, nil for none.
func stamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
