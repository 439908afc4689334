package formats

import (
	"errors"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/css"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// matcher reports whether an element is meant by a selector.
type matcher func(*html.Node) bool

// selector begins to match the elements of one tree, which counts its steps.
type selector func(*walk.Steps) matcher

// maxSelector bounds what one selector may cost per element.
const maxSelector = 1000

var errLongSelector = errors.New("longer than 1000 characters")

// compileTag reads a CSS selector or a *text* wildcard.
func compileTag(tag string) (selector, error) {
	if len(tag) > maxSelector {
		return nil, errLongSelector
	}
	if len(tag) > 2 && tag[0] == '*' && tag[len(tag)-1] == '*' {
		match := wildcard(tag[1 : len(tag)-1])
		return func(*walk.Steps) matcher { return match }, nil
	}
	return compileCSS(tag)
}

func compileCSS(text string) (selector, error) {
	if len(text) > maxSelector {
		return nil, errLongSelector
	}
	group, err := css.Compile(text)
	if err != nil {
		return nil, err
	}
	inlined := inlinedFrames(text)
	if inlined == text {
		return func(steps *walk.Steps) matcher { return group.Over(steps).Match }, nil
	}
	frames, err := css.Compile(inlined)
	if err != nil {
		return nil, err
	}
	return func(steps *walk.Steps) matcher {
		own, inlined := group.Over(steps), frames.Over(steps)
		return func(n *html.Node) bool { return own.Match(n) || inlined.Match(n) }
	}, nil
}

// inlinedFrames is the selector for pages whose frames a browser has put into divs: iframe becomes div[data-original-tag="iframe"], and src
// behind it data-src.
func inlinedFrames(selector string) string {
	if !strings.Contains(lowerASCII(selector), "iframe") {
		return selector
	}
	var b strings.Builder
	quote, brackets := byte(0), 0
	for i := 0; i < len(selector); i++ {
		switch c := selector[i]; {
		case c == '\\' && i+1 < len(selector):
			b.WriteByte(c)
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			brackets++
		case c == ']':
			brackets--
		case brackets == 0 && isFrameName(selector, i):
			b.WriteString(`div[data-original-tag="iframe"]`)
			i += len("iframe")
			if nodes.HasPrefixFold(selector[i:], "[src") {
				b.WriteString("[data-src")
				i += len("[src")
				brackets++
			}
			i--
			continue
		}
		b.WriteByte(selector[i])
	}
	return b.String()
}

// isFrameName reports whether the type selector iframe stands at i.
func isFrameName(selector string, i int) bool {
	if !nodes.HasPrefixFold(selector[i:], "iframe") || i > 0 && !strings.ContainsRune(" \t\n>+~,(", rune(selector[i-1])) {
		return false
	}
	end := i + len("iframe")
	return end == len(selector) || strings.IndexByte(" \t\n>+~,)[.#:", selector[end]) >= 0
}

// wildcard matches elements whose name, or one of whose attributes as name="value", contains text.
func wildcard(text string) matcher {
	text = strings.ToLower(text)
	return func(n *html.Node) bool {
		if strings.Contains(n.Data, text) {
			return true
		}
		for i := range n.Attr {
			if strings.Contains(strings.ToLower(n.Attr[i].Key+`="`+n.Attr[i].Val+`"`), text) {
				return true
			}
		}
		return false
	}
}

// counted is a matcher that counts the nodes it is called for.
func (d *DOM) counted(match matcher) matcher {
	return func(n *html.Node) bool {
		d.steps.Visit()
		return match(n)
	}
}

// attributes collects the requested values from cleaned html, selector by selector in document order. Where an
// element lacks the attribute, the data- attribute of that name counts.
func (d *DOM) attributes(doc *html.Node, selectors []Selector) []Attribute {
	out := make([]Attribute, 0, len(selectors))
	page := goquery.NewDocumentFromNode(doc)
	for _, s := range selectors {
		a := Attribute{Selector: s.Selector, Attribute: s.Attribute, Values: []string{}}
		if compiled, err := compileCSS(s.Selector); err == nil {
			match := compiled(d.steps)
			key := strings.ToLower(strings.TrimSpace(s.Attribute))
			page.FindMatcher(cascadia.Selector(d.counted(match))).Each(func(_ int, el *goquery.Selection) {
				if v, ok := el.Attr(key); ok {
					a.Values = append(a.Values, v)
				} else if v, ok := el.Attr("data-" + key); ok {
					a.Values = append(a.Values, v)
				}
			})
		}
		out = append(out, a)
	}
	return out
}
