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
// next). They know nothing of each other; nothing but httpapi, enginetest and the examples knows the engine.
//
// The files, in the order of a scrape:
//
//   - engine.go, options.go — [Engine], [Options], New and Close
//   - scrape.go — [Engine.Scrape] and the order of its steps: obtain, render, track, account, record
//   - scrapeoptions.go, resolve.go — [ScrapeOptions], their defaults and checks
//   - caching.go, pagekey.go — what the cache may do for a request, and the key of a page
//   - robots.go, obey.go — the robots.txt of sites; requests that keep to it
//   - peek.go — pages and files for the engine's own eyes
//   - sitemaps.go — where a site's sitemaps lie, and how they are fetched, for crawl and map
//   - map.go, mapoptions.go — [Engine.Map] and the order of its parts; [MapOptions]
//   - mapsite.go, mapcache.go — what the site itself and what the cache tells of its URLs
//   - mapfound.go, maprank.go — which URLs are listed, each once; the most relevant in front
//   - searching.go, searchoptions.go, searchhits.go — [Engine.Search]: whom it asks, what it keeps; [SearchOptions]; the pages of hits
//   - searchindex.go — the cached pages as the search index reads them
//   - crawl.go, crawlrun.go, crawlrobots.go — [Engine.StartCrawl], [CrawlOptions]; what a crawl makes of a page and its links; what it asks first
//   - preview.go, crawlparams.go — [Engine.CrawlPreview], [CrawlOptions.Prompt]: options of a crawl from a description
//   - batch.go, batchgiven.go — [Engine.StartBatch], [BatchOptions]; the URLs as they were given
//   - extract.go, extractchoose.go, extractform.go — [Engine.StartExtract], [ExtractOptions]; which pages are read; the form of the data
//   - extractrun.go, extractend.go, extractsources.go — what a page gives; what the whole comes to; where each value is from
//   - jobstore.go, jobrun.go, jobpage.go, jobtries.go — where jobs are kept, begin and resume; workers and their line; attempts and pauses
//   - jobduty.go, jobkept.go — jobs that are no line of pages; [Job.Result] and what else a job keeps
//   - job.go, jobread.go, packed.go — [Job]: state, events, documents, errors
//   - agent.go, agentjob.go, agenttools.go — [Engine.StartAgent], [AgentOptions]; the job and its limits; what of the web the model gets
//   - agenttrace.go — [AgentStep], [Job.Trace]
//   - webhook.go, activity.go — how webhooks are sent; [Engine.Activity]
//   - obtain.go, lookup.go, stored.go — from the cache or anew; which version serves; what is stored of a page
//   - target.go, location.go, places.go — reading the URL; country and languages to locale, time zone and place
//   - deadline.go, queue.go — a timeout that stands still during an install; the line of waiting scrapes
//   - acquire.go, judge.go, proxies.go — HTTP, or browser, or both; the signals that decide; proxy tiers
//   - drivepage.go — a live page as a model operates it
//   - browse.go, navigate.go, perform.go, profile.go, blocking.go, branding.go — one visit in the browser: its order, the way there, actions, kept state, what is kept away, the look
//   - warmtabs.go, warmpage.go — tabs that a job keeps for its next pages; which pages may have one
//   - sniffed.go, sofar.go — pages that are not what a browser takes them for, or empty; the document so far, where an action failed
//   - useragent.go, report.go — the user agent; what a visit was like, for whoever looks into it
//   - source.go, image.go — what was acquired
//   - files.go, filepages.go — how files are read, and what is given of them page by page
//   - rendered.go, made.go — outputs kept in memory; what rendering gives
//   - media.go — the sound and the moving picture of a page
//   - parse.go — [Engine.Parse]: files that are handed over
//   - model.go, ask.go, askpage.go — when a language model may be asked; the step that asks; what it is asked of a page
//   - askproduct.go, askmenu.go — what the page's own data lacks of a product or menu
//   - deterministic.go, layouts.go — data by selectors that a model chose once; where they are kept
//   - track.go, visibility.go — change tracking; whether crawls are still led to a page
//   - session.go, sessionstart.go, sessionway.go, sessions.go — [Engine.NewSession]; its browser, way out and sandbox; those that are active, and their ends
//   - sessionuse.go, sessionrun.go, sessionask.go, sessionscrape.go — what a [Session] does: goto, actions, code, prompts, scrapes
//   - liveview.go — sessions for people to watch and operate
//   - sessionkept.go, interact.go — the records of sessions; [Engine.Interact], which goes on with a scrape's page
//   - credits.go, ledger.go, record.go — what a scrape costs, who has used what, [ScrapeRecord]
//   - stats.go, ready.go — [Engine.Stats], what is at work and was done; [Engine.Ready], whether it can serve
//   - stores.go, kept.go — the files of [Options.Dir]; [Engine.Versions], Forget, CacheStats, Compact, Flush
//   - private.go — errors that tell nothing, under lockdown and zero data retention
//   - document.go, metadata.go — [Document] and [Metadata], the answer
//   - errors.go, translate.go — [Error] and [Code]; the one translation of the leaves' errors
package engine
