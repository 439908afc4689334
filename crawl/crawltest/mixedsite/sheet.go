package mixedsite

import (
	"bytes"
	"embed"
	"html"
	"slices"
	"text/template"
)

//go:embed templates
var templateFiles embed.FS

// templates have a file for each family, and parts that these share.
var templates = template.Must(template.ParseFS(templateFiles, "templates/*/*.html"))

// sheet is what a template writes a page with.
type sheet struct {
	*pen
	Content content // what scripts add, or the server instead of them
	Title   string  // has one of the page's own words: it is to be shown

	site *Site
	page *page
}

// anchor is a link of a page.
type anchor struct{ Href, Text string }

// html is a page with its own words.
func (s *Site) html(p *page) (body []byte, words []string) {
	sh := sheet{pen: newPen(s.o.Seed, p.id), site: s, page: p}
	sh.Content, _ = s.contentOf(p)
	if p.kind() == Shell {
		sh.Title = sh.Phrase() // the reader never sees it
	} else {
		sh.Title = sh.Phrase() + " " + sh.Name()
	}
	return execute(p.of.name+".html", &sh), sh.used
}

func execute(name string, data any) []byte {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, data); err != nil {
		panic("mixedsite: " + err.Error())
	}
	return b.Bytes()
}

// Path is the page's own.
func (s *sheet) Path() string { return s.page.path }

// Template is its template's name.
func (s *sheet) Template() string { return s.page.of.name }

// Later reports a page of the second half of its template's.
func (s *sheet) Later() bool { return s.page.isLater() }

// List is the page that lists the template's pages; those that do so have the index.
func (s *sheet) List() string {
	if i := slices.Index(s.site.listed(), s.page.of); i >= 0 {
		return s.site.lists().pages[i].path
	}
	return "/"
}

// Next is the page after this one among those that are listed; at the end it is the page that lists them.
func (s *sheet) Next() string {
	if next := s.page.number + 1; next < len(s.page.of.pages) && !s.page.of.pages[next].hidden {
		return s.page.of.pages[next].path
	}
	return s.List()
}

// Sections are some pages that list others, for menus.
func (s *sheet) Sections(n int) (links []anchor) {
	lists := s.site.lists().pages
	for i := range n {
		links = append(links, anchor{lists[(s.page.id+7*i)%len(lists)].path, s.Phrase()})
	}
	return links
}

// Links are all that the page is there for: the index leads to the pages that list others, and each of these to its template's.
func (s *sheet) Links() (links []anchor) {
	pages := s.site.lists().pages
	if s.page.of == s.site.lists() {
		pages = s.site.listed()[s.page.number].pages
	}
	for _, p := range pages {
		if !p.hidden {
			links = append(links, anchor{p.path, s.Phrase()})
		}
	}
	return links
}

// Framed is the content as a document in an attribute.
func (s *sheet) Framed() string { return html.EscapeString(string(execute("frame", s.Content))) }
