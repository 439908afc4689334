package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// operation is what the document tells of a route beside what the route itself does.
type operation struct {
	id, tag string
	summary string
	about   string   // more than the summary; may be empty
	body    string   // title of the body's schema; empty: there is no body
	needs   []string // fields that the body must have
	example string   // a body
	query   []parameter
	header  []parameter
	answer  any         // a value of the type of the answer
	socket  bool        // it can be asked for a WebSocket
	file    bool        // the body is one
	fails   []int       // statuses of errors beside those that follow from the route: see statusesOf
	others  map[int]any // answers that are neither that nor errors, by their statuses
}

// parameter of a query or a header.
type parameter struct {
	name, text string
	takes      schema
}

// groups are the tags, in the order of the document.
var groups = []struct{ name, about string }{
	{"Scrape", "One page, now: its content in the formats that are asked for."},
	{"Parse", "A file that is sent along, read like a page."},
	{"Batch", "Many pages as one job."},
	{"Crawl", "A website as one job, page by page along its links and sitemaps."},
	{"Map", "The URLs of a website."},
	{"Search", "The web or the local index, with the pages found if wanted."},
	{"Extract", "Data by a schema or a prompt, from pages or whole sites."},
	{"Agent", "A goal in words; a language model finds the way."},
	{"Interact", "Code and prompts on a live page."},
	{"Browser", "Browser sessions that clients start and end."},
	{"Team", "What the team did, used and has at work."},
	{"Service", "The service itself."},
}

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
func operations() map[string]operation {
	all := map[string]operation{}
	for _, of := range []map[string]operation{pageOperations(), siteOperations(), answerOperations(), liveOperations(), teamOperations()} {
		maps.Copy(all, of)
	}
	return all
}

func pageOperations() map[string]operation {
	return map[string]operation{
		"POST /v2/scrape": {
			id: "scrape", tag: "Scrape", summary: "Scrape a page",
			about: "A page that answers with an error of its own is no error here: its status and reason stand in the metadata.",
			body:  "ScrapeRequest", needs: []string{"url"}, answer: documentBody{}, fails: pageFails,
			example: `{"url":"https://example.com/","formats":["markdown","links"],"onlyMainContent":true}`,
		},
		"GET /v2/scrape/{id}": {
			id: "getScrape", tag: "Scrape", summary: "Read a scrape again",
			about: "Within a day. A scrape that failed gives its error again; one that was kept by nobody, as under lockdown, is not found.", answer: documentBody{},
			fails: pageFails,
		},
		"POST " + parsePath: {
			id: "parse", tag: "Parse", summary: "Read a file",
			about: "HTML, PDF, office and other files: in a form with a part \"file\" and, if wanted, a part \"options\" with JSON; or uploaded before, by the reference and the options as JSON.",
			body:  "ParseRequest", needs: []string{"uploadRef"}, answer: documentBody{},
			fails:   []int{http.StatusNotFound, http.StatusConflict, http.StatusBadGateway},
			example: `{"uploadRef":"as upload-url gave it","formats":["markdown"]}`,
		},
		"POST " + parsePath + "/upload-url": {
			id: "startUpload", tag: "Parse", summary: "Ask where to upload a file", about: "The reference can be parsed by once.",
			body: "UploadRequest", needs: []string{"filename"}, answer: uploadBody{}, example: `{"filename":"report.pdf","contentType":"application/pdf"}`,
		},
		"PUT " + uploadPath + "/{id}": {
			id: "upload", tag: "Parse", summary: "Upload a file", about: "The URL carries a token in place of a key.", file: true, answer: doneBody{},
			query: []parameter{{tokenName, "As upload-url gave it.", schema{"type": "string"}}},
			fails: []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType},
		},
		"POST /v2/batch/scrape": {
			id: "startBatch", tag: "Batch", summary: "Start a batch",
			about: "The scrape options stand beside the URLs. URLs that can't be scraped are listed in the answer, unless ignoreInvalidURLs is false.",
			body:  "BatchRequest", needs: []string{"urls"}, header: idempotency(), answer: started{}, fails: append(startFails, http.StatusNotFound),
			example: `{"urls":["https://example.com/a","https://example.com/b"],"formats":["markdown"]}`,
		},
		"GET /v2/batch/scrape/{id}":        {id: "getBatch", tag: "Batch", summary: "Read a batch", about: readAJob, query: window(), answer: jobBody{}, socket: true},
		"DELETE /v2/batch/scrape/{id}":     {id: "cancelBatch", tag: "Batch", summary: "Cancel a batch", about: endAJob, answer: cancelledBody{}, fails: startFails},
		"GET /v2/batch/scrape/{id}/errors": {id: "getBatchErrors", tag: "Batch", summary: "List what a batch hasn't got", answer: errorsBody{}},
	}
}

