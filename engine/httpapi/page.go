package httpapi

import "github.com/winnow-go/winnow/engine/httpapi/internal/page"

// PageExample is an address that the page of [Options.Page] offers to people who don't know what to try.
type PageExample struct {
	// URL goes into the field for the address; crawls and maps begin at its host's first page. An example without one is left out.
	URL string
	// About says in a few words what is there, such as "a product". Empty: the button has the URL's host alone.
	About string
	// Formats are the names of those that are chosen with it, such as "markdown". Nil: what is chosen stays.
	Formats []string
}

// pageTable are the routes of the page. They are open to all and not rated: the files hold no secret, and the page
// sends its requests with the key that a person gives it.
func pageTable(assets map[string]page.Asset) []route {
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

// pageAssets are the files of the page, which knows from them what there is to try.
func (a *api) pageAssets() map[string]page.Asset {
	s := page.Settings{Model: a.engine.HasModel()}
	for _, x := range a.options.PageExamples {
		if x.URL != "" {
			s.Examples = append(s.Examples, page.Example(x))
		}
	}
	return page.Assets(s)
}

func serveAsset(c *call, a page.Asset) error {
	a.ServeHTTP(c.w, c.r)
	return nil
}

// LivePath is where the handler of [New] mounts the live view of the engine's sessions. Set LiveViewOptions.BaseURL of the engine to
// [Options.BaseURL] with this behind it, and the addresses of sessions work. Requests there need no key, as the addresses can't be
// guessed and die with their session, and aren't logged, as readers of the log could use them.
const LivePath = "/live/"
