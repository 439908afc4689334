package demo

import (
	"maps"
	"net/http"
	"slices"
)

// makers of the sites, by host.
var makers = map[string]func() http.Handler{
	"shop.example":  shop,
	"blog.example":  blog,
	"app.example":   app,
	"cafe.example":  cafe,
	"files.example": archive,
	"lab.example":   lab,
}

// Hosts makes all sites, by their names. Their state, such as logins, is their own: two calls share nothing. They are safe for
// concurrent use.
func Hosts() map[string]http.Handler {
	hosts := map[string]http.Handler{}
	for name, site := range makers {
		hosts[name] = site()
	}
	return hosts
}

// Homes are the URLs of the sites' first pages, in order.
func Homes() []string {
	homes := slices.Sorted(maps.Keys(makers))
	for i, name := range homes {
		homes[i] = "https://" + name + "/"
	}
	return homes
}
