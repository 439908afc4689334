package engine

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// circles is a site of pages that a crawl must fetch, and of handlers that make pages without end, by the beginnings of their addresses.
// It counts requests of either.
type circles struct {
	real    map[string]string // body by path and query
	endless map[string]func(at string) (status int, body string)

	mu   sync.Mutex
	hits map[string]int
}

func newCircles() *circles {
	return &circles{real: map[string]string{}, endless: map[string]func(string) (int, string){}, hits: map[string]int{}}
}

func (c *circles) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at := r.URL.RequestURI()
	if at == "/robots.txt" || strings.Contains(at, "sitemap") {
		http.NotFound(w, r)
		return
	}
	c.mu.Lock()
	c.hits[at]++
	c.mu.Unlock()
	body, ok := c.real[at]
	status := http.StatusOK
	for prefix, make := range c.endless {
		if !ok && strings.HasPrefix(at, prefix) {
			status, body = make(at)
			ok = true
		}
	}
	if !ok {
		status = http.StatusNotFound
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

// outcome of a crawl: requests of real pages, of others by the first part of their path, and the real pages that it has not fetched.
func (c *circles) outcome() (fetched int, wasted map[string]int, lost []string) {
	wasted = map[string]int{}
	for at, n := range c.hits {
		if _, ok := c.real[at]; ok {
			fetched += n
		} else {
			wasted[strings.FieldsFunc(at, func(r rune) bool { return r == '/' || r == '?' })[0]] += n
		}
	}
	for at := range c.real {
		if c.hits[at] == 0 {
			lost = append(lost, at)
		}
	}
	slices.Sort(lost)
	return fetched, wasted, lost
}

// add sets a real page.
func (c *circles) add(at, title, text string, links ...string) {
	c.real[at] = pageOf(title, text, links...)
}

// pageOf is a page with a navigation, as all of a site have it.
func pageOf(title, text string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><title>%s</title><nav><a href=/>Home</a> <a href=/>All that there is</a></nav><main><h1>%s</h1><p>%s</p><ul>", title, title, text)
	for i, l := range links {
		fmt.Fprintf(&b, "<li><a href=\"%s\">Number %d</a></li>", l, i)
	}
	b.WriteString("</ul></main><footer>Made by hand, in the same way on each page.</footer>")
	return b.String()
}

// someWords are chosen at random, the same for the same name.
func someWords(name string, n int) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	random, list := rand.New(rand.NewPCG(h.Sum64(), 1)), make([]string, n)
	for i := range list {
		list[i] = circleWords[random.IntN(len(circleWords))]
	}
	return strings.Join(list, " ")
}

var circleWords = strings.Fields(`river valley harbour lantern copper meadow granite orchard winter autumn letter painter builder sailor market
	bridge garden window kitchen village mountain island forest railway journey question answer measure history language science weather`)

// tree adds so many pages, each with links to three others below it, and links from the first to more.
func (c *circles) tree(n int, more ...string) {
	at := func(i int) string {
		if i == 0 {
			return "/"
		}
		return fmt.Sprintf("/docs/%s/%d", strings.ReplaceAll(someWords(strconv.Itoa(i/9), 1), " ", "-"), i)
	}
	for i := range n {
		links := []string{"/"}
		for k := 3*i + 1; k <= 3*i+3 && k < n; k++ {
			links = append(links, at(k))
		}
		if i == 0 {
			links = append(links, more...)
		}
		c.add(at(i), "Chapter "+strconv.Itoa(i), someWords(at(i), 40), links...)
	}
}

const nothing = "There is nothing of interest on this page, and there never was."

// A path that grows, with the same text, and one with a text of its own on each page and two ways on.
func (c *circles) spirals() []string {
	c.endless["/trap/path/"] = func(at string) (int, string) {
		return 200, pageOf("A turn", fmt.Sprintf("You are %d steps deep. ", strings.Count(at, "/"))+nothing, "a/")
	}
	c.endless["/babble/"] = func(at string) (int, string) { return 200, pageOf("Babble", someWords(at, 60), "x/", "y/") }
	c.endless["/rel/"] = func(at string) (int, string) {
		last := at[strings.LastIndexByte(strings.TrimSuffix(at, "/"), '/')+1:]
		return 200, pageOf("The "+last, "All about "+last+". "+someWords(last, 20), "news/", "about/", "contact/", "jobs/")
	}
	return []string{"/trap/path/a/", "/babble/x/", "/rel/news/"}
}

