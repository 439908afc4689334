package mixedsite

import (
	"iter"
	"math/rand/v2"
	"time"
)

// Host is the name that the site expects to be served under. It links by path, so that any other does too.
const Host = "mixed.example"

// Bounds of a site.
const (
	minPages = 400
	maxPages = 100_000
)

// Options of a Site.
type Options struct {
	// Seed chooses texts, names of pages, the order of templates and which pages fail. The same seed makes the same site.
	Seed uint64
	// Pages is how many there are, those that list others included. Defaults to 2000; at least 400, at most 100,000: what is outside
	// is brought into it. The templates are the same in sites of all sizes.
	Pages int
	// Latency delays every answer. Defaults to none. A client that hangs up ends it.
	Latency time.Duration
}

func (o Options) withDefaults() Options {
	if o.Pages == 0 {
		o.Pages = 2000
	}
	o.Pages = min(max(o.Pages, minPages), maxPages)
	return o
}

// Site is an http.Handler that knows what its pages are. Safe for concurrent use. It starts no goroutine and needs no closing.
type Site struct {
	o        Options
	families []*family
	pages    []*page
	paths    map[string]*page
	hits     *counter
	files    *counter
}

// New makes a site.
func New(o Options) *Site {
	s := &Site{o: o.withDefaults(), paths: map[string]*page{}, hits: newCounter(), files: newCounter()}
	list := families()
	random := rand.New(rand.NewPCG(o.Seed, 0))
	random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] }) // a crawl meets all kinds in turn
	s.add(&family{name: "index", path: "/", kind: Static}, 1)
	s.add(&family{name: "listing", path: "/all/{name}", kind: Static}, len(list))
	s.deal(list)
	s.hide()
	s.fail(random)
	return s
}

// deal gives the templates their pages: a tenth of all pages to shells, a fifth to templates with a part that scripts add, the rest to
// static ones, index and lists included.
func (s *Site) deal(list []*family) {
	shells, scripted := s.o.Pages/10, s.o.Pages/5
	pages := map[Kind]int{Shell: shells, Scripted: scripted, Static: s.o.Pages - shells - scripted - len(s.pages)}
	templates := map[Kind]int{}
	for _, f := range list {
		templates[f.kind]++
	}
	for _, f := range list {
		n := pages[f.kind] / templates[f.kind]
		pages[f.kind] -= n
		templates[f.kind]--
		s.add(f, n)
	}
}

// lists is the template of the pages that list others, one for each of those of listed.
func (s *Site) lists() *family { return s.families[1] }

// listed are the templates but for the index and the lists.
func (s *Site) listed() []*family { return s.families[2:] }

// add appends a template with its pages.
func (s *Site) add(f *family, pages int) {
	s.families = append(s.families, f)
	for i := range pages {
		p := &page{id: len(s.pages), of: f, number: i, path: pathOf(s.o.Seed, f, i)}
		f.pages = append(f.pages, p)
		s.pages = append(s.pages, p)
		s.paths[p.path] = p
	}
}

// hide takes the links to the last pages of some templates out of the HTML: scripts of the first ones lead there.
func (s *Site) hide() {
	for _, f := range s.families {
		n := len(f.pages) / 10
		for i := 0; f.hides && i < max(n, 1); i++ {
			f.pages[i].leads = f.pages[len(f.pages)-1-i]
			f.pages[i].leads.hidden = true
		}
	}
}

// fail lets one page in fifty fail, in each of the ways. Those that lead to hidden ones are sound.
func (s *Site) fail(random *rand.Rand) {
	ways := []Failure{Broken, Busy, Missing, Cut}
	left := len(s.pages) / 50
	leaves := s.pages[1+len(s.lists().pages):]
	for _, i := range random.Perm(len(leaves)) {
		if p := leaves[i]; left > 0 && p.leads == nil {
			p.fails = ways[left%len(ways)]
			left--
		}
	}
}

// Page returns what is true of the page at a path, and false if there is none.
func (s *Site) Page(path string) (Page, bool) {
	p, ok := s.paths[path]
	if !ok {
		return Page{}, false
	}
	return s.public(p), true
}

// Pages returns all pages in order: the index, those that list the pages of a template, and the pages of one template after the other.
// A crawl that takes pages as it finds them has the same order.
func (s *Site) Pages() iter.Seq[Page] {
	return func(yield func(Page) bool) {
		for _, p := range s.pages {
			if !yield(s.public(p)) {
				return
			}
		}
	}
}

// OneOfEach returns a sound page of each template, and of both kinds of those that change.
func (s *Site) OneOfEach() (pages []Page) {
	type group struct {
		template string
		kind     Kind
	}
	seen := map[group]bool{}
	for p := range s.Pages() {
		if of := (group{p.Template, p.Kind}); p.Fails == Sound && !seen[of] {
			seen[of] = true
			pages = append(pages, p)
		}
	}
	return pages
}
