package formats

import (
	"fmt"
	"strings"
)

// Options of one Render. The zero value makes metadata only.
type Options struct {
	// Formats are the asked ones. Those that Render does not make are ignored: their maker is elsewhere.
	Formats []Type
	// Selectors are those of the attributes format.
	Selectors []Selector
	// OnlyMainContent leaves out headers, navigation, footers and the like, by rules and without a model. When
	// nothing would be left, the whole page is given. The markdown of a whole page is without what lies over it and
	// asks for consent, an address or the reader's age, and without notices about old browsers, where that is
	// certain and the page holds more; with OnlyVisible or IncludeTags it has them.
	OnlyMainContent bool
	// LeftOut asks what OnlyMainContent has left out, summed up by kind. What IncludeTags, ExcludeTags and OnlyVisible leave out isn't
	// in it. Without OnlyMainContent nothing is. Where the content is what the data of the page's scripts holds, it is all that the
	// page shows. It is the same when the main content gives no markdown, so that the whole page is converted.
	LeftOut bool
	// IncludeTags are CSS selectors or *text* wildcards. When there are any, only what they match is kept,
	// selector by selector; what matches twice or inside another match is there once. When nothing
	// matches, nothing is kept. Blank entries do not count.
	//
	// A *text* wildcard matches elements whose tag name, or one of whose attributes written as name="value",
	// contains the text, in any case.
	IncludeTags []string
	// ExcludeTags are CSS selectors or *text* wildcards of what is left out, after IncludeTags.
	ExcludeTags []string
	// OnlyVisible leaves out of the tree's formats what readers don't see: what attributes, inline styles or
	// the page's own style elements hide. Linked style sheets aren't looked at.
	OnlyVisible bool
	// RemoveBase64Images writes <Base64-Image-Removed> for the address of images that are data URIs, base64 or
	// not, in markdown. Other formats keep them.
	RemoveBase64Images bool
}

// Validate checks the selectors of IncludeTags and ExcludeTags. The error is an *OptionError.
func (o Options) Validate() error {
	if _, err := compileTags("includeTags", o.IncludeTags); err != nil {
		return err
	}
	_, err := compileTags("excludeTags", o.ExcludeTags)
	return err
}

func (o Options) wants(t Type) bool {
	for _, f := range o.Formats {
		if f == t {
			return true
		}
	}
	return false
}

func compileTags(field string, tags []string) ([]selector, error) {
	var out []selector
	for i, tag := range tags {
		tag = strings.TrimSpace(tag)
		if tag == "" {
			continue
		}
		m, err := compileTag(tag)
		if err != nil {
			return nil, &OptionError{Field: fmt.Sprintf("%s[%d]", field, i), Value: tag, Want: "a CSS selector or *text*: " + err.Error()}
		}
		out = append(out, m)
	}
	return out, nil
}
