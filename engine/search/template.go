package search

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// placeholders are the names that a template may have in braces.
var placeholders = []string{"query", "limit", "page", "offset", "lang", "country", "location", "safe", "tbs", "past", "filter"}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// template is an address and a body with placeholders.
type template struct {
	url    *url.URL
	params [][2]string // of the query, in order, not escaped
	body   any         // decoded JSON; nil: none
	used   []string
}

// newTemplate parses the operator's URL and body.
func newTemplate(rawURL, body string) (*template, error) {
	u, err := endpoint("URL", rawURL)
	if err != nil {
		return nil, err
	}
	t := &template{url: u}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, errName := url.QueryUnescape(name)
		value, errValue := url.QueryUnescape(value)
		if errName != nil || errValue != nil {
			return nil, &OptionError{Field: "URL", Value: "(redacted)", Want: "a well-formed query"}
		}
		if name != "" {
			t.params = append(t.params, [2]string{name, value})
		}
	}
	if body != "" {
		if err := json.Unmarshal([]byte(body), &t.body); err != nil {
			return nil, &OptionError{Field: "Body", Value: "(redacted)", Want: "JSON, with placeholders inside its strings"}
		}
	}
	return t, t.list(u.RawQuery + u.Path + body)
}

// list records the placeholders in use; an unknown one is an error.
func (t *template) list(text string) error {
	if plain, err := url.QueryUnescape(text); err == nil {
		text = plain
	}
	for _, p := range placeholder.FindAllString(text, -1) {
		name := strings.Trim(p, "{}")
		if !slices.Contains(placeholders, name) {
			return &OptionError{Field: "URL", Value: p, Want: fmt.Sprintf("one of the placeholders {%s}", strings.Join(placeholders, "}, {"))}
		}
		t.used = append(t.used, name)
	}
	if !t.uses("query") {
		return &OptionError{Field: "URL", Value: "(redacted)", Want: "a template with {query} in its URL or body"}
	}
	return nil
}

func (t *template) uses(name string) bool { return slices.Contains(t.used, name) }

// fill returns the URL and the body for the values. A parameter or member that consists only of
// placeholders without values is omitted.
func (t *template) fill(values map[string]string) (href string, body []byte, err error) {
	u := *t.url
	u.RawPath = ""
	u.Path = expand(u.Path, values)
	var query []string
	for _, p := range t.params {
		value := expand(p[1], values)
		if value != "" || p[1] == "" {
			query = append(query, url.QueryEscape(p[0])+"="+url.QueryEscape(value))
		}
	}
	u.RawQuery = strings.Join(query, "&")
	if t.body != nil {
		filled, _ := fillJSON(t.body, values)
		body, err = json.Marshal(filled)
	}
	return u.String(), body, err
}

// expand replaces the placeholders once: a value that looks like a placeholder is kept as it is.
func expand(text string, values map[string]string) string {
	return placeholder.ReplaceAllStringFunc(text, func(p string) string { return values[strings.Trim(p, "{}")] })
}

// fillJSON replaces the placeholders in all strings. A string that is just {limit}, {page} or
// {offset} becomes a number.
func fillJSON(value any, values map[string]string) (_ any, keep bool) {
	switch v := value.(type) {
	case string:
		text := expand(v, values)
		if v == "{limit}" || v == "{page}" || v == "{offset}" {
			return json.Number(text), true
		}
		return text, text != "" || v == ""
	case []any:
		list := []any{}
		for _, e := range v {
			if filled, keep := fillJSON(e, values); keep {
				list = append(list, filled)
			}
		}
		return list, true
	case map[string]any:
		object := map[string]any{}
		for name, e := range v {
			if filled, keep := fillJSON(e, values); keep {
				object[name] = filled
			}
		}
		return object, true
	}
	return value, true
}