const (
	readAJob = "How the job stands, and a part of its documents: at most 100 unless limit says otherwise, and at most 10 MiB. While further ones are there or may come, next is the URL of the next part. As a WebSocket, the job can be followed: messages are JSON objects of a type: catchup with this answer as data, document with one more, done, error with code and error. Clients that can't set headers offer their key as the subprotocol."
	endAJob  = "What it has got until then can still be read."
)

// idempotency is the header that makes starting a job safe to repeat.
func idempotency() []parameter {
	return []parameter{{"X-Idempotency-Key", "A key starts one job: a request under it again is a conflict, whose text names the job where the request is the same.", schema{"type": "string", "maxLength": longestLabel}}}
}

// window are the parameters of a job's pages.
func window() []parameter {
	return []parameter{
		{"skip", "How many documents to leave out.", schema{"type": "integer", "minimum": 0, "maximum": largestSkip, "default": 0}},
		{"limit", "The most documents of the answer.", schema{"type": "integer", "minimum": 1, "maximum": mostAtOnce}},
	}
}

func siteOperations() map[string]operation {
	mapping := operation{
		tag: "Map", needs: []string{"url"}, fails: []int{http.StatusNotFound, http.StatusRequestTimeout}, example: `{"url":"https://example.com/","search":"docs","limit":100}`,
	}
	mapV1, mapV2 := mapping, mapping
	mapV1.id, mapV1.summary, mapV1.body, mapV1.answer = "mapV1", "List the URLs of a site, as strings", "MapRequestV1", mapV1Body{}
	mapV2.id, mapV2.summary, mapV2.body, mapV2.answer = "map", "List the URLs of a site", "MapRequest", mapBody{}
	return map[string]operation{
		"POST /v2/crawl": {
			id: "startCrawl", tag: "Crawl", summary: "Start a crawl",
			about: "robots.txt is obeyed. A prompt is turned into options by a language model; what the body gives beside it wins.",
			body:  "CrawlRequest", needs: []string{"url"}, header: idempotency(), answer: started{}, fails: append(startFails, modelFails...),
			example: `{"url":"https://example.com/","limit":50,"includePaths":["^/docs/"],"scrapeOptions":{"formats":["markdown"]}}`,
		},
		"GET /v2/crawl/active":  {id: "listActiveCrawls", tag: "Crawl", summary: "List the team's crawls at work", answer: crawlsBody{}},
		"GET /v2/crawl/ongoing": {id: "listOngoingCrawls", tag: "Crawl", summary: "List the team's crawls at work", about: "Another name of /v2/crawl/active.", answer: crawlsBody{}},
		"POST /v2/crawl/params-preview": {
			id: "previewCrawl", tag: "Crawl", summary: "Turn a prompt into the options of a crawl", body: "CrawlPreviewRequest", needs: []string{"url", "prompt"},
			answer: previewBody{}, fails: modelFails, example: `{"url":"https://example.com/","prompt":"only the pages about prices"}`,
		},
		"GET /v2/crawl/{id}":        {id: "getCrawl", tag: "Crawl", summary: "Read a crawl", about: readAJob, query: window(), answer: jobBody{}, socket: true},
		"DELETE /v2/crawl/{id}":     {id: "cancelCrawl", tag: "Crawl", summary: "Cancel a crawl", about: endAJob, answer: cancelledBody{}, fails: startFails},
		"GET /v2/crawl/{id}/errors": {id: "getCrawlErrors", tag: "Crawl", summary: "List what a crawl hasn't got", answer: errorsBody{}},
		"POST /v1/map":              mapV1,
		"POST /v2/map":              mapV2,
	}
}

