package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/httpapi/internal/openapi"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// Statuses of what fetches pages, and of what asks a language model.
var (
	pageFails  = []int{http.StatusNotFound, http.StatusRequestTimeout, http.StatusConflict, http.StatusBadGateway}
	modelFails = []int{http.StatusRequestTimeout, http.StatusBadGateway}
	startFails = []int{http.StatusConflict}
	// liveFails are those of a live page.
	liveFails = []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusGone, http.StatusBadGateway}
)

const exampleID = "0190b8a0-0000-7000-8000-000000000000"

// operations are all of the document, by the pattern of the route.
func operations() map[string]openapi.Operation {
	all := map[string]openapi.Operation{}
	for _, of := range []func() map[string]openapi.Operation{
		pageOperations, siteOperations, monitorOperations, answerOperations, liveOperations, teamOperations,
	} {
		maps.Copy(all, of())
	}
	return all
}

func pageOperations() map[string]openapi.Operation {
	return map[string]openapi.Operation{
		"POST /v2/scrape": {
			ID: "scrape", Tag: "Scrape", Summary: "Scrape a page",
			About:    "A page that answers with an error of its own is no error here: its status and reason stand in the metadata.",
			BodyName: "ScrapeRequest", Needs: []string{"url"}, Answer: documentBody{}, Fails: pageFails,
			Example: `{"url":"https://example.com/","formats":["markdown","links"],"onlyMainContent":true}`,
		},
		"GET /v2/scrape/{id}": {
			ID: "getScrape", Tag: "Scrape", Summary: "Read a scrape again",
			About:  "Within a day. A scrape that failed gives its error again; one that was not kept, as under lockdown, is not found.",
			Answer: documentBody{},
			Fails:  pageFails,
		},
		"POST " + parsePath: {
			ID: "parse", Tag: "Parse", Summary: "Read a file",
			About:    "HTML, PDF, office and other files: in a form with a part \"file\" and, if wanted, a part \"options\" with JSON; or uploaded before, by the reference and the options as JSON.",
			BodyName: "ParseRequest", Needs: []string{"uploadRef"}, Answer: documentBody{},
			Fails:   []int{http.StatusNotFound, http.StatusConflict, http.StatusBadGateway},
			Example: `{"uploadRef":"as upload-url gave it","formats":["markdown"]}`,
		},
		"POST " + parsePath + "/upload-url": {
			ID: "startUpload", Tag: "Parse", Summary: "Get a URL to upload a file to", About: "The reference can be parsed by once.",
			BodyName: "UploadRequest", Needs: []string{"filename"},
			Answer: uploadBody{}, Example: `{"filename":"report.pdf","contentType":"application/pdf"}`,
		},
		"PUT " + uploadPath + "/{id}": {
			ID: "upload", Tag: "Parse", Summary: "Upload a file",
			About: "The URL carries a token in place of a key.", File: true, Answer: doneBody{},
			Query: []openapi.Parameter{{Name: tokenName, Text: "As upload-url gave it.", Takes: decode.Schema{"type": "string"}}},
			Fails: []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType},
		},
		"POST /v2/batch/scrape": {
			ID: "startBatch", Tag: "Batch", Summary: "Start a batch",
			About:    "The scrape options stand beside the URLs. URLs that can't be scraped are listed in the answer, unless ignoreInvalidURLs is false. " + followAtOnce,
			BodyName: "BatchRequest", Needs: []string{"urls"}, Header: idempotency(),
			Answer: started{}, Streams: true, Fails: append(startFails, http.StatusNotFound),
			Example: `{"urls":["https://example.com/a","https://example.com/b"],"formats":["markdown"]}`,
		},
		"GET /v2/batch/scrape/{id}": {
			ID: "getBatch", Tag: "Batch", Summary: "Read a batch", About: readAJob, Query: pageRange("documents"), Answer: jobBody{}, Socket: true, Streams: true,
		},
		"DELETE /v2/batch/scrape/{id}": {
			ID: "cancelBatch", Tag: "Batch", Summary: "Cancel a batch", About: endAJob, Answer: cancelledBody{}, Fails: startFails,
		},
		"GET /v2/batch/scrape/{id}/errors": {
			ID: "getBatchErrors", Tag: "Batch", Summary: "List the pages that a batch could not fetch", Answer: errorsBody{},
		},
	}
}

