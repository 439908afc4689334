// Package httpapi serves an engine over HTTP: the routes, bodies, error codes and limits of the web-data service, so
// that its clients work against it by changing the base URL.
//
// It decodes requests strictly, decides who may ask for what, and encodes what the engine gives; all work is the engine's. It
// keeps nothing but counters and files that wait to be parsed: teams, jobs, sessions, credits and activity are what the engine has
// stored under an owner, which here is the team of the key. What only the embedder may set (folders, proxies, policy, model addresses, token budgets) is no
// field of any body. Webhooks are sent by the engine, under its egress policy. Start with [New] and [Options]:
//
//	keys, err := httpapi.ReadKeys(file)
//	…
//	server := httpapi.NewServer(httpapi.New(e, httpapi.Options{Keys: keys, BaseURL: "https://api.example"}))
//
// Addresses and TLS are those of the http.Server around it; [NewServer] sets its timeouts, and the handler those of bodies.
//
//   - options.go — [Options], [New]
//   - server.go, slow.go — [NewServer]; deadlines for slow clients
//   - access.go, telemetry.go, health.go — what is told of a request: the log, spans and numbers; probes
//   - routes.go — the table of routes, and the way of every request
//   - keys.go, auth.go — [Key], files of keys; who asks, and requests without a key
//   - limits.go, teams.go, inline.go, purse.go — [Limits]: rates; pages and sessions of a team at once, and the line before them; credits
//     of what is at work
//   - errors.go — codes to HTTP statuses, in one table, and the body of errors
//   - decode.go, readers.go — objects of known fields, and readers of their values
//   - scrapebody.go — the scrape options of all bodies
//   - scrape.go, parse.go, map.go, search.go — what is answered at once
//   - uploads.go, shelf.go — files that are uploaded first and parsed by a reference
//   - jobs.go, batch.go, crawl.go, crawlactive.go — jobs that give documents, read page by page
//   - stream.go — the same over a WebSocket, as they come
//   - extract.go, agent.go, agenttrace.go — jobs that give one answer, and how an agent came to it
//   - browser.go, interact.go — sessions, and code and prompts in them
//   - openapi.go, openapiroutes.go, openapinotes.go — the OpenAPI document at /openapi.json; what it tells of routes and of fields
//   - openapischema.go, openapiforms.go, openapianswers.go, openapihooks.go — its schemas: of the readers of bodies, of formats and
//     actions, of the types of answers, of webhooks
//   - page.go, page/ — the page at /, on which people try all this in a browser
//   - live.go — where the live view of sessions is mounted
//   - team.go — activity, credits and load of a team
//
// An error is {"success":false, "code", "error", "details"}; each of the details has code, path and message. Of an inner fault
// the body has an id only, under which the log tells more. A page that answers 404 is no error but a document with that status.
//
// Where the specification of the service and what is known of it differ, this is decided:
//
//	job of another team              403 on every route with an id, also where a service before answered 404
//	id in a path                     a UUID in lower case, else 400
//	idempotency key                  used again it is 409, whose text names the job where the request is the same
//	timeout                          1000 to 300000 ms as given, never raised
//	DNS failure                      500 with its code, never 200
//	job total                        pages attempted: done, failed, at work and in line
//	status creditsUsed               always a real number
//	next                             absent where no further page can come; with status URLs from Options.BaseURL alone
//	map v1                           limit up to 30000, links are strings, sitemaps only with ignoreSitemap false or sitemapOnly
//	map v2                           limit up to 100000, links are objects
//	interact: code and prompt        400
//	execute                          success is false when the code fails, as in interact
//	DELETE of a session              by path and by body; again, with the same answer; creditsBilled always there
//	session ttl                      600 s unless given; cdpUrl is always empty: raw control would step around the egress policy
//	recordSession                    refused: nothing is recorded
//	agents                           read at /v2/agent/{id} and /v2/extract/{id}; model is accepted by its known names, and the operator's is asked
//	zeroDataRetention                400 unless Limits and the engine's options both allow it
//	origin, integration              accepted with every body, kept with the record, told in the log
//	winnow                           an object among the options of a scrape (in crawl, search and extract within scrapeOptions) for what the
//	                                 service hasn't: leftOut, which adds leftOut to the document, and cleanBelow, 0 to 1; other keys are 400
//	metadata.contentConfidence       a number, 0 to 1; absent where no main content was looked for
//	fastMode, redactPII, threatProtection, auditMetadata, useMock, safeMode, domainTools, toolDetail, asyncScraping,
//	highlights and enterprise of a search, agent and urlTrace of an extraction, threadId, mode and exchange of an agent,
//	existingSessionId, ttl and activityTtl of interact
//	                                 400 "not supported", unless false
//	parse                            an option that a file has no use for is PARSE_UNSUPPORTED_OPTIONS; headers, maxAge, storeInCache,
//	                                 blockAds and skipTlsVerification change nothing
//	search: source alexandria        403: there is no marketplace of tools; toolDetail changes nothing
//	activity: limit                  50 unless it is a number from 1, at most 100; no error
//	credits                          of the team, granted once: no billing period; a crawl's limit is cut to what is left
//	token usage                      counted by month, without a limit; of single keys neither it nor credits are kept
//	websocket                        refused before the handshake by a status; its key is a header or the subprotocol; the job's last state is told
//	                                 by a status record, which clients need to tell cancelled and failed from completed
//	upload by reference              sent without a key, by the token of its URL: one file, within ten minutes, parsed once
//	no key configured                every request is 401, unless Options.Anonymous is set
//
// And by the engine, whose comments tell more:
//
//	changeTracking                   diff is a string, the unified diff; json is it parsed, or compared fields in json mode; hidden: links led to the
//	                                 page in an earlier crawl, and don't in the newest whose scope has it; waitFor isn't forced
//	skipTlsVerification              true unless given; with headers, actions or a profile false
//	minAge                           without maxAge there is no upper age
//	waitFor                          at most half the timeout and 60 s
//	job completed                    pages that gave a document
//	failed jobs                      the webhook event failed
//	batch                            a URL that is given twice is fetched once and delivered twice
//	robots.txt                       crawls obey; all else only where the embedder says so; unreachable: asked again, then a code
//	maxDepth, maxDiscoveryDepth      path segments below the seed's path; links away from the seed or a sitemap's page
//	branding lineHeights             strings
//	formats query, rawBase64         question or highlights by its mode; alone only, the body as received
//	location                         its country picks a proxy too, where one is there
package httpapi