func answerOperations() map[string]operation {
	return map[string]operation{
		"POST /v2/search": {
			id: "search", tag: "Search", summary: "Search", about: "With scrapeOptions the pages that are found are scraped too.",
			body: "SearchRequest", needs: []string{"query"}, answer: searchBody{}, fails: []int{http.StatusRequestTimeout, http.StatusBadGateway},
			example: `{"query":"how lamps are made","limit":5,"sources":["web"]}`,
		},
		"POST /v2/extract": {
			id: "startExtract", tag: "Extract", summary: "Start an extraction", about: "Of urls and prompt at least one must be given. A URL that ends in /* stands for a whole site.",
			body: "ExtractRequest", header: idempotency(), answer: started{}, fails: startFails,
			example: `{"urls":["https://example.com/*"],"prompt":"name and price of each product","schema":{"type":"object","properties":{"products":{"type":"array"}}}}`,
		},
		"GET /v2/extract/{id}": {id: "getExtract", tag: "Extract", summary: "Read an extraction, or an agent", answer: answerBody{}},
		"POST /v2/agent": {
			id: "startAgent", tag: "Agent", summary: "Start an agent", body: "AgentRequest", needs: []string{"prompt"}, header: idempotency(), answer: started{},
			fails: startFails, example: `{"prompt":"Which lamps does the shop sell, and at what price?","urls":["https://example.com/"],"maxCredits":100}`,
		},
		"GET /v2/agent": {id: "listAgents", tag: "Agent", summary: "List the team's agents", about: "The newest first.", answer: agentsBody{}, query: []parameter{
			{"before", "Only older ones: Unix milliseconds, as next has them.", schema{"type": "integer", "minimum": 0}},
		}},
		"GET /v2/agent/{id}/trace": {id: "getAgentTrace", tag: "Agent", summary: "List what an agent did", answer: traceBody{}, query: []parameter{
			{"liveView", "Tell of live views too: an agent has none, so the list is empty.", schema{"type": "boolean"}},
		}},
		"GET /v2/agent/{id}/snapshots/{snapshot}": {id: "getAgentSnapshot", tag: "Agent", summary: "Read what an agent saw or made", answer: snapshotBody{}},
		"GET /v2/agent/{id}":                      {id: "getAgent", tag: "Agent", summary: "Read an agent", answer: answerBody{}},
		"DELETE /v2/agent/{id}":                   {id: "cancelAgent", tag: "Agent", summary: "Cancel an agent", answer: doneBody{}, fails: startFails},
	}
}

