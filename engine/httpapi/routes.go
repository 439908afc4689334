package httpapi

import (
	"errors"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine"
)

// route is one line of the table.
type route struct {
	pattern  string
	endpoint Endpoint // whose rate counts; open: it needs no key
	credits  int64    // that must be left to begin; 0: it is free
	do       func(*call) error
}

const parsePath = "/v2/parse"

// open is the endpoint of routes for all, without a key or rate.
const open Endpoint = ""

// table lists all routes.
func table() []route {
	return append([]route{
		{"POST /v2/scrape", EndpointScrape, 1, handleScrape},
		{"GET /v2/scrape/{id}", EndpointStatus, 0, handleScrapeByID},
		{"POST /v2/scrape/{id}/interact", EndpointExecute, 1, handleInteract},
		{"DELETE /v2/scrape/{id}/interact", EndpointStatus, 0, handleStopInteract},
		{"POST " + parsePath, EndpointParse, 1, handleParse},
		{"POST " + parsePath + "/upload-url", EndpointParse, 0, handleStartUpload},
		{"PUT " + uploadPath + "/{id}", EndpointStatus, 0, handleReceive},
		{"POST /v2/batch/scrape", EndpointBatch, 1, handleStartBatch},
		{"GET /v2/batch/scrape/{id}", EndpointStatus, 0, of((*engine.Job).Batch, handleBatch)},
		{"DELETE /v2/batch/scrape/{id}", EndpointStatus, 0, of((*engine.Job).Batch, handleCancel)},
		{"GET /v2/batch/scrape/{id}/errors", EndpointStatus, 0, of((*engine.Job).Batch, handleBatchErrors)},
		{"POST /v2/crawl", EndpointCrawl, 1, handleStartCrawl},
		{"GET /v2/crawl/active", EndpointStatus, 0, handleActiveCrawls},
		{"GET /v2/crawl/ongoing", EndpointStatus, 0, handleActiveCrawls},
		{"POST /v2/crawl/params-preview", EndpointCrawl, 0, handleCrawlPreview},
		{"GET /v2/crawl/{id}", EndpointStatus, 0, of((*engine.Job).Crawl, handleCrawl)},
		{"DELETE /v2/crawl/{id}", EndpointStatus, 0, of((*engine.Job).Crawl, handleCancel)},
		{"GET /v2/crawl/{id}/changes", EndpointStatus, 0, of((*engine.Job).Crawl, handleCrawlChanges)},
		{"GET /v2/crawl/{id}/errors", EndpointStatus, 0, of((*engine.Job).Crawl, handleCrawlErrors)},
		{"POST /v1/map", EndpointMap, 1, handleMapV1},
		{"POST /v2/map", EndpointMap, 1, handleMapV2},
		{"POST /v2/search", EndpointSearch, 2, handleSearch},
		{"POST /v2/extract", EndpointExtract, 1, handleStartExtract},
		{"GET /v2/extract/{id}", EndpointStatus, 0, handleExtractOrAgent},
		{"POST /v2/agent", EndpointAgent, 1, handleStartAgent},
		{"GET /v2/agent", EndpointStatus, 0, handleListAgents},
		{"GET /v2/agent/{id}", EndpointStatus, 0, of((*engine.Job).Agent, handleAgent)},
		{"DELETE /v2/agent/{id}", EndpointStatus, 0, of((*engine.Job).Agent, handleCancelAgent)},
		{"GET /v2/agent/{id}/trace", EndpointStatus, 0, of((*engine.Job).Agent, handleAgentTrace)},
		{"GET /v2/agent/{id}/snapshots/{snapshot}", EndpointStatus, 0, of((*engine.Job).Agent, handleAgentSnapshot)},
		{"GET /v2/team/activity", EndpointStatus, 0, handleActivity},
		{"GET /v2/team/credit-usage", EndpointStatus, 0, handleCreditUsage},
		{"GET /v2/team/credit-usage/historical", EndpointStatus, 0, handleCreditHistory},
		{"GET /v2/team/token-usage", EndpointStatus, 0, handleTokenUsage},
		{"GET /v2/team/token-usage/historical", EndpointStatus, 0, handleTokenHistory},
		{"GET /v2/team/queue-status", EndpointStatus, 0, handleQueueStatus},
		{"GET /v2/concurrency-check", EndpointStatus, 0, handleConcurrency},
	}, slices.Concat(monitorTable(), sessionTable("/v2/browser"), sessionTable("/v2/interact"))...)
}

