package recipe

import (
	"encoding/json"
	"fmt"
)

// Bounds of a recipe.
const (
	maxBytes    = 256 << 10
	maxRules    = 200
	maxSelector = 500 // characters
	maxPath     = 300 // characters
)

// Recipe describes where the fields of a page are. Its JSON is the form that models return and
// that is stored.
type Recipe struct {
	Rules []Rule `json:"rules"`
}

// Rule finds one field.
type Rule struct {
	// Path of the field: "title", "address.city". "items[]" finds the elements of a list, and
	// "items[].price" is looked for in each of them; "tags[]" alone is a list of values. The whole
	// data may be a list: "[]", "[].name".
	Path string `json:"path"`
	// Selector is CSS, within the page or the element of the list; empty is that element itself.
	Selector string `json:"selector"`
	// Attribute holds the value; empty: the text.
	Attribute string `json:"attribute"`
	// Transform makes the value of it; empty is [Text].
	Transform Transform `json:"transform"`
}

// Transform is how a value is made of a text, whose white space is always folded.
type Transform string

// The transforms. What a schema says of a field's type counts more.
const (
	Text    Transform = "text"
	Number  Transform = "number"  // the first number, as prices and amounts are written
	Date    Transform = "date"    // ISO 8601, where the text can be read as a date
	URL     Transform = "url"     // absolute
	Boolean Transform = "boolean" // true, yes, 1 and false, no, 0
	Exists  Transform = "exists"  // whether an element is there at all
)

// Decode reads a recipe. Every rule is checked by itself; the error describes the first bad one.
func Decode(raw json.RawMessage) (Recipe, error) {
	var r Recipe
	if len(raw) > maxBytes {
		return r, fmt.Errorf("recipe: longer than %d bytes", maxBytes)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return r, fmt.Errorf("recipe: %w", err)
	}
	if len(r.Rules) > maxRules {
		return r, fmt.Errorf("recipe: more than %d rules", maxRules)
	}
	for i, rule := range r.Rules {
		if err := rule.check(); err != nil {
			return r, fmt.Errorf("recipe: rule %d (%.100q): %w", i, rule.Path, err)
		}
	}
	return r, nil
}

func (r Rule) check() error {
	if _, err := parsePath(r.Path); err != nil {
		return err
	}
	if _, err := compile(r.Selector); err != nil {
		return fmt.Errorf("selector %.200q: %w", r.Selector, err)
	}
	if len(r.Attribute) > 100 {
		return fmt.Errorf("attribute: longer than 100 characters")
	}
	switch r.Transform {
	case "", Text, Number, Date, URL, Boolean, Exists:
		return nil
	}
	return fmt.Errorf("transform %.100q: want text, number, date, url, boolean or exists", r.Transform)
}