const (
	readAJob     = "How the job stands, and a part of its documents: at most 100 unless limit says otherwise, and at most 10 MiB. While further ones are there or may come, next is the URL of the next part. As a WebSocket, the job can be followed: messages are JSON objects of a type: catchup with this answer as data, document with one more, done, error with code and error. Clients that can't set headers offer their key as the subprotocol. With Accept: text/event-stream or application/x-ndjson the same messages come as events or lines, each document as one of its own."
	followAtOnce = "With Accept: application/x-ndjson or text/event-stream the job is followed at once, after a message of the type started with this answer as data; it goes on when the client leaves."
	endAJob      = "What it has got until then can still be read."
)

// idempotency is the header that makes starting a job safe to repeat.
func idempotency() []openapi.Parameter {
	return []openapi.Parameter{{Name: "X-Idempotency-Key", Text: "A key starts one job: a request under it again is a conflict, whose text names the job where the request is the same.",
		Takes: decode.Schema{"type": "string", "maxLength": decode.MaxLabel}}}
}

// pageRange are the parameters of a part of a list.
func pageRange(of string) []openapi.Parameter {
	return []openapi.Parameter{
		{Name: "skip", Text: "How many " + of + " to leave out.",
			Takes: decode.Schema{"type": "integer", "minimum": 0, "maximum": maxSkip, "default": 0}},
		{Name: "limit", Text: "The most " + of + " of the answer.", Takes: decode.Schema{"type": "integer", "minimum": 1, "maximum": maxAtOnce}},
	}
}

func siteOperations() map[string]openapi.Operation {
	mapping := openapi.Operation{
		Tag: "Map", Needs: []string{"url"},
		Fails: []int{http.StatusNotFound, http.StatusRequestTimeout}, Example: `{"url":"https://example.com/","search":"docs","limit":100}`,
	}
	mapV1, mapV2 := mapping, mapping
	mapV1.ID, mapV1.Summary, mapV1.BodyName, mapV1.Answer = "mapV1", "List the URLs of a site, as strings", "MapRequestV1", mapV1Body{}
	mapV2.ID, mapV2.Summary, mapV2.BodyName, mapV2.Answer = "map", "List the URLs of a site", "MapRequest", mapBody{}
	return map[string]openapi.Operation{
		"POST /v2/crawl": {
			ID: "startCrawl", Tag: "Crawl", Summary: "Start a crawl",
			About:    "robots.txt is obeyed. A prompt is turned into options by a language model; what the body gives beside it wins. " + followAtOnce,
			BodyName: "CrawlRequest", Needs: []string{"url"}, Header: idempotency(),
			Answer: started{}, Streams: true, Fails: append(startFails, modelFails...),
			Example: `{"url":"https://example.com/","limit":50,"includePaths":["^/docs/"],"scrapeOptions":{"formats":["markdown"]}}`,
		},
		"GET /v2/crawl/active": {ID: "listActiveCrawls", Tag: "Crawl", Summary: "List the team's running crawls", Answer: crawlsBody{}},
		"GET /v2/crawl/ongoing": {
			ID: "listOngoingCrawls", Tag: "Crawl", Summary: "List the team's running crawls",
			About: "Another name of /v2/crawl/active.", Answer: crawlsBody{},
		},
		"POST /v2/crawl/params-preview": {
			ID: "previewCrawl", Tag: "Crawl", Summary: "Turn a prompt into the options of a crawl",
			BodyName: "CrawlPreviewRequest", Needs: []string{"url", "prompt"},
			Answer: previewBody{}, Fails: modelFails, Example: `{"url":"https://example.com/","prompt":"only the pages about prices"}`,
		},
		"GET /v2/crawl/{id}": {
			ID: "getCrawl", Tag: "Crawl", Summary: "Read a crawl", About: readAJob, Query: pageRange("documents"), Answer: jobBody{}, Socket: true, Streams: true,
		},
		"DELETE /v2/crawl/{id}": {
			ID: "cancelCrawl", Tag: "Crawl", Summary: "Cancel a crawl", About: endAJob, Answer: cancelledBody{}, Fails: startFails,
		},
		"GET /v2/crawl/{id}/changes": {
			ID: "getCrawlChanges", Tag: "Crawl", Summary: "List what has changed since an earlier crawl", Answer: changesBody{},
			About: "Of a crawl with winnow.since: pages that were added, changed, removed or moved, each once, in the order in which they were " +
				"found; at most 1000 at a time, while next is the URL of the next part. With Accept: application/x-ndjson each comes as a " +
				"line as soon as it is found, until the crawl has ended.",
			Query: pageRange("changes"),
		},
		"GET /v2/crawl/{id}/errors": {
			ID: "getCrawlErrors", Tag: "Crawl", Summary: "List the pages that a crawl could not fetch", Answer: errorsBody{},
		},
		"POST /v1/map": mapV1,
		"POST /v2/map": mapV2,
	}
}

