package drive

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/actions"
)

// Secret is a text that the model can have typed by its name, and never sees. It is in no step, output or snapshot; one of less than 4
// characters is left out of what was typed alone, not of what the page shows.
type Secret struct {
	Value string
	// Origins are where it may be typed, as in "https://shop.example". Empty: the origin of the page at the beginning.
	Origins []string
}

// secrets know what must be redacted.
type secrets struct {
	values []string          // longest first
	marks  map[string]string // by value
}

var secretName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

const maxSecretName = 64

// minHidden is the length from which a text is redacted in what a page shows: shorter ones are everywhere.
const minHidden = 4

func (d *drive) useSecrets() error {
	d.origin = originOf(d.page.URL())
	for name, s := range d.o.Secrets {
		if len(name) > maxSecretName || !secretName.MatchString(name) || s.Value == "" {
			return fmt.Errorf("secret %.70q: want a name of at most %d letters, digits, _ and -, and a value", name, maxSecretName)
		}
		d.secrets.hide(s.Value, mark(name))
	}
	return nil
}

// mark stands for a secret.
func mark(name string) string { return "<secret:" + name + ">" }

// typed stands for what was typed into a field for passwords.
const typed = "<secret>"

func (s *secrets) hide(value, as string) {
	if s.marks == nil {
		s.marks = map[string]string{}
	}
	if _, known := s.marks[value]; known || value == "" {
		return
	}
	s.marks[value] = as
	s.values = append(s.values, value)
	slices.SortFunc(s.values, func(a, b string) int { return len(b) - len(a) })
}

// redact takes all secrets out of a text.
func (d *drive) redact(text string) string {
	for _, v := range d.secrets.values {
		if len(v) < minHidden {
			continue
		}
		for _, form := range forms(v) {
			text = strings.ReplaceAll(text, form, d.secrets.marks[v])
		}
	}
	return text
}

// forms are those in which pages and records write a text.
func forms(v string) []string {
	return []string{v, url.QueryEscape(v), url.PathEscape(v), html.EscapeString(v), inJSON(v, true), inJSON(v, false)}
}

// inJSON is v as it stands within a JSON string.
func inJSON(v string, escapeHTML bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(escapeHTML)
	if err := e.Encode(v); err != nil {
		return v
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(b.String()), `"`), `"`)
}

// redactJSON takes them out of arguments, where also the short ones are found.
func (d *drive) redactJSON(arguments json.RawMessage) json.RawMessage {
	var object map[string]any
	if err := json.Unmarshal(arguments, &object); err != nil {
		return json.RawMessage("{}")
	}
	for name, value := range object {
		if text, ok := value.(string); ok {
			if as, whole := d.secrets.marks[text]; whole {
				text = as
			}
			object[name] = d.redact(text)
		}
	}
	data, err := json.Marshal(object)
	if err != nil {
		return json.RawMessage("{}")
	}
	return json.RawMessage(d.redact(string(data)))
}

// secret gives a secret for an element, or says why it isn't typed there.
func (d *drive) secret(name string, e Element) (string, error) {
	s, known := d.o.Secrets[name]
	if !known {
		return "", refuse("there is no secret of that name")
	}
	origins := s.Origins
	if len(origins) == 0 {
		origins = []string{d.origin}
	}
	if e.Origin == "" || e.Origin == "null" || !slices.Contains(origins, e.Origin) {
		return "", refuse("the secret is not for this site")
	}
	return s.Value, nil
}

// originOf gives scheme and host of an address, "" for what is no web address.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	host := strings.ToLower(u.Host)
	if u.Scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else {
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host
}

// Reveal gives a copy of the list with the secrets in the places of their names.
func Reveal(list []actions.Action, secrets map[string]Secret) []actions.Action {
	list = slices.Clone(list)
	for i := range list {
		for name, s := range secrets {
			if list[i].Type == actions.Write && list[i].Text == mark(name) {
				list[i].Text = s.Value
				break
			}
		}
	}
	return list
}
