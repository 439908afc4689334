package brand

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// maxNameLen is how many characters a name may have.
const maxNameLen = 60

// brandName by og:site_name, what else the head or JSON-LD calls the site, the part of the title that the domain resembles, the title,
// h1, domain.
func (j *judgement) brandName() string {
	domain := j.domain()
	for _, name := range []string{j.SiteName, j.AppName, j.said.name, titleName(j.Title, domain, j.isHome(j.URL)), j.Heading} {
		if name = tidy(name); name != "" && utf8.RuneCountInString(name) <= maxNameLen {
			return name
		}
	}
	if domain == "" {
		return ""
	}
	return strings.ToUpper(domain[:1]) + domain[1:]
}

// tidy folds white space.
func tidy(s string) string { return strings.Join(strings.Fields(s), " ") }

// domain is the label that was registered: "example" of https://www.example.co.uk/.
func (j *judgement) domain() string {
	label, _, _ := strings.Cut(weburl.Registrable(weburl.Hostname(j.URL)), ".")
	return label
}

// titleParts parts a title into the page's own and the site's.
var titleParts = regexp.MustCompile(`\s+[|\-–—·•:»/]+\s+|\s*[|»]\s*|:\s+`)

// titleName is the part of a title that resembles the domain. Else it is the last part, where that is short; on a home page it may be
// the first as well.
func titleName(title, domain string, home bool) string {
	parts := titleParts.Split(tidy(title), 20)
	for _, part := range parts {
		if resembles(squash(part), squash(domain)) {
			return part
		}
	}
	last := parts[len(parts)-1]
	switch {
	case len(strings.Fields(last)) <= maxNameWords && (home || len(parts) > 1):
		return last
	case home && len(strings.Fields(parts[0])) <= maxNameWords:
		return parts[0]
	}
	return ""
}

// maxNameWords is how many words a part of a title has that may be a name.
const maxNameWords = 3

// resembles reports whether a name is the domain's, or a good part of it.
func resembles(name, domain string) bool {
	return len(name) > 1 && (name == domain || len(name) > 2 && strings.Contains(domain, name))
}

// squash keeps the small letters and digits of a name, as a domain would have them.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127 {
			return r
		}
		return -1
	}, strings.ToLower(s))
}
