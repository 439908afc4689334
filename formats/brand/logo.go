package brand

import (
	"encoding/base64"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Weights of a candidate for the logo.
const (
	logoNamed     = 40 // it, what is around it or its file is called logo
	logoHome      = 30 // leads to the home page
	logoHeader    = 20
	logoTop       = 10
	logoWide      = 5 // wider than high, as wordmarks are
	logoAlt       = 10
	logoNoName    = -25 // an inline picture that nothing names and that leads nowhere: an icon
	logoHidden    = -30
	logoFooter    = -15
	logoTiny      = -30
	logoHuge      = -40
	logoElsewhere = -20 // leads to another page
	logoPartner   = -40 // of another company, or of a sign-in or payment
	minLogo       = 20
)

// images by role. A logo that only the head or JSON-LD names comes after every one that the page shows.
func (j *judgement) images() map[string]string {
	images := map[string]string{}
	set := func(role, value string) {
		if value != "" {
			images[role] = value
		}
	}
	if best := j.logo(); best != nil {
		set("logo", best.address())
		set("logoHref", j.resolve(best.Href))
		set("logoAlt", best.Alt)
	} else if said := j.resolve(j.said.logo); said != "" {
		set("logo", said)
	} else {
		set("logo", j.icon("apple-touch-icon", "apple-touch-icon-precomposed"))
	}
	set("favicon", j.icon("icon", "shortcut icon", "apple-touch-icon"))
	set("ogImage", j.resolve(j.Image))
	return images
}

// logo is the best candidate, nil where none is good enough.
func (j *judgement) logo() *Logo {
	var best *Logo
	most := float64(minLogo)
	for i := range j.Logos {
		l := &j.Logos[i]
		if weight := j.logoWeight(l); weight > most && l.address() != "" {
			best, most = l, weight
		}
	}
	return best
}

func (j *judgement) logoWeight(l *Logo) float64 {
	weight := shapeWeight(l)
	words := append(nameParts(l.Hints), nameParts(l.Alt)...)
	file := nameParts(path.Base(l.Source))
	isNamed := slices.ContainsFunc(append(words, file...), func(w string) bool {
		return strings.Contains(w, "logo") || w == "brand" || w == "wordmark"
	})
	home := j.isHome(l.Href)
	switch {
	case isNamed:
		weight += logoNamed
	case l.Kind == "svg" && !home:
		weight += logoNoName
	}
	switch {
	case home:
		weight += logoHome
	case l.Href != "":
		weight += logoElsewhere
	}
	switch l.Region {
	case "header", "nav":
		weight += logoHeader
	case "footer":
		weight += logoFooter
	}
	if domain := squash(j.domain()); domain != "" && strings.Contains(squash(l.Alt), domain) {
		weight += logoAlt
	}
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(others, w) }) {
		weight += logoPartner
	}
	return weight
}

// others are words around the logos of others.
var others = []string{"partner", "partners", "customer", "customers", "client", "clients", "sponsor", "sponsors", "payment", "social", "testimonial", "testimonials", "avatar", "flag"}

func shapeWeight(l *Logo) (weight float64) {
	if !l.Visible {
		weight += logoHidden
	} else if l.Y < 200 {
		weight += logoTop
	}
	switch {
	case l.Visible && (l.W < 12 || l.H < 12):
		weight += logoTiny
	case l.W > 600 || l.H > 300:
		weight += logoHuge
	case l.W > 1.3*l.H:
		weight += logoWide
	}
	return weight
}

// address is the picture's own, or the picture itself (RFC 2397).
func (l *Logo) address() string {
	if l.SVG != "" {
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(l.SVG))
	}
	return picture(l.Source)
}

// picture is an address that can be one of a picture, else "".
func picture(href string) string {
	for _, scheme := range []string{"https://", "http://", "data:image/"} {
		if strings.HasPrefix(href, scheme) {
			return href
		}
	}
	return ""
}

// isHome reports whether a link leads to the site's home page, or that of one language.
func (j *judgement) isHome(href string) bool {
	u, err := url.Parse(href)
	if err != nil || href == "" || !strings.EqualFold(strings.TrimPrefix(u.Host, "www."), strings.TrimPrefix(hostPort(j.URL), "www.")) {
		return false
	}
	p := strings.ToLower(strings.Trim(u.Path, "/"))
	switch p {
	case "", "home", "index.html", "index.php":
		return true
	}
	language, region, _ := strings.Cut(p, "-")
	return len(language) == 2 && (region == "" || len(region) == 2) && !strings.Contains(p, "/")
}

func hostPort(href string) string {
	u, err := url.Parse(href)
	if err != nil {
		return ""
	}
	return u.Host
}

// resolve makes an address of the page absolute; "" for one that isn't of the web.
func (j *judgement) resolve(ref string) string {
	base, err := url.Parse(j.URL)
	if err != nil || ref == "" {
		return ""
	}
	u, err := base.Parse(ref)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// icon is the address of the first link of the first kind that there is.
func (j *judgement) icon(kinds ...string) string {
	for _, kind := range kinds {
		for _, l := range j.Links {
			if href := picture(l.Href); href != "" && tidy(l.Rel) == kind {
				return href
			}
		}
	}
	return ""
}