// Calendars without events, by path and by query.
func (c *circles) calendars() []string {
	month := func(form string) func(at string) (int, string) {
		return func(at string) (int, string) {
			var y, m int
			if n, _ := fmt.Sscanf(at, form, &y, &m); n < 2 {
				return 404, ""
			}
			t := time.Date(y, time.Month(m), 1, 0, 0, 0, 0, time.UTC)
			link := func(t time.Time) string { return fmt.Sprintf(form, t.Year(), int(t.Month())) }
			var days strings.Builder
			for d := t; d.Month() == t.Month(); d = d.AddDate(0, 0, 1) {
				fmt.Fprintf(&days, "<td>%s %d</td>", d.Weekday().String()[:3], d.Day())
			}
			return 200, pageOf(t.Format("January 2006"), "<table><tr>"+days.String()+"</tr></table>No events this month.",
				link(t.AddDate(0, 1, 0)), link(t.AddDate(0, -1, 0)), link(t.AddDate(1, 0, 0)))
		}
	}
	c.endless["/calendar/"], c.endless["/events?"] = month("/calendar/%d/%02d"), month("/events?year=%d&month=%d")
	return []string{"/calendar/2026/11", "/events?year=2026&month=11"}
}

// A list that is sorted and filtered by parameters, each page of which offers more of them.
func (c *circles) parameters() []string {
	c.endless["/list?"] = func(at string) (int, string) {
		var links []string
		for _, more := range []string{"color=red", "color=blue", "size=m", "size=l", "sort=price", "sort=name", "view=grid"} {
			if !strings.Contains(at, more) {
				links = append(links, at+"&amp;"+more)
			}
		}
		items := someWords("items", 30)
		return 200, pageOf("The list", "Shown: "+at+"<ul><li>"+strings.ReplaceAll(items, " ", "<li>")+"</ul>", links...)
	}
	c.endless["/help?"], c.endless["/cart?"] = session("help"), session("cart")
	return []string{"/list?color=red&amp;size=m", "/help?sid=1"}
}

// session links to itself and another with an id that is never the same.
func session(name string) func(at string) (int, string) {
	return func(at string) (int, string) {
		id := func(to string) string { return fmt.Sprintf("/%s?sid=%x", to, fnvOf(at+to)) }
		return 200, pageOf("Your "+name, someWords(name, 30), id("help"), id("cart"))
	}
}

func fnvOf(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s))
	return h.Sum64()
}

// Pages that say that there is none, with the status 200 and with 404, and pages of one text.
func (c *circles) templates() []string {
	name := func(at string, i int) string { return someWords(fmt.Sprint(at, i), 1) }
	c.endless["/soft/"] = func(at string) (int, string) {
		return 200, pageOf("Page not found", "Sorry, "+at+" is not here. Try one of these.", at+"-"+name(at, 1), at+"-"+name(at, 2))
	}
	c.endless["/hard/"] = func(at string) (int, string) {
		return 404, pageOf("Error", someWords(at, 10), at+"-"+name(at, 1), at+"-"+name(at, 2))
	}
	c.endless["/offer/"] = func(at string) (int, string) {
		n, _ := strconv.Atoi(strings.TrimPrefix(at, "/offer/"))
		return 200, pageOf("An offer", someWords("offer", 30), fmt.Sprintf("/offer/%d", 2*n), fmt.Sprintf("/offer/%d", 2*n+1))
	}
	c.endless["/word/"] = func(at string) (int, string) {
		return 200, pageOf("A word", someWords("word", 30), at+"/"+name(at, 1)+"s", at+"/"+name(at, 2))
	}
	return []string{"/soft/page", "/hard/page", "/offer/1", "/word/one"}
}
