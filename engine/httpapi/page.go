package httpapi

import "github.com/winnow-go/winnow/engine/httpapi/internal/page"

// pageTable are the routes of the page. They are open to all and not rated: the files hold no secret, and the page
// sends its requests with the key that a person gives it.
func pageTable() []route {
	assets := page.Assets()
	return []route{
		{"GET /{$}", open, 0, func(c *call) error { return serveAsset(c, assets[page.Index]) }},
		{"GET /page/{file}", open, 0, func(c *call) error {
			name := c.r.PathValue("file")
			found, ok := assets[name]
			if !ok || name == page.Index { // the page itself is at / alone
				return notFound("the page has no such file")
			}
			return serveAsset(c, found)
		}},
	}
}

func serveAsset(c *call, a page.Asset) error {
	a.ServeHTTP(c.w, c.r)
	return nil
}

// LivePath is where the handler of [New] mounts the live view of the engine's sessions. Set LiveViewOptions.BaseURL of the engine to
// [Options.BaseURL] with this behind it, and the addresses of sessions work. Requests there need no key, as the addresses can't be
// guessed and die with their session, and aren't logged, as readers of the log could use them.
const LivePath = "/live/"
