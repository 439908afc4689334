package formats

import (
	"fmt"
	"strings"
)

// Options of one Render. The zero value makes metadata only.
type Options struct {
	// Formats are the requested formats. Those that Render does not make are ignored: they are made elsewhere.
	Formats []Type
	// Selectors are those of the attributes format.
	Selectors []Selector
	// OnlyMainContent leaves out headers, navigation, footers and the like, by rules and without a model. When
	// nothing would be left, the whole page is returned. The markdown of a whole page is without overlays that
	// request consent, an address or the reader's age, and without notices about old browsers, where that is
	// certain and the page holds more; with OnlyVisible or IncludeTags it has them.
	OnlyMainContent bool
	// LeftOut requests a summary, by kind, of the parts that OnlyMainContent has left out. Parts left out by IncludeTags, ExcludeTags and
	// OnlyVisible aren't in it. Without OnlyMainContent it is empty. Where the content comes from the data of the page's scripts, it
	// covers all that the page shows. It is the same when the main content gives no markdown, so that the whole page is converted.
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
	// OnlyVisible removes from the tree's formats the parts that readers don't see: those hidden by attributes, inline styles or
	// the page's own style elements. Linked style sheets aren't checked.
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