// sessionTable are the routes of browser sessions, which have two names.
func sessionTable(base string) []route {
	return []route{
		{"POST " + base, EndpointBrowser, sessionCredits, handleStartSession},
		{"GET " + base, EndpointStatus, 0, handleListSessions},
		{"DELETE " + base, EndpointStatus, 0, handleEndNamedSession},
		{"POST " + base + "/{id}/execute", EndpointExecute, 1, handleExecute},
		{"DELETE " + base + "/{id}", EndpointStatus, 0, handleEndSession},
	}
}

// The least that a session costs, and one that a model drives.
const (
	sessionCredits  = 2
	promptedCredits = 7
)

// published are the routes that the document describes: all but those of the page.
func published() []route { return slices.Concat(table(), healthTable(), documentTable()) }

func (a *api) routes() http.Handler {
	mux := http.NewServeMux()
	all := append(published(), tableV1()...)
	if a.options.Page {
		all = append(all, pageTable(a.pageAssets())...)
	}
	for _, r := range all {
		mux.HandleFunc(r.pattern, func(w http.ResponseWriter, req *http.Request) { a.serve(w, req, r) })
	}
	mux.Handle(LivePath, a.engine.LiveView())
	unknown := route{pattern: "unknown", endpoint: EndpointStatus, do: func(*call) error { return errNoRoute }}
	other := route{pattern: "unknown", endpoint: EndpointStatus, do: func(c *call) error { return otherMethod(c, mux) }}
	mux.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) { a.serve(w, req, other) })
	own := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if at := req.URL.Path; at != path.Clean(at) || at[0] != '/' { // the mux would redirect, and answer "*" by itself
			a.serve(w, req, unknown)
			return
		}
		mux.ServeHTTP(w, req)
	})
	doorAt := a.doorsTo(own)
	return a.crossOrigin(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if door, ok := doorAt(req.URL.Path); ok {
			a.serve(w, req, door)
			return
		}
		own.ServeHTTP(w, req)
	}))
}

// otherMethod lists the methods of a path that is no route for this method, if there are any (RFC 9110 §15.5.6).
func otherMethod(c *call, mux *http.ServeMux) error {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if _, pattern := mux.Handler(&http.Request{Method: method, URL: c.r.URL}); strings.HasPrefix(pattern, method+" ") {
			allowed = append(allowed, method)
		}
	}
	if allowed == nil {
		return errNoRoute
	}
	c.w.Header().Set("Allow", strings.Join(allowed, ", "))
	return refusal(codeMethod, "this route accepts only "+strings.Join(allowed, " and "))
}

// serve handles every request: it authenticates, checks the limits and calls the route's function; an error becomes the body.
func (a *api) serve(w http.ResponseWriter, r *http.Request, to route) {
	seen := &statusWriter{ResponseWriter: w, slowest: a.options.WriteTimeout}
	if r.ContentLength != 0 {
		setReadDeadline(w, a.options.BodyTimeout)
	}
	endChunked(w, r)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	c := &call{api: a, w: seen, r: r}
	v := a.begin(c, seen, to)
	defer v.end()
	body := r.Body
	if err := c.run(to); err != nil {
		if p, ok := errors.AsType[*problem](err); ok && p.code == codeTooLarge {
			drain(w, r, body)
		}
		v.answer(err)
	}
	v.whole = true
}

// answer writes an error.
func (v *visit) answer(err error) {
	p := v.api.problemOf(err)
	v.code, v.fault = p.code, p.id
	if v.seen.status != 0 { // the answer has begun: only cutting it short can show the error
		panic(http.ErrAbortHandler)
	}
	p.write(v.seen)
}
