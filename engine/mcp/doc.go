// Package mcp serves an engine to language models over the Model Context Protocol. It may change without notice.
//
// Five lines embed it, over standard input and output; [NewHandler] serves the same over streamable HTTP, and [New] returns the server
// of the SDK, for those who add tools of their own:
//
//	e, err := engine.New(engine.Options{})
//	…
//	defer e.Close()
//	err = mcp.Serve(ctx, e, mcp.Options{})
//
// There are eight tools: read (a page, or on in one), find (a search), map (a site's addresses), crawl (a site, or many pages; any job),
// extract (data by a schema), session (a live page: see, act, run), parse (a file) and monitor. Their schemas are short; what is rare is in
// one object, options, which takes what the bodies over HTTP do (engine/httpapi), and is decoded by the same code: an unknown key, a wrong
// type or a value out of range is refused by its name. The resource winnow://options/{tool} has the schema of that object.
//
// Results fit a window. Of a page there is at most the budget (Options.Budget tokens, or the argument tokens), from its start, from where
// the last result ended, or, with query, what is most relevant; with an outline of the rest and where to go on. Lists are paged. What is
// counted is an upper bound, unless Options.CountTokens counts.
//
// What pages say stands between two markers with a random number that pages can't forge (llm.Fence), apart from the server's own words: a
// model, and a program that looks for instructions, can distinguish them. The server's instructions say so.
//
// What may be contacted is the engine's policy, which no tool changes; files are read only from Options.Files; whose documents, jobs,
// sessions and monitors are seen is Options.Owner. A call takes at most Options.Timeout: a job that needs longer goes on, and its id is
// returned. A call that the client cancels ends at once, and the job that it started. Steps and pages are reported as progress where the
// client wants it. An error is a result that says what to do next.
//
// Documents (winnow://document/{id}), jobs (winnow://job/{id}), monitors, sessions, activity and usage are resources.
//
// # What tasks take
//
// Tokens of all that the tools put out (an upper bound), of ten tasks on local sites, done by a script; beside them npm's firecrawl-mcp
// 3.26.0 in front of the same engine (engine/httpapi), on 2026-11-27, with the tools that its descriptions name for the task. It has no
// budget: a page comes whole. TestTasks and, with WINNOW_SOAK=1, TestPeer log them again.
//
//		                                          winnow    firecrawl-mcp
//		tools/list, bytes                          7,735           92,274
//		find a price on a page of 500 kB           4,260          203,953
//		read a chapter of a 200-page PDF           9,278          146,772
//		compare three products                     1,186           47,857
//		follow a list of ten pages                10,866           13,367
//		log in and read                            1,865            3,213   (by code that the model writes)
//		fill a form                                2,114            1,886   (by code that the model writes)
//		watch for a change                           656            3,518
//		answer from a crawl of 81 pages              682           31,601
//		a table by a schema                          483              720
//		a page that instructs models               9,534           30,566   (five reads; one, without marks around the page)
//
//	  - mcp.go — [Options], [New], [Serve], [Handler]
//	  - tools.go, schema.go — the table of tools; how one is declared
//	  - call.go, progress.go — one call: its time, its owner, its progress
//	  - errors.go — what errors say, and what to do next
//	  - result.go, text.go — results: what is the server's and what is a page's; documents as text
//	  - read.go, find.go, sitemap.go, parse.go — tools that answer at once
//	  - crawl.go, jobs.go, extract.go — jobs, and what is read of them
//	  - session.go, view.go — live pages; what has changed of them
//	  - monitor.go — monitors
//	  - resources.go — the resources
package mcp
