package enrich

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/formats/menu"
	"github.com/winnow-go/winnow/formats/money"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/read"
)

// menuForm is the form of the answer where the page describes no dishes, merchantForm where
// only whose menu it is isn't known.
const (
	menuForm = `{"type":"object","properties":{"merchant":{"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"},"location":{"type":"string"}}},
"sections":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"description":{"type":"string"},
"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"description":{"type":"string"},"price":{"type":"string"},
"dietary":{"type":"array","items":{"type":"string"}}},"required":["name"]}}},"required":["items"]}}}}`
	merchantForm = `{"type":"object","properties":{"merchant":{"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"},"location":{"type":"string"}}}}}`
)

const menuPrompt = "The menu of food and drinks on this page, and whose it is. Names, descriptions and prices as they are written, prices with their currency. " +
	"dietary: only diets that the page names, such as vegan. When the page is no menu, leave all empty."

// modelConfidence is how sure a menu is that a model has read.
const modelConfidence = 0.7

type modelMenu struct {
	Merchant struct{ Name, Type, Location *string }
	Sections []struct {
		Name, Description *string
		Items             []modelDish
	}
}

type modelDish struct {
	Name, Description, Price *string
	Dietary                  []string
}

// askMenu has a model read the menu where the page's data has none, or no merchant. What it says
// must be in the page's text; what isn't is left out, with a warning.
func (s *Asker) askMenu(ctx context.Context, p read.Page) ([]string, error) {
	have := s.Output.Menu
	form, whole := json.RawMessage(merchantForm), slices.Contains(have.Missing(), menu.FieldSections)
	if whole {
		form = json.RawMessage(menuForm)
	}
	schema, err := llm.CompileSchema(form)
	if err != nil {
		return nil, err
	}
	got, err := read.Extract(ctx, s.Meter, p, read.Fields{Schema: schema, Prompt: menuPrompt})
	if err != nil {
		return nil, err
	}
	var said modelMenu
	if err := json.Unmarshal(got.JSON, &said); err != nil {
		return nil, err
	}
	r := &menuReader{text: plainWords(p.Title + "\n" + p.Text), url: s.URL, language: s.Output.Metadata.Language}
	s.Answers.Menu = r.menu(have.Clone(), said, whole)
	if r.lost > 0 {
		lost := fmt.Sprintf("%d values of the menu that a model gave are not in the page's text and were left out.", r.lost)
		got.Warnings = append(got.Warnings, lost)
	}
	return got.Warnings, nil
}

// menuReader makes a menu of what was said, as far as the text bears it out.
type menuReader struct {
	text, url, language string
	lost                int
}

func (r *menuReader) menu(m *menu.Menu, said modelMenu, whole bool) *menu.Menu {
	if m == nil {
		m = &menu.Menu{SourceURL: r.url}
	}
	if m.Merchant.Name == "" {
		m.Merchant = menu.Merchant{
			Name: r.grounded(said.Merchant.Name), Type: orEmpty(said.Merchant.Type), Location: r.grounded(said.Merchant.Location),
		}
	}
	if !whole {
		return m
	}
	m.Sections = []menu.Section{}
	for _, t := range said.Sections {
		s := menu.Section{
			ID: fmt.Sprintf("section-%d", len(m.Sections)+1), Name: cmp.Or(r.grounded(t.Name), "Menu"),
			Description: r.grounded(t.Description), Items: []menu.Item{},
		}
		for _, d := range t.Items {
			if name := r.grounded(d.Name); name != "" {
				s.Items = append(s.Items, r.item(d, name, fmt.Sprintf("item-%d-%d", len(m.Sections)+1, len(s.Items)+1)))
			}
		}
		if len(s.Items) > 0 {
			m.Sections = append(m.Sections, s)
		}
	}
	if m.IsMenu = len(m.Sections) > 0; m.IsMenu {
		m.Confidence = modelConfidence
	}
	m.Currency = menuCurrency(m)
	return m
}

func (r *menuReader) item(d modelDish, name, id string) menu.Item {
	it := menu.Item{
		ID: id, Name: name, Description: r.grounded(d.Description), Images: []menu.Image{}, Availability: menu.Availability{InStock: true},
		Dietary: []string{}, OptionGroups: []menu.OptionGroup{}, SourceURL: r.url,
	}
	if p, ok := money.Parse(r.grounded(d.Price), r.language); ok {
		it.Price = &p
	}
	for _, diet := range d.Dietary {
		if diet = r.grounded(&diet); diet != "" {
			it.Dietary = append(it.Dietary, diet)
		}
	}
	return it
}

// grounded is a value whose words stand in the page's text, in this order; "" for all else.
func (r *menuReader) grounded(value *string) string {
	s := orEmpty(value)
	if s == "" {
		return ""
	}
	if words := plainWords(s); strings.TrimSpace(words) == "" || !strings.Contains(r.text, words) {
		r.lost++
		return ""
	}
	return s
}

// plainWords are the words of a text without case and marks, between single spaces, so that whole
// words are compared. Marks within numbers stay.
func plainWords(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for word := range strings.FieldsFuncSeq(strings.ToLower(s), isMark) {
		if word = strings.Trim(word, ".,'’"); word != "" {
			b.WriteString(word + " ")
		}
	}
	return b.String()
}

// isMark reports what stands between words, markdown's signs included.
func isMark(r rune) bool {
	return strings.ContainsRune(" \t\r\n\u00a0\u202f*_#|`~<>[](){}\\\"“”„:;!?–—-/…·•=+", r)
}

// menuCurrency is the one that all prices have, "" for none or several.
func menuCurrency(m *menu.Menu) string {
	code := ""
	for _, s := range m.Sections {
		for _, it := range s.Items {
			if it.Price == nil {
				continue
			}
			if code != "" && it.Price.Currency != code {
				return ""
			}
			code = it.Price.Currency
		}
	}
	return code
}