func answerOperations() map[string]openapi.Operation {
	return map[string]openapi.Operation{
		"POST /v2/search": {
			ID: "search", Tag: "Search", Summary: "Search",
			About: "With scrapeOptions the pages that are found are scraped too. The local index finds what is in the cache: as news the " +
				"articles that have a date, the newest first among equally good ones, and as images those that have a text.",
			BodyName: "SearchRequest", Needs: []string{"query"},
			Answer: searchBody{}, Fails: []int{http.StatusRequestTimeout, http.StatusBadGateway},
			Example: `{"query":"how lamps are made","limit":5,"sources":["web"]}`,
		},
		"POST /v2/extract": {
			ID: "startExtract", Tag: "Extract", Summary: "Start an extraction",
			About:    "Of urls and prompt at least one must be given. A URL that ends in /* stands for a whole site.",
			BodyName: "ExtractRequest", Header: idempotency(), Answer: started{}, Fails: startFails,
			Example: `{"urls":["https://example.com/*"],"prompt":"name and price of each product","schema":{"type":"object","properties":{"products":{"type":"array"}}}}`,
		},
		"GET /v2/extract/{id}": {ID: "getExtract", Tag: "Extract", Summary: "Read an extraction, or an agent", Answer: answerBody{}},
		"POST /v2/agent": {
			ID: "startAgent", Tag: "Agent", Summary: "Start an agent", BodyName: "AgentRequest", Needs: []string{"prompt"}, Header: idempotency(),
			Answer: started{},
			Fails:  startFails, Example: `{"prompt":"Which lamps does the shop sell, and at what price?","urls":["https://example.com/"],"maxCredits":100}`,
		},
		"GET /v2/agent": {ID: "listAgents", Tag: "Agent", Summary: "List the team's agents",
			About: "The newest first.", Answer: agentsBody{}, Query: []openapi.Parameter{
				{Name: "before", Text: "Only older ones: Unix milliseconds, as next has them.", Takes: decode.Schema{"type": "integer", "minimum": 0}},
			}},
		"GET /v2/agent/{id}/trace": {ID: "getAgentTrace", Tag: "Agent", Summary: "List what an agent did",
			Answer: traceBody{}, Query: []openapi.Parameter{
				{Name: "liveView", Text: "List live views too: an agent has none, so the list is empty.", Takes: decode.Schema{"type": "boolean"}},
			}},
		"GET /v2/agent/{id}/snapshots/{snapshot}": {
			ID: "getAgentSnapshot", Tag: "Agent", Summary: "Read what an agent saw or made", Answer: snapshotBody{},
		},
		"GET /v2/agent/{id}": {ID: "getAgent", Tag: "Agent", Summary: "Read an agent", Answer: answerBody{}},
		"DELETE /v2/agent/{id}": {
			ID: "cancelAgent", Tag: "Agent", Summary: "Cancel an agent", Answer: doneBody{}, Fails: startFails,
		},
	}
}

