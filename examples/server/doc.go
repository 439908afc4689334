// Command server serves an engine over HTTP, with the routes of the web-data service: its clients work against it by changing
// the base URL.
//
//	go run ./examples/server -demo                              # at once: built-in sites, no keys, this machine only
//	go run ./examples/server -new-key shop >> keys.txt          # makes a key for the team shop; it is shown once
//	go run ./examples/server -addr :3002 -keys keys.txt -cache data -tls-cert cert.pem -tls-key key.pem
//
// The routes, bodies and limits are those of package httpapi; the program itself is package serving, the http.Server around it and its
// environment, which go run ./examples/winnow serve runs too. Package demo has the built-in sites.
//
// # Running it
//
//	go run ./examples/server -demo
//
// serves engine/httpapi at http://127.0.0.1:3002, with six small built-in sites (-demo: shop.example,
// blog.example, app.example, cafe.example, files.example, lab.example: products, articles, pages that scripts make,
// a login, a menu, PDF, DOCX, XLSX and CSV, slow, changing and failing pages), and a page at / to try it, which
// offers them as buttons. Nothing else is needed: no key, no network. Whatever the page does it also shows as cURL, Go,
// JavaScript and Python to copy.
//
//	curl http://127.0.0.1:3002/v2/scrape -H 'Content-Type: application/json' \
//	    -d '{"url": "https://shop.example/products/hand-mill", "formats": ["markdown", "product"]}'
//
// For others to use it:
//
//	go run ./examples/server -new-key shop >> keys.txt     # the line for the file; the key itself is shown once, on stderr
//	go run ./examples/server -addr :3002 -keys keys.txt -cache data -tls-cert cert.pem -tls-key key.pem \
//	    -base-url https://api.example:3002
//
// The flags, with their defaults:
//
//   - -addr (127.0.0.1:3002): port 0 is a free one; the first line that is printed ends with the URL
//   - -keys FILE (none): one key a line: sha256:… team credits=50000 scrape=100/m … (httpapi.ReadKeys). Without it
//     requests need no key, and an -addr that isn't on the loopback is refused; -keys "", as of a variable that
//     isn't set, is refused too
//   - -new-key TEAM (no default): makes a key and ends
//   - -cache PATH (memory): a folder, made when missing, or a path that ends in cache.db, which stands for its
//     folder. Pages, jobs, records and profiles are kept there; unfinished jobs go on at the next start
//   - -demo (off): the built-in sites, beside the web
//   - -render (auto): auto, always, never, where a request doesn't say
//   - -min-confidence (0): the metadata.renderConfidence below which a browser renders a page all the same, where a
//     request doesn't say
//   - -allow-private (off): requests may reach addresses that are local or private
//   - -proxy URL[,TIER][,COUNTRY][,resolve] (none): a proxy that pages are fetched through, http, https, socks5 or socks5h; again for
//     further ones. The tier is basic or enhanced: a request that asks for an enhanced proxy gets one of those, and so does one
//     that a basic proxy, or none, has failed for. A request with a location gets one of that country, where there is one,
//     else a warning. With resolve, names are sent to the proxy and http pages as ordinary proxy requests: for one that allows
//     CONNECT to port 443 only, or that alone can resolve them. Addresses behind the proxy are then for the proxy to refuse
//   - -model-url, -model, -model-local (none): a server that speaks chat completions; the key is OPENAI_API_KEY.
//     Without a model what needs one is refused with MODEL_NOT_CONFIGURED
//   - -searxng URL (an index of the cache): what /v2/search searches
//   - -tls-cert, -tls-key (none): HTTPS with HTTP/1.1 and HTTP/2
//   - -base-url (the address): where clients find it: status URLs, next and live view URLs begin with it; no path
//   - -origin ORIGIN (none): pages of this origin, such as https://app.example, may call the server from browsers (CORS); again
//     for further ones; * is every one, for requests with a key alone
//   - -metrics-addr (no default): /metrics for Prometheus at an address of its own. Without it: at the main address
//     where no key is needed, for names of this machine only; nowhere where keys are
//   - -pprof (off): /debug/pprof/ at an address of its own, which must be on the loopback
//   - -log, -log-level (text, info): on stderr, one line a request, without URLs, headers or bodies
//   - -grace (10s): how long requests have to end
//   - -allow-unsandboxed (off): sessions run code where there is no sandbox
//   - -system (off): lets the package manager install what is missing, as root on Debian or Ubuntu
//
// GET /read/https://… gives any page as markdown (package engine/httpapi/reader), and Open WebUI loads pages and searches at
// /openwebui/load and /openwebui/search (engine/httpapi/openwebui), with the keys of the server.
//
// /healthz, /readyz, /openapi.json and the page need no key. Live views are at /live/… (httpapi.LivePath).
//
// Ctrl-C or SIGTERM: /readyz says 503, further requests are refused with 503, those that run have -grace to end; then
// the engine closes, which ends what is left and every browser, and the exit status is 0. Jobs aren't waited for:
// with -cache they go on at the next start. A second signal ends the program at once.
//
// The program is httpapi.NewServer(httpapi.New(engine, options)) and its surroundings (package serving).
// examples/server/demo.Hosts() gives the built-in sites to any engine's Options.Hosts.
package main
