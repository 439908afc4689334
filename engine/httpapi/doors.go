package httpapi

import (
	"net/http"
	"strings"
)

// Door is a route that translates requests of other clients into requests of this handler. Packages openwebui and reader have some.
type Door struct {
	// Path is the route's path, or one that ends in a slash and stands for all below it. It precedes the handler's own routes.
	Path string
	// Open makes the route's handler. api is the handler of [New]: what is sent to it must carry the key, the host and the origin of the
	// request that it is sent for, and is checked, counted and logged as any other. The route itself is open to all.
	Open func(api http.Handler) http.Handler
}

// doorsTo are the routes of the doors, by their paths, to api.
func (a *api) doorsTo(api http.Handler) func(path string) (route, bool) {
	var routes []route
	for _, d := range a.options.Doors {
		handler := d.Open(api)
		routes = append(routes, route{pattern: d.Path, endpoint: open, do: func(c *call) error {
			handler.ServeHTTP(c.w, c.r)
			return nil
		}})
	}
	return func(path string) (route, bool) {
		for _, r := range routes {
			if path == r.pattern || strings.HasSuffix(r.pattern, "/") && strings.HasPrefix(path, r.pattern) {
				return r, true
			}
		}
		return route{}, false
	}
}