func liveOperations() map[string]openapi.Operation {
	all := map[string]openapi.Operation{
		"POST /v2/scrape/{id}/interact": {
			ID: "interact", Tag: "Interact", Summary: "Run code or a prompt on the page of a scrape",
			About:    "Exactly one of code and prompt. The first call opens the page in the state in which the scrape left it; further calls find what the last one left. Code that fails is no error here: success is false.",
			BodyName: "InteractRequest", Answer: interactBody{}, Fails: liveFails, Example: `{"code":"await page.title()","timeout":30}`,
		},
		"DELETE /v2/scrape/{id}/interact": {
			ID: "stopInteract", Tag: "Interact", Summary: "End the session of a scrape", Answer: destroyed{}, Fails: liveFails,
		},
	}
	sessions := map[string]openapi.Operation{
		"POST ": {
			ID: "startSession", Tag: "Browser", Summary: "Start a browser session", BodyName: "SessionRequest",
			Answer: startedSession{}, Fails: liveFails,
			Example: `{"ttl":600,"activityTtl":300}`,
		},
		"GET ": {ID: "listSessions", Tag: "Browser", Summary: "List the team's browser sessions",
			Answer: sessionsBody{}, Query: []openapi.Parameter{
				{Name: "status", Text: "Only those.", Takes: decode.WordsSchema("active", "destroyed")},
			}},
		"DELETE ": {
			ID: "endNamedSession", Tag: "Browser", Summary: "End the browser session that the body names",
			BodyName: "SessionEndRequest", Needs: []string{"id"},
			Answer: destroyed{}, Fails: append(liveFails, http.StatusNotFound), Example: `{"id":"` + exampleID + `"}`,
		},
		"POST /{id}/execute": {
			ID: "execute", Tag: "Browser", Summary: "Run code in a browser session", About: "Code that fails is no error here: success is false.",
			BodyName: "ExecuteRequest", Needs: []string{"code"},
			Answer: interactBody{}, Fails: liveFails, Example: `{"code":"await page.goto('https://example.com/'); await page.title()"}`,
		},
		"DELETE /{id}": {
			ID: "endSession", Tag: "Browser", Summary: "End a browser session",
			About: "Again, with the same answer, if it has ended.", Answer: destroyed{}, Fails: liveFails,
		},
	}
	for key, o := range sessions {
		method, rest, _ := strings.Cut(key, " ")
		all[method+" /v2/browser"+rest] = o
		o.ID, o.About = "interact"+decode.Capital(o.ID), strings.TrimSpace(o.About+" Another name of /v2/browser"+rest+".")
		all[method+" /v2/interact"+rest] = o
	}
	return all
}

// byKey is what a history can't be parted by.
func byKey() []openapi.Parameter {
	return []openapi.Parameter{{Name: "byApiKey", Text: "Not supported; accepted only as false.", Takes: decode.Schema{"const": "false"}}}
}

func teamOperations() map[string]openapi.Operation {
	return map[string]openapi.Operation{
		"GET /v2/team/activity": {
			ID: "listActivity", Tag: "Team", Summary: "List the team's requests of the last 24 hours",
			About: "The newest first.", Answer: activityBody{},
			Query: []openapi.Parameter{
				{Name: "endpoint", Text: "Only requests of this kind.", Takes: decode.WordsSchema(slices.Sorted(maps.Keys(activityEndpoints))...)},
				{Name: "limit", Text: "How many to list; larger numbers are cut to 100, others are taken for the default.",
					Takes: decode.Schema{"type": "integer", "minimum": 1, "maximum": maxActivity, "default": defaultActivity}},
				{Name: "cursor", Text: "Where to go on, as the last answer said.", Takes: decode.Schema{"type": "string"}},
			},
		},
		"GET /v2/team/credit-usage": {
			ID: "getCreditUsage", Tag: "Team", Summary: "Read the team's credits",
			About: "Without a limit both numbers are 2^53−1. Credits are granted once: there is no billing period.", Answer: usageBody{},
		},
		"GET /v2/team/credit-usage/historical": {
			ID: "getCreditHistory", Tag: "Team", Summary: "Read the team's credits month by month", Answer: periodsBody{}, Query: byKey(),
		},
		"GET /v2/team/token-usage": {
			ID: "getTokenUsage", Tag: "Team", Summary: "Read the team's tokens of language models",
			About: "They have no limit: both numbers are 2^53−1.", Answer: tokenUsageBody{},
		},
		"GET /v2/team/token-usage/historical": {
			ID: "getTokenHistory", Tag: "Team", Summary: "Read the team's tokens month by month", Answer: tokenPeriodsBody{}, Query: byKey(),
		},
		"GET /v2/team/queue-status": {
			ID: "getQueueStatus", Tag: "Team", Summary: "Read what the team has running and queued", Answer: queueBody{},
		},
		"GET /v2/concurrency-check": {
			ID: "getConcurrency", Tag: "Team", Summary: "Read how many of the team's pages are running", Answer: concurrencyBody{},
		},
		livePattern: {
			ID: "getHealth", Tag: "Service", Summary: "Check that the service is running", About: "It needs no key.", Answer: health{},
		},
		readyPattern: {
			ID: "getReadiness", Tag: "Service", Summary: "Check whether the service can take requests", About: "It needs no key.", Answer: health{},
			Others: map[int]any{http.StatusServiceUnavailable: health{}},
		},
		"GET " + documentPath: {
			ID: "getDocument", Tag: "Service", Summary: "Describe this API", About: "This document. It needs no key.", Answer: map[string]any{},
		},
	}
}

