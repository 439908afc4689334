// Package httpapi serves an engine over HTTP: the routes, bodies, error codes and limits of the web-data service, so
// that its clients work against it by changing the base URL.
//
// It decodes requests strictly, decides which of them are allowed, and encodes what the engine returns; all work is the engine's. It
// keeps nothing but counters and files that wait to be parsed: teams, jobs, sessions, credits and activity are what the engine has
// stored under an owner, which here is the team of the key. What only the embedder may set (folders, proxies, policy, model addresses,
// token budgets) is no field of any body. Webhooks are sent by the engine, under its egress policy. Start with [New] and [Options]:
//
//	keys, err := httpapi.ReadKeys(file) // sha256:… team credits=50000 scrape=100/m pages=5 sessions=2
//	…
//	server := httpapi.NewServer(httpapi.New(e, httpapi.Options{Keys: keys, BaseURL: "https://api.example"}))
//
// Addresses and TLS are those of the http.Server around it; [NewServer] sets its timeouts, and the handler those of bodies.
//
//   - options.go — [Options], [New]
//   - server.go, slow.go — [NewServer], [NewListener]; memory after a load; deadlines for slow clients
//   - access.go, telemetry.go, health.go — what is recorded of a request: the log, spans and metrics; probes
//   - routes.go, call.go, body.go — the table of routes; one request and its body
//   - doors.go — [Door], routes that other packages add
//   - keys.go, auth.go, cors.go — [Key], files of keys; authentication, and requests without a key; scripts of other origins
//   - limits.go, inline.go, account.go — [Limits]; the queue of a team's pages; the account of credits
//   - errors.go, words.go — codes to HTTP statuses, in one table, and the body of errors; messages in the words of HTTP
//   - scrape.go, parse.go, map.go, search.go — what is answered at once
//   - uploads.go — files that are uploaded first and parsed by a reference
//   - jobs.go, batch.go, crawl.go — jobs that give documents, read page by page
//   - monitor.go — monitors, their checks and changes
//   - v1.go — the first version, read into the options of the second
//   - stream.go, events.go — the same as they come: over a WebSocket; as server-sent events, or as lines of JSON
//   - extract.go, agent.go, agenttrace.go — jobs that give one answer, and how an agent came to it
//   - browser.go, interact.go — sessions, and code and prompts in them
//   - openapi.go, openapiroutes.go — the OpenAPI document at /openapi.json; what it says of routes
//   - page.go — the page at /, on which people try all this in a browser, and where the live view of sessions is mounted
//   - team.go — activity, credits and load of a team
//   - internal/ — decode: bodies into the engine's options; quota: rates, pages at once, credits; uploads: files that wait to be
//     parsed; openapi: the document's schemas; monitors: the bodies of monitors; page: the page's files; inner: requests that doors send to
//     the handler; framing: connections that refuse requests with two lengths
//   - openwebui, reader — doors: Open WebUI's loader and search; GET /read/https://…, any page as markdown
//
// An error is {"success":false, "code", "error", "details"}; each of the details has code, path and message. Of an internal error
// the body has an id only: see the log under this id. A page that answers 404 is no error but a document with that status.
//
// Where the specification of the service and what is known of it differ, this is decided:
//
//	job of another team              403 on every route with an id, also where a service before answered 404
//	id in a path                     a UUID in lower case, else 400
//	idempotency key                  used again it is 409, whose text names the job where the request is the same
//	timeout                          1000 to 300000 ms as given, never raised
//	DNS failure                      500 with its code, never 200
//	job total                        pages attempted: done, failed, running and queued
//	status creditsUsed               always a real number
//	next                             absent where no further page can come; with status URLs from Options.BaseURL alone
//	map v1                           limit up to 30000, links are strings, sitemaps only with ignoreSitemap false or sitemapOnly
//	map v2                           limit up to 100000, links are objects
//	interact: code and prompt        400
//	execute                          success is false when the code fails, as in interact
//	DELETE of a session              by path and by body; again, with the same answer; creditsBilled always there
//	session ttl                      600 s unless given; cdpUrl is always empty: raw control would step around the egress policy
//	recordSession                    refused: nothing is recorded
//	agents                           read at /v2/agent/{id} and /v2/extract/{id}; model is accepted by its known
//	                                 names, and the operator's is called
//	zeroDataRetention                400 unless Limits and the engine's options both allow it
//	origin, integration              accepted with every body, kept with the record, logged
//	v1                               scrape, batch, crawl, search, extract, map and the team's routes for clients that still speak it; maxAge
//	                                 is 0 unless given; formats are names, with jsonOptions, extract and changeTrackingOptions beside;
//	                                 systemPrompt stands at the head of the prompt; deep-research and llmstxt are 404
//	winnow                           an object among the options of a scrape (in crawl, search and extract within scrapeOptions) for what the
//	                                 service hasn't: leftOut, which adds leftOut to the document, cleanBelow, 0 to 1, render (auto, never,
//	                                 always), minConfidence, 0 to 1, revalidate, which asks the site each time whether a stored copy is
//	                                 still the page, and budget (tokens, query, from), which bounds the markdown and adds window to the
//	                                 document; other keys are 400
//	passages                         a format that the service hasn't, with maxTokens: the markdown in pieces, as passages of the document
//	crawl winnow                     an object for what the service hasn't: followTraps, which fetches also what winnow.traps would list
//	crawl winnow.since               last, or the id of an earlier crawl: GET /v2/crawl/{id}/changes then lists what has changed, as JSON
//	                                 or lines (engine.Change); winnow.changes counts it when the job has ended; webhooks get crawl.change
//	job winnow.traps                 of a crawl that has ended: the forms of addresses that it left, with counts (engine.Trap)
//	job winnow.rendering             of a crawl or batch that has ended: how it got its pages (engine.RenderReport)
//	monitor interval, jitter         in milliseconds in the object winnow of the body; of a target winnow has parts (CSS selectors),
//	                                 picture and ignoreNoise. Of the answers winnow has missed, baseline, digest, boxes, noise and title
//	monitor notification             only {"email":{"enabled":false}} or null: e-mail isn't sent; webhook and the Atom feed are there
//	monitor schedule                 an answer has cron where cron can say it, else winnow.interval; the shortest is a minute
//	monitor skipped_overlap          never: a time that comes while a check is running is run after it; what was missed is one run
//	webhook page.corrected           a document has taken another one's place; only where events names it
//	metadata.contentConfidence       a number, 0 to 1; absent where no main content was looked for
//	fastMode, redactPII, threatProtection, auditMetadata, useMock, safeMode, domainTools, toolDetail, asyncScraping,
//	enterprise of a search, agent and urlTrace of an extraction, threadId, mode and exchange of an agent,
//	existingSessionId, ttl and activityTtl of interact
//	                                 400 "not supported", unless false
//	parse                            an option that a file has no use for is PARSE_UNSUPPORTED_OPTIONS; headers, maxAge, storeInCache,
//	                                 blockAds, skipTlsVerification and proxy change nothing, which a warning says
//	search: country, location, safe  honoured, or named by a warning; so is highlights, which is never honoured
//	search: source alexandria        403: there is no marketplace of tools; toolDetail changes nothing
//	activity: limit                  50 unless it is a number from 1, at most 100; no error
//	credits                          of the team, granted once: no billing period; a crawl's limit is cut to what is left
//	token usage                      counted by month, without a limit; of single keys neither it nor credits are kept
//	websocket                        refused before the handshake by a status; its key is a header or the subprotocol; the job's
//	                                 last state is sent by a status record, by which clients distinguish cancelled and
//	                                 failed from completed
//	upload by reference              sent without a key, by the token of its URL: one file, within ten minutes, parsed once
//	no key configured                every request is 401, unless Options.Anonymous is set
//
// And by the engine, whose comments say more:
//
//	changeTracking                   diff is a string, the unified diff; json is it parsed, or compared fields in json mode; hidden:
//	                                 links led to the page in an earlier crawl, and don't in the newest whose scope
//	                                 has it; waitFor isn't forced
//	skipTlsVerification              true unless given; with headers, actions or a profile false
//	minAge                           without maxAge there is no upper age
//	waitFor                          at most half the timeout and 60 s
//	job completed                    pages that gave a document
//	failed jobs                      the webhook event failed
//	batch                            a URL that is given twice is fetched once and delivered twice
//	robots.txt                       crawls obey; all else only where the embedder says so; unreachable: retried, then a code
//	maxDepth, maxDiscoveryDepth      path segments below the seed's path; links away from the seed or a sitemap's page
//	branding lineHeights             strings
//	formats query, rawBase64         question or highlights by its mode; alone only, the body as received
//	location                         its country picks a proxy too, where one is there
//
// # What it does
//
// httpapi.New(engine, options) is an http.Handler with the service's operations: scrape (and by id), interact, parse
// (multipart, or uploaded first), batch, crawl (status, errors, active, preview, and as a WebSocket), map v1 and v2,
// search, extract, agent (trace, snapshots), browser sessions, activity, credits, tokens, queue and concurrency.
// httpapi.NewServer puts an http.Server with sound timeouts around it.
//
//   - Bodies are decoded strictly: an unknown key, a wrong type, a value out of range, a field given twice is a 400
//     whose details name the field; too large is 413, an idempotency key used again 409. What only the embedder may
//     set (folders, proxies, policy, model and connect URLs) is no field of any body. Status URLs and next begin
//     with Options.BaseURL, never with the Host header.
//   - Who may. Keys are hashed at rest and compared in constant time; a key's team owns its jobs, sessions and files
//     (403 to others). Limits of a key: rates per endpoint (429 with Retry-After), pages, streams and sessions at
//     once, credits (402; held for what is running, so that many requests at once can't use more than there are),
//     zero data retention. Without keys all is 401, unless Options.Anonymous is set; then Host, Origin and content
//     type are checked.
//   - Reading jobs. A status page holds up to 10 MB and is written document by document: a job of 1 GB is read with
//     6 MiB more heap (TestJob_aGigabyteIsReadWithFlatMemory). Over the WebSocket documents come as they are stored, and so
//     they do to a GET of the job, or the POST that starts it, with Accept: text/event-stream or application/x-ndjson.
//   - Watching it. One log line a request without URL, header or body; OpenTelemetry spans and metrics through
//     TracerProvider and MeterProvider; X-Request-Id; /healthz, /readyz; /openapi.json (OpenAPI 3.1, made from the
//     readers that decode and the types that are encoded; tests hold every request and answer against it); with
//     Options.Page a page at / to try it all.
package httpapi
