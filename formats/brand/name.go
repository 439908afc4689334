package brand

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"
)

// longestName is how many characters a name may have.
const longestName = 60

// brandName by og:site_name, what else the head or JSON-LD calls the site, the part of the title that the domain resembles, the title,
// h1, domain.
func (j *judgement) brandName() string {
	domain := j.domain()
	for _, name := range []string{j.SiteName, j.AppName, j.said.name, titleName(j.Title, domain), j.Heading} {
		if name = tidy(name); name != "" && utf8.RuneCountInString(name) <= longestName {
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

// domain is the label that somebody registered: "example" of https://www.example.co.uk/.
func (j *judgement) domain() string {
	host := hostOf(j.URL)
	registered, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	label, _, _ := strings.Cut(registered, ".")
	return label
}

// hostOf a URL as browsers write it.
func hostOf(href string) string {
	_, rest, _ := strings.Cut(href, "://")
	host, _, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}

// titleParts parts a title into the page's own and the site's.
var titleParts = regexp.MustCompile(`\s+[|\-–—·•:»/]+\s+|\s*[|»]\s*|:\s+`)

// titleName is the part of a title that resembles the domain; of a title of one part that is short, that part.
func titleName(title, domain string) string {
	parts := titleParts.Split(tidy(title), 20)
	for _, part := range parts {
		if squashed := squash(part); domain != "" && len(squashed) > 1 && (squashed == squash(domain) || len(squashed) > 2 && strings.Contains(squash(domain), squashed)) {
			return part
		}
	}
	if len(parts) == 1 && len(strings.Fields(parts[0])) <= 3 {
		return parts[0]
	}
	if len(parts) == 2 && len(strings.Fields(parts[1])) <= 3 {
		return parts[1] // "Page – Site" is the usual order
	}
	return ""
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
