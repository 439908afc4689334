package traps

import (
	"net/url"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

const maxName = 500 // bytes of a pattern's name; one that is longer is none

// form names a pattern.
type form struct {
	kind Kind
	name string
}

// address is an address with its patterns.
type address struct {
	host    string
	parts   []string // of the path
	query   url.Values
	forms   []form
	repeats bool // its path repeats itself
	hash    uint32
}

// readAddress finds the patterns of an absolute and normalized URL, the most particular first. There are none of what is no web address.
func readAddress(href string) (a address) {
	u, err := url.Parse(href)
	if err != nil || u.Host == "" {
		return a
	}
	a.host, a.query, a.hash = strings.ToLower(u.Host), u.Query(), uint32(hash(href))
	if path := strings.Trim(u.EscapedPath(), "/"); path != "" {
		a.parts = strings.Split(path, "/")
	}
	var repeat string
	if repeat, a.repeats = repetition(a.parts); a.repeats {
		a.add(Repeat, a.host+repeat)
	}
	a.add(Calendar, a.calendar())
	if len(a.query) > 1 {
		a.add(Query, a.host+"/"+strings.Join(a.parts, "/")+"?…")
	}
	a.add(Template, weburl.Template(href))
	return a
}

func (a *address) add(kind Kind, name string) {
	if name != "" && len(name) <= maxName {
		a.forms = append(a.forms, form{kind, name})
	}
}