func liveOperations() map[string]operation {
	all := map[string]operation{
		"POST /v2/scrape/{id}/interact": {
			id: "interact", tag: "Interact", summary: "Run code or a prompt on the page of a scrape",
			about: "Exactly one of code and prompt. The first call opens the page in the state in which the scrape left it; further calls find what the last one left. Code that fails is no error here: success is false.",
			body:  "InteractRequest", answer: interactBody{}, fails: liveFails, example: `{"code":"await page.title()","timeout":30}`,
		},
		"DELETE /v2/scrape/{id}/interact": {id: "stopInteract", tag: "Interact", summary: "End the session of a scrape", answer: destroyed{}, fails: liveFails},
	}
	sessions := map[string]operation{
		"POST ": {
			id: "startSession", tag: "Browser", summary: "Start a browser session", body: "SessionRequest", answer: startedSession{}, fails: liveFails,
			example: `{"ttl":600,"activityTtl":300}`,
		},
		"GET ": {id: "listSessions", tag: "Browser", summary: "List the team's browser sessions", answer: sessionsBody{}, query: []parameter{
			{"status", "Only those.", wordsSchema("active", "destroyed")},
		}},
		"DELETE ": {
			id: "endNamedSession", tag: "Browser", summary: "End the browser session that the body names", body: "SessionEndRequest", needs: []string{"id"},
			answer: destroyed{}, fails: append(liveFails, http.StatusNotFound), example: `{"id":"` + exampleID + `"}`,
		},
		"POST /{id}/execute": {
			id: "execute", tag: "Browser", summary: "Run code in a browser session", about: "Code that fails is no error here: success is false.",
			body: "ExecuteRequest", needs: []string{"code"}, answer: interactBody{}, fails: liveFails, example: `{"code":"await page.goto('https://example.com/'); await page.title()"}`,
		},
		"DELETE /{id}": {id: "endSession", tag: "Browser", summary: "End a browser session", about: "Again, with the same answer, if it has ended.", answer: destroyed{}, fails: liveFails},
	}
	for key, o := range sessions {
		method, rest, _ := strings.Cut(key, " ")
		all[method+" /v2/browser"+rest] = o
		o.id, o.about = "interact"+capital(o.id), strings.TrimSpace(o.about+" Another name of /v2/browser"+rest+".")
		all[method+" /v2/interact"+rest] = o
	}
	return all
}

// byKey is what a history can't be parted by.
func byKey() []parameter {
	return []parameter{{"byApiKey", "Not supported; accepted only as false.", schema{"const": "false"}}}
}

func teamOperations() map[string]operation {
	return map[string]operation{
		"GET /v2/team/activity": {
			id: "listActivity", tag: "Team", summary: "List what the team asked for in the last 24 hours", about: "The newest first.", answer: activityBody{},
			query: []parameter{
				{"endpoint", "Only requests of this kind.", wordsSchema(slices.Sorted(maps.Keys(activityEndpoints))...)},
				{"limit", "How many to list; larger numbers are cut to 100, others are taken for the default.", schema{"type": "integer", "minimum": 1, "maximum": mostActivity, "default": defaultActivity}},
				{"cursor", "Where to go on, as the last answer said.", schema{"type": "string"}},
			},
		},
		"GET /v2/team/credit-usage": {
			id: "getCreditUsage", tag: "Team", summary: "Tell the team's credits", about: "Without a limit both numbers are 2^53−1. Credits are granted once: there is no billing period.", answer: usageBody{},
		},
		"GET /v2/team/credit-usage/historical": {
			id: "getCreditHistory", tag: "Team", summary: "Tell the team's credits month by month", answer: periodsBody{}, query: byKey(),
		},
		"GET /v2/team/token-usage": {id: "getTokenUsage", tag: "Team", summary: "Tell the team's tokens of language models", about: "They have no limit: both numbers are 2^53−1.", answer: tokenUsageBody{}},
		"GET /v2/team/token-usage/historical": {
			id: "getTokenHistory", tag: "Team", summary: "Tell the team's tokens month by month", answer: tokenPeriodsBody{}, query: byKey(),
		},
		"GET /v2/team/queue-status": {id: "getQueueStatus", tag: "Team", summary: "Tell what the team has at work and in line", answer: queueBody{}},
		"GET /v2/concurrency-check": {id: "getConcurrency", tag: "Team", summary: "Tell how many of the team's pages are at work", answer: concurrencyBody{}},
		livePattern:                 {id: "getHealth", tag: "Service", summary: "Tell that the service lives", about: "It needs no key.", answer: health{}},
		readyPattern: {
			id: "getReadiness", tag: "Service", summary: "Tell whether the service can take requests", about: "It needs no key.", answer: health{},
			others: map[int]any{http.StatusServiceUnavailable: health{}},
		},
		"GET " + documentPath: {id: "getDocument", tag: "Service", summary: "Tell about this API", about: "This document. It needs no key.", answer: map[string]any{}},
	}
}