// monitorOperations describe the routes of monitors.
func monitorOperations() map[string]openapi.Operation {
	const one = monitorPath + "/{id}"
	about := "Scrapes, crawls or searches again and again by a schedule (cron or English words), and finds what has changed."
	page := func(name, text string) openapi.Parameter {
		return openapi.Parameter{Name: name, Text: text, Takes: decode.Schema{"type": "integer", "minimum": 0, "maximum": maxSkip, "default": 0}}
	}
	limit := pageRange("items")[1]
	list := []openapi.Parameter{limit, page("offset", "How many to leave out.")}
	states := openapi.Parameter{Name: "status", Text: "Only pages of this status.", Takes: decode.WordsSchema("same", "new", "changed", "removed", "error")}
	rule := openapi.Parameter{Name: "rule", Text: "The id of a rule.", Takes: decode.Schema{"type": "string"}}
	return map[string]openapi.Operation{
		"POST " + monitorPath: {
			ID: "createMonitor", Tag: "Monitor", Summary: "Create a monitor", About: about + " A goal needs a language model. E-mail is not sent.",
			BodyName: "MonitorRequest", Needs: []string{"name", "targets"}, Answer: monitorBody{},
			Example: `{"name":"prices","schedule":{"text":"every 2 hours"},"targets":[{"type":"scrape","urls":["https://example.com/"]}]}`,
		},
		"GET " + monitorPath: {ID: "listMonitors", Tag: "Monitor", Summary: "List the team's monitors", About: "The newest first.",
			Answer: monitorsBody{}, Query: list},
		"GET " + one: {ID: "getMonitor", Tag: "Monitor", Summary: "Read a monitor", Answer: monitorBody{}},
		"PATCH " + one: {
			ID: "updateMonitor", Tag: "Monitor", Summary: "Change a monitor", About: "What is not given stays; targets are replaced as a whole: one with the id of an earlier one keeps what is known of its pages.",
			BodyName: "MonitorUpdateRequest", Answer: monitorBody{}, Example: `{"status":"paused"}`,
		},
		"DELETE " + one: {ID: "deleteMonitor", Tag: "Monitor", Summary: "Delete a monitor", About: "With all that was kept of it.", Answer: doneBody{}},
		"POST " + one + "/run": {
			ID: "runMonitor", Tag: "Monitor", Summary: "Run a monitor at once", About: "The check is returned as it begins.", BodyName: "MonitorRunRequest",
			Example: `{}`, Answer: checkBody{},
			Fails: []int{http.StatusConflict, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge},
		},
		"GET " + one + "/checks": {ID: "listMonitorChecks", Tag: "Monitor", Summary: "List the checks of a monitor", About: "The newest first.",
			Answer: checksBody{}, Query: list},
		"GET " + one + "/checks/{check}": {
			ID: "getMonitorCheck", Tag: "Monitor", Summary: "Read a check with its pages", About: "While there are further pages, next is the URL of the next part.",
			Answer: detailBody{}, Query: append(pageRange("pages"), states),
		},
		"GET " + one + "/changes": {
			ID: "listMonitorChanges", Tag: "Monitor", Summary: "List what a monitor has found", About: "Lines of JSON (application/x-ndjson), the oldest first, each with a number: after continues behind one.",
			Answer: "", Media: "application/x-ndjson", Query: []openapi.Parameter{page("after", "The number of the last change that is known.")},
		},
		"GET " + one + "/feed": {ID: "getMonitorFeed", Tag: "Monitor", Summary: "Read a monitor's changes as an Atom feed",
			About: "The newest 100.", Answer: "", Media: "application/atom+xml"},
		"GET " + one + "/noise": {ID: "listMonitorNoise", Tag: "Monitor", Summary: "List what a monitor takes for noise", Answer: noiseBody{}},
		"DELETE " + one + "/noise": {
			ID: "takeBackMonitorNoise", Tag: "Monitor", Summary: "Make what a rule of noise passes over count", Answer: doneBody{}, Query: []openapi.Parameter{rule},
		},
	}
}
