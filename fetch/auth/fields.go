package auth

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxForms  = 100  // of a page
	maxFields = 1000 // of a form
)

// form is a form of a page.
type form struct {
	action string
	get    bool
	fields []field
}

type field struct {
	name, value string
	button      bool // is sent only if it is pressed
}

// findForm is the first form of a page that has all fields of a step; nil for none.
func findForm(page []byte, s Step) *form {
	for _, f := range forms(page) {
		if f.has(s) {
			return f
		}
	}
	return nil
}

func (f *form) has(s Step) bool {
	for name := range s.Fields {
		if !slices.ContainsFunc(f.fields, func(own field) bool { return own.name == name && !own.button }) {
			return false
		}
	}
	return s.Submit == "" || slices.ContainsFunc(f.fields, func(own field) bool { return own.name == s.Submit && own.button })
}

// fill is what the form sends.
func (f *form) fill(s Step, with *Credentials) url.Values {
	values := url.Values{}
	for _, own := range f.fields {
		if _, given := s.Fields[own.name]; !given && (!own.button || own.name == s.Submit) {
			values.Add(own.name, own.value)
		}
	}
	secrets := strings.NewReplacer("{user}", with.User, "{password}", string(with.Password))
	for name, value := range s.Fields {
		values.Set(name, secrets.Replace(value))
	}
	return values
}

// forms reads the forms of a page. Fields outside of forms count for none.
func forms(page []byte) []*form {
	var all []*form
	var open *form
	z := html.NewTokenizer(bytes.NewReader(page))
	for len(all) < maxForms {
		switch z.Next() {
		case html.ErrorToken:
			return all
		case html.EndTagToken:
			if name, _ := z.TagName(); atom.Lookup(name) == atom.Form {
				open = nil
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if t.DataAtom == atom.Form {
				open = &form{action: attribute(t, "action"), get: !strings.EqualFold(attribute(t, "method"), "post")}
				all = append(all, open)
			} else if open != nil && len(open.fields) < maxFields {
				open.add(t)
			}
		}
	}
	return all
}

// add takes a tag as a field of the form, if it is one.
func (f *form) add(t html.Token) {
	own := field{name: attribute(t, "name"), value: attribute(t, "value")}
	kind := strings.ToLower(attribute(t, "type"))
	switch {
	case own.name == "" || t.DataAtom != atom.Input && t.DataAtom != atom.Button && t.DataAtom != atom.Select && t.DataAtom != atom.Textarea:
		return
	case t.DataAtom == atom.Button, kind == "submit", kind == "button", kind == "image", kind == "reset":
		own.button = true
	case kind == "file":
		return
	case kind == "checkbox" || kind == "radio":
		if !slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "checked" }) {
			return
		}
		if own.value == "" {
			own.value = "on"
		}
	}
	f.fields = append(f.fields, own)
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
