package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
)

const shopHost = "lamps.example"

// shop is a site that is another one each day. Its views are counted up with each request.
type shop struct{ day, views atomic.Int64 }

func (s *shop) setDay(day int) { s.day.Store(int64(day)) }

// lamp is a product.
type lamp struct {
	name, text string
	price      func(day int) int
	from, to   int // the days on which it is sold
}

func always(price int) func(int) int { return func(int) int { return price } }

var lamps = []lamp{
	{"desk", "A lamp for the desk, of brass, with an arm that stays where it is put.", func(day int) int { return 40 + day/3*5 }, 0, 1000},
	{"floor", "A lamp that stands on the floor and lights the ceiling, of steel.", always(120), 0, 4},
	{"wall", "A lamp for the wall, of glass that was blown in the valley.", always(60), 2, 1000},
}

// ServeHTTP is down on every seventh day.
func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	day := int(s.day.Load())
	if day%7 == 5 {
		http.Error(w, "The shop is closed for repairs.", http.StatusForbidden)
		return
	}
	name := strings.Trim(r.URL.Path, "/")
	if name == "" {
		s.index(w, day)
		return
	}
	for _, l := range lamps {
		if l.name == name && day >= l.from && day < l.to {
			s.page(w, "The "+l.name+" lamp", fmt.Sprintf("%s It costs %d euros.", l.text, l.price(day)))
			return
		}
	}
	http.NotFound(w, r)
}

func (s *shop) index(w http.ResponseWriter, day int) {
	list := ""
	for _, l := range lamps {
		if day >= l.from && day < l.to {
			list += fmt.Sprintf(`<li><a href="/%s">The %s lamp</a></li>`, l.name, l.name)
		}
	}
	s.page(w, "Lamps by the river", "We make lamps by hand, in the old house by the river, and sell them here.</p><ul>"+list+"</ul><p>")
}

func (s *shop) page(w http.ResponseWriter, title, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, "<title>%s</title><main><h1>%s</h1><p>%s</p><p>Every lamp is sent within three days, and taken back within thirty.</p>"+
		"<p>%d views</p></main>", title, title, text, 1000+s.views.Add(1))
}
