// Package engine turns web pages into clean data: it fetches a URL over HTTP or,
// where the page needs one, in a browser, and gives its content as markdown, HTML,
// links, images, a screenshot and metadata; it crawls, maps and batches, and reads files.
//
// Start with [New] and [Engine.Scrape]:
//
//	e, err := engine.New(engine.Options{})
//	…
//	defer e.Close()
//	doc, err := e.Scrape(ctx, "https://example.com/", engine.ScrapeOptions{})
//
// The engine is the only place where the leaves of the house meet: fetch (one URL
// over HTTP, and who may be contacted), fetch/guard (the proxy that the browser is
// forced through), fetch/filter (what is an advertisement), browser (a live page),
// browser/profile (its state), actions (what to do on it), formats (a page's bytes
// to outputs), formats/document (a file's bytes to a page), cache (bytes with a time, in memory or in a file) and crawl (which URL
// next). They know nothing of each other; nothing but httpapi, mcp, enginetest and the examples knows the engine.
//
// The files, in the order of a scrape:
//
//   - engine.go, options.go — [Engine], [Options], New and Close
//   - scrape.go — [Engine.Scrape]: a plan, a page, outputs (internal/scraping), a document; pages for the engine's own eyes
//   - sharedbrowser.go — [SharedBrowser], one browser for several engines
//   - scrapeoptions.go, resolve.go — [ScrapeOptions], their defaults and checks
//   - caching.go — what the cache may do for a request
//   - obey.go — the robots.txt of sites; requests that keep to it
//   - sitemaps.go — how sitemaps are fetched, for crawl and map
//   - map.go, mapoptions.go — [Engine.Map]; [MapOptions]
//   - search.go, searchoptions.go, searchhits.go — [Engine.Search], the pages of its index; [SearchOptions]; the pages of hits
//   - crawl.go, crawlpages.go — [Engine.StartCrawl], [CrawlOptions]; its pages and site; whether crawls are still led to a page
//   - preview.go, crawlparams.go — [Engine.CrawlPreview], [CrawlOptions.Prompt]: options of a crawl from a description
//   - batch.go — [Engine.StartBatch], [BatchOptions]; its pages
//   - extract.go, extracttask.go — [Engine.StartExtract], [ExtractOptions]; its pages, and where it looks for them
//   - jobs.go, jobpages.go, jobtries.go — the kinds of jobs and what internal/work needs to run them; their pages; attempts at a page
//   - jobaudits.go, renderreport.go — pages that are got both ways, and again; [RenderReport]
//   - job.go, jobdocuments.go — [Job]: state, events, its kind; the documents of jobs that scrape pages
//   - spreading.go — jobs over a [Cluster]
//   - crawlsince.go — [Change]: crawls that come again
//   - crawljob.go, batchjob.go, extractjob.go, agentjob.go — [CrawlJob], [BatchJob], [ExtractJob], [AgentJob]
//   - agent.go, agenttask.go — [Engine.StartAgent], [AgentOptions]; what the task needs of the web
//   - modelstep.go — [ModelStep], of agents and of prompts in sessions
//   - progress.go — [Progress] of a job
//   - monitors.go — [Engine.CreateMonitor], [Monitor], and what the checks need to fetch pages; internal/monitoring runs them
//   - target.go — reading the URL
//   - proxies.go — [Proxy]; internal/proxies picks those of a request
//   - parsers.go, documentpages.go — how files are read, and what is given of them page by page
//   - parse.go — [Engine.Parse]: files that are handed over
//   - model.go — when a language model may be called
//   - session.go, sessions.go — [Engine.NewSession], [Session]; [Engine.Sessions], [SessionInfo]
//   - sessionrun.go, sessionask.go, sessionscrape.go — what a [Session] does beside goto and actions: code, prompts, scrapes
//   - liveview.go — sessions for people to watch and operate
//   - interact.go — [Engine.Interact], which goes on with a scrape's page
//   - credits.go, record.go — what a scrape costs, [ScrapeRecord], which internal/records keeps
//   - usage.go, activity.go — [Engine.Usage] and [Engine.Activity], which internal/ledger keeps
//   - stats.go, ready.go — [Engine.Stats], what runs and was done; [Engine.Ready], whether it can serve
//   - kept.go — [CacheOptions]; [Engine.Versions], Forget, CacheStats, Compact, Flush; the files are in internal/stores
//   - private.go — errors without what must not leave, under lockdown and zero data retention
//   - labels.go — [Labels] of a request
//   - document.go, metadata.go — [Document] and [Metadata], the answer
//   - errors.go, translate.go — [Error] and [Code]; the one translation of the leaves' errors
//
// # What happens in a scrape
//
// [Engine.Scrape] goes these steps; those from 2 to 6 are in engine/internal/scraping. Pages are acquired in
// engine/internal/page and rendered in engine/internal/render.
//
//  1. Resolve: defaults are filled in and every option is checked. What cannot be honoured is an error that names
//     field, value and range; nothing is ignored.
//  2. Look up: a stored version is served where one fits (see "The cache"); else the page is fetched, once for all
//     scrapes that want it at the same time. At most Options.MaxPages scrapes fetch at once; the others are queued,
//     first come first served. The wait counts in the timeout and is in the metadata.
//  3. Acquire: by plain HTTP, in a browser, or both. Render: auto, the default, starts with HTTP and judges what came.
//     The judge looks for empty places and for what fills them: the page's scripts are parsed, not run, those of its own
//     site fetched where they could matter (at most four and 512 kB, kept in memory for an hour), and what they write to
//     is compared with the places, and with the main content, which they may add to. Code that only an act of a reader
//     runs is left out, and so are trackers, consent tools, chats and the like, by a list and by the filter lists.
//     Beside that count frames whose document is content, walls, meta refresh, empty mount nodes and few words with
//     scripts that could not be read. Static: done. Dynamic: browser. Unsure, or less sure than MinConfidence: browser, and both
//     texts are compared. metadata.renderedBy, renderReason and renderConfidence say what was chosen, why, and how
//     sure that is. With Render: never, a warning names the places that scripts would fill and the frames that are left out.
//     What scripts write after a timer is waited for up to 5 s, and named in a warning if it takes longer. A document
//     that declares no charset, or a wrong one, is read alike by plain HTTP and in the browser. Of a text that does not
//     end there is what has come, with a warning.
//     Where a wall answers (401, 403, 429, a captcha) and Options.Proxies has an enhanced one, the page is acquired
//     once more through it. A visit in the browser: a fresh context is opened behind its own guard proxy, with the
//     profile's state, or the tab of an earlier page of the job, or of the owner's like scrape of the same origin, is cleared; it
//     navigates, waits until the page is ready, and reads its content; then come waitFor, the actions, the screenshot, and the
//     profile is saved. When the time runs out after the content was read, that
//     content stands, with a warning; but an action that fails, or whose time runs out, fails the scrape
//     (SCRAPE_ACTION_ERROR, whatever the timeout): a library's caller gets the document so far beside the error.
//     Content is what its bytes are: a PDF or picture sent as HTML is read as such, with a warning, binary of no
//     known type is refused, by HTTP and in the browser alike. A page with nothing in it has a warning. A browser
//     that dies or hangs (a process of it is stopped, its network service has ended, it does not answer) is
//     replaced, and the visit is made once more in the same time, unless it may have sent something (actions). What
//     the page gives is of the last document that it shows, with its own address, status and headers, wherever
//     scripts have sent it; one that the policy refuses or that doesn't load is that error. Actions, profile,
//     screenshot, waitFor, mobile and location need a browser and get one; installing it doesn't count in the
//     timeout. The acquired page, not the document, goes to the cache, so any format can be made of it later.
//  4. Render: the page is parsed once; all asked formats are made from the one tree (see formats). If the
//     main content comes out empty, the whole page is converted. A file is first turned into HTML (see
//     formats/document). Outputs are kept in memory under what they were made from, bounded to 64 MiB.
//  5. Track: change tracking against the last tracked version, both rendered by today's code. Then audio
//     and video, where they were requested.
//  6. Ask: what a language model is requested for the page (see "Language models"), after the scrape's slot was
//     given up. What fails is left out with a warning.
//  7. Account: the document with its metadata and credits; and what is kept of the scrape for a day
//     ([Engine.ScrapeByID]).
//
// A page that answers 404 or 500 is a document with metadata.statusCode and metadata.error. Everything else that
// goes wrong is one *engine.Error; engine.CodeOf(err) gives its code.
//
// # Who may be contacted
//
// fetch.Policy is checked on the address that is really dialled. Loopback, private, link-local and other special
// networks, the machine's own addresses and the ports that browsers block are refused unless AllowHosts,
// AllowNetworks or AllowPrivate says otherwise. The browser is launched behind a proxy of the engine (fetch/guard),
// so its pages, redirects, frames and sockets obey the same policy; on Linux only the browser's own processes can
// use that proxy. An upstream proxy gets the checked address; with Proxy.Resolve it gets the name, and the policy
// judges that. The operator's proxies themselves are exempt; Options.ProxyPolicy bounds those that requests name.
//
// # Virtual hosts
//
// Options.Hosts maps names to http.Handlers, which then answer HTTP client and browser alike, http and https,
// without socket, DNS or certificate. Only a scrape that starts on one can reach them. engine/enginetest makes a
// test of that: an engine that is closed with the test, fails it on unknown hosts, and attaches console, requests
// and a screenshot when it has failed.
//
// # Intranets
//
// Options.TLS and Options.Credentials get HTTP client and browser into sites that want more than a request: private
// authorities, client certificates, Basic, Digest, NTLM, Negotiate (auth.Negotiator gives the tokens, from a Kerberos
// library of the program's own) and logins by form, whose recipe is followed again when a page says that the session has
// ended. They are the operator's, for all owners of the engine: no request can name them, over HTTP neither.
//
//   - Each is sent to origins (scheme, host and port) of its pattern alone, over TLS that has been verified unless the
//     pattern says http. Only what begins on an origin that gets credentials can use any: the page of a scrape, the
//     seed of a crawl or map, the first page of a session. A page elsewhere that redirects to such an origin, or embeds
//     something of it, gets what anyone gets, and a crawl or a search that isn't local doesn't go on there. A model that
//     may scrape what it likes can be led there by a page: the engine of such an agent should have no credentials.
//   - The browser never has them. For those sites the guard ends its TLS, in the name of an authority of the engine's own
//     that the browser trusts by its key; it verifies the site, shows the client's certificate, answers challenges and
//     adds the cookies of a login by form, which it keeps to itself. So no script, code of a session, profile or model can
//     read them. It costs HTTP/2, since both sides speak HTTP/1.1, a second handshake for each connection, and with NTLM
//     and Negotiate a login for each; a body of more than 1 MiB can't answer a challenge of Digest or Negotiate. A session
//     without a sandbox gets none, and on systems other than Linux any process that finds the guard's port while a page is
//     open could use them.
//   - Pages are cached under a key that has who got them: accounts, methods and client certificates of all options, not
//     passwords. An engine with others, or none, is not served them; owners of this engine share them as they do the
//     credentials. The search index and what maps list of the cache leave them out. Recordings, logs and records have
//     what the browser or a client without credentials would have sent.
//   - Credentials that a site refuses give its page, status 401, and a warning; after two refusals in a row they are held
//     back for 5 minutes, since directories lock accounts. A login by form that fails is a [CodeSite] error around an
//     *auth.LoginError, an unknown authority [CodeSSL].
//
// # What happens in a crawl
//
// [Engine.StartCrawl] makes a job and returns; [Engine.Crawl] waits for its end. examples/crawl shows both, with a
// progress bar, Ctrl-C and -resume. Its steps:
//
//  1. Check: every option is checked, patterns and webhook too. The job is written down (engine/internal/jobs): id,
//     options, state; with Options.Dir it survives the process.
//
//  2. Feed: it queues the seed and, unless Sitemap: skip, what the sitemaps list (robots.txt's, sitemap.xml beside
//     the seed, at the root and at the registrable domain's). lastmod and priority order them and are in the pages'
//     metadata. What is wrong with a sitemap is an event of the job, not its end.
//
//  3. Lease: workers take pages from the frontier (crawl): by hops, sitemap pages by priority and date, then in the
//     order found, host by host in turn. The pace (crawl.Pace) holds a host back: Delay, Crawl-delay, Retry-After,
//     requests at once, and less of them when its latency or errors rise.
//
//  4. Visit: robots.txt is checked (RFC 9309, kept for a day; unreachable: tried again, then the host's pages fail
//     with ROBOTS_TXT_UNREACHABLE, or, where the name can't be resolved or no connection can be made, with the code
//     of that); the page is scraped like any other, cache included; rendered pages of one site share a warm tab. A
//     page is requested at most three times: 429, 502, 503 and 504 again when the host says, and what may pass by
//     itself (a reset, a timeout), the second time in a browser where HTTP was hung up on. What can't change (a
//     redirect loop, a broken content-encoding, a certificate) is tried once.
//
//  5. Settle: a redirect must stay inside the crawl and lead to a page that no other URL of the crawl has led to;
//     the links are judged (crawl/scope): each that isn't followed is counted under its reason (CrawlJob.Denied).
//     Forms of addresses whose pages hold nothing new, such as an endless calendar, are fetched last and then no more
//     (crawl/traps, CrawlJob.Traps).
//
//  6. Complete: document, outlinks, counters, credits and event are one transaction, shared by all pages that end at
//     the same moment. A program killed at any time loses no page and delivers none twice; what was unfinished is
//     fetched again.
//
// A crawl with CrawlOptions.Since comes again: the pages that the one before it had are queued too, those first that have changed most
// often; a 304, equal bytes and an equal text end a page without a document, a sitemap's date without a request (crawl/since). What has
// changed is one more part of step 6, and CrawlJob.Changes. Pages of sites that were found to speak for pages which had changed are
// fetched again, whole.
//
// The states of a job:
//
//	               ┌──────────► completed   every page is done; failed ones are listed by Errors
//	 scraping ─────┼──────────► failed      the seed gave nothing: Status has code and reason
//	(start)        └──────────► cancelled   Job.Cancel: at once; what is done stays readable
//
// A job ends once and is kept for a day. One whose engine closes stays scraping; the next engine on the folder goes
// on with it (Options.ResumeJobs).
//
//   - A [Job] of any kind has Status, Wait, Cancel, and Events: what happened, numbered, again from any number.
//   - [CrawlJob], [BatchJob] and [ExtractJob] have Documents in the order they are done, while the job runs and
//     afterwards; Page, the same in pages of 10 MiB; and Errors. A crawl has Denied, Traps and RobotsBlocked beside them.
//   - Batch ([Engine.StartBatch]): the URLs that are given, each scraped once and delivered as often as it was
//     given; [BatchJob.Ordered] in the order of giving; AppendToID adds to a running one.
//   - Webhooks read the job's event log: started, page, completed, failed; signed with X-Winnow-Signature where
//     there is a secret; 10 s, then again after 1, 5 and 15 minutes, also after a restart; under the egress policy.
//   - Map ([Engine.Map]): the URLs of a site, from sitemaps, llms.txt, cache, the page's links and a bounded look further;
//     Search ranks by BM25 over URL, title and description.
//   - Without Options.Dir jobs, documents included, are kept for a day, in memory, and in a temporary file what documents are more
//     than Options.JobMemory.
//
// # Clusters
//
// With Options.Cluster crawls and batches are spread over the engines of a cluster (package engine/cluster; NATS JetStream is linked
// only where that is imported). Each host belongs to one engine at a time, which keeps its pace, robots.txt, folds and traps; when an
// engine dies, others have its hosts after a few seconds, and no page is lost or delivered twice.
//
//   - A job is one on all engines: [Engine.Job] finds it by its id, and status, documents, events, errors, what was denied, traps,
//     labels and Cancel are the same from each, with the same numbers and times. An engine that looks at a job keeps a copy of its
//     documents (a mirror), in Options.Dir if there is one, and reads on as long as the job runs. What a page has done is there within
//     a moment; the progress in page events of crawls and batches counts done and failed pages alone.
//   - An IdempotencyKey finds its job on all engines, whose id is then a UUIDv5. [Engine.Jobs] lists those that this engine has started
//     or looked at. [Engine.Usage] and [Engine.Activity] are the engine's own: credits count where the page was fetched. So do quotas.
//   - Limit, Delay and MaxConcurrency hold for all engines together. Two things may exceed MaxConcurrency, for the time of a page: an
//     engine that takes over the job's records, and one that was taken for dead. Requests for scripts of other hosts keep the pace of the
//     page's engine alone. Without MaxConcurrency each engine gets Options.MaxPages pages at once, of all jobs.
//   - Webhooks are sent by the engine that the job was started with, when it is there; with Options.Dir the next one on the folder
//     goes on. A job is kept for a day, and its copies as long as others.
//   - Refused: Since and Record; a profile and the format changeTracking in the options of the pages, since each engine has profiles and a
//     history of its own; IdempotencyKey beside the Prompt of a crawl; AppendToID; options of more than 128 KiB. A crawl over a cluster
//     leaves nothing for Since, nor for the visibility of tracked pages, and pages of its jobs are not got again after an audit
//     ([RenderReport] is empty).
//   - An extraction and an agent run on the engine that took them, and move to another one when that closes or dies: it resumes them, as
//     the next engine on a folder does, from what the last step or page has left, and no step or page is there twice. All of the above
//     holds for them too. One that has lost its engine ten times has failed.
//   - Jobs under zero data retention or lockdown are the engine's own: other engines don't find them. So are monitors, each of which
//     belongs to the folder of the engine that made it.
//   - All engines should have the same options and version: any of them may get a page. AssetDir, where set, has to be a folder that
//     all share. Caches and search indexes are the engine's own.
//
// # Monitors
//
// A monitor ([Engine.CreateMonitor]) looks at pages, sites or searches by a schedule: cron, words ("every 2 hours") or an interval, in
// a time zone, with a jitter. Its checks are jobs: they share politeness, cache and limits with all others.
//
//   - Kept in state.db. Over restarts, kills and clocks that are set no run is done twice, and runs that were missed are one. Each page of
//     a check is compared once, and its change is in the log once.
//   - A page is same, new, changed, removed (404 or 410, once) or error. A wall, an answer with an error, a page that is empty or
//     not whole is never a change: what was known stays. One that comes nearly empty counts as changed when the next check finds the same.
//   - What counts: the text, parts by CSS selectors, data by a schema (with a model), by field; see [MonitorTarget].
//   - Out: [Engine.MonitorChanges], numbered, for NDJSON and Atom (package engine/monitor); Options.OnMonitorChange; webhooks
//     monitor.page and monitor.check.completed with a digest of the run. E-mail isn't sent.
//
// # Crawls from a description
//
// CrawlOptions.Prompt (or Engine.CrawlPreview, which crawls nothing) has a model make crawl options of a
// description; it sees up to 120 URLs of the site. Each parameter passes the rules of StartCrawl, with one repair,
// else the error is MODEL_FAILED. Options that are set win. CrawlJob.CrawlPlan gives what was generated and what the
// crawl goes by.
//
// # The cache
//
// Engine.Scrape keeps every page that it acquires, unless the request says otherwise, and serves it for two days.
// What is stored is the page as it came, so one entry gives any format, tag filter or main content setting later,
// also without a network: go run ./examples/offline fills a cache and then serves from it with a second engine in
// lockdown.
//
//   - Key: the URL with https, without www., default port, index file, trailing slash and fragment (but #/… and
//     #!/…), and what changes what is fetched: mobile, blocked ads, country, languages, enhanced or own proxy. Age,
//     screenshot (viewport and full page don't stand in for each other), waitFor, certificate and way of rendering
//     are conditions on an entry. A page that was fetched without a browser, and may lack what scripts add, serves
//     Render: never and requests that may not fetch.
//   - Which version: the newest with a 2xx status that is no wall; errors are served once three in a row are newer.
//     An expired page with an ETag or Last-Modified, fetched by plain HTTP, is requested conditionally; a 304 renews
//     it. (What scripts load, the shell's ETag doesn't vouch for.)
//   - Neither read nor written: headers, actions, a profile, credentials in the URL, a screenshot's own viewport or
//     quality, zero data retention. Not read: MaxAge 0. With Revalidate, change tracking and branding a stored page, however
//     fresh, is as an expired one.
//   - metadata.cacheState is hit, miss or bypass, metadata.cachedAt the time of the copy. Engine.Versions, Forget (a URL, or
//     all that begin so: https://example.com/docs/*), CacheStats, Compact and Flush look after it.
//   - In a folder pages are compressed, those of a host with a dictionary of what its first pages have in common: 15 to 35 % less on
//     real sites. It is made behind the answer, stored beside them, and deleted with the last page that needs it.
//   - Writing happens behind the answer, some milliseconds later and in groups; Flush and Close return when all is
//     on disk. A kill in between loses what wasn't, never what was. The files never shrink by themselves: Compact
//     rewrites them. A file that is locked, damaged, of a newer version or not ours is an error of engine.New and
//     stays untouched.
//   - Change tracking (formats: markdown, changeTracking) compares a fresh page with the last one tracked by the
//     same owner under the same URL and tag: new, same, changed, removed (404 or 410). Compared are normalised
//     blocks of markdown: a new order is a change, white space and tracking parameters of links are not. modes:
//     ["git-diff"] adds a unified diff and its parsed form. A page that answers with another error, or is a wall, is
//     not compared and not kept: a warning says so. visibility is hidden for a page that an earlier crawl was led to
//     and the newest whole crawl that covers it was not.
//   - Zero data retention and lockdown leave no record, log line, asset or entry, and errors don't contain the URL
//     or what the site said. Credits are counted by owner and day, without URLs (Engine.Usage).
//
// # Language models
//
// Set Options.Model, and the formats that need one work; without it they are a MODEL_NOT_CONFIGURED error and
// everything else works.
//
//	model, err := llm.NewOpenAI(llm.OpenAIOptions{BaseURL: "http://127.0.0.1:11434/v1", Model: "qwen3", Local: true})
//	…
//	e, err := engine.New(engine.Options{Model: model})
//	doc, err := e.Scrape(ctx, url, engine.ScrapeOptions{Formats: []formats.Format{
//		{Type: formats.JSON, Schema: json.RawMessage(`{"type":"object","properties":{"price":{"type":"number"}}}`), Evidence: true},
//		{Type: formats.Summary},
//	}})
//
// The models are those of package llm: hosted and local servers.
//
//   - json: by schema, prompt or both; checked against the schema, with one repair, then an error that names the
//     failing path. With Evidence each value carries the quote that it comes from (Document.Evidence), and a value
//     that the page doesn't say is null, with a warning. CheckPromptInjection refuses pages that instruct models.
//     deterministicJson: the model finds selectors once per host, layout and schema; further pages cost no call,
//     each is checked, and what has drifted is learned again.
//   - summary, question, highlights (verbatim spans), query; OnlyCleanContent (the model names blocks to drop and
//     changes nothing else); change tracking's json mode, field by field.
//   - product and menu come from JSON-LD, microdata and RDFa; a model fills in only what is missing.
//   - Long pages are read in parts and merged, never cut; what is too much for MaxTokens is a warning.
//     metadata.tokensUsed and metadata.modelCost give what it took.
//   - What a page says is data. Models get the text that readers see, in a fence with a random mark and declared
//     untrusted; hidden text is left out; what a model asks for is checked like foreign input.
//   - Under lockdown and zero data retention a model is called only when it is declared Local. Schemas load no file
//     and no address.
//
// # Guides
//
// The folder .guide of the repository has what is longer: options.md (options, defaults and limits in tables),
// extract.md (data of one form out of many pages), agents.md, sessions.md (sessions, code, live view) and clients.md
// (existing clients against examples/server), cluster.md (several machines).
package engine
