package fasttree

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inForeign reports whether the token belongs to a picture or a formula. HTML within one is left to the other parser.
func (m *maker) inForeign() bool {
	if len(m.open) == 0 {
		return false
	}
	top := m.top()
	switch {
	case top.Namespace == "" || m.tok.kind == html.ErrorToken:
		return false
	case !isIntegrationPoint(top.Node):
		return true
	case m.tok.kind == html.StartTagToken:
		m.refuse("HTML in " + top.Data)
	}
	return m.tok.kind != html.TextToken
}

// isIntegrationPoint reports an element of a picture or a formula that may hold HTML.
func isIntegrationPoint(n *html.Node) bool {
	switch n.Data {
	case "desc", "foreignObject", "title":
		return n.Namespace == "svg"
	case "mi", "mo", "mn", "ms", "mtext":
		return n.Namespace == "math"
	}
	return false
}

// startForeign opens a picture or a formula.
func (m *maker) startForeign() {
	namespace := m.tok.name
	adjust(m.tok.attr, namespace)
	m.addForeign(namespace)
}

func (m *maker) addForeign(namespace string) {
	m.add()
	top := &m.open[len(m.open)-1]
	top.Namespace = namespace
	top.is = flagsOf(top.Node)
	if m.tok.closed {
		m.pop()
	}
}

func (b *builder) inForeignContent() bool {
	switch b.tok.kind {
	case html.TextToken:
		b.addText(b.textOf())
	case html.CommentToken:
		b.commentHere()
	case html.StartTagToken:
		b.startInForeign()
	case html.EndTagToken:
		return b.endForeign(b.tok.name) || b.step()
	}
	return true
}

// endForeign ends an element of a picture or a formula, and all in it; false where none of that name is open.
func (s *stack) endForeign(name string) bool {
	for i := len(s.open) - 1; i >= 0; i-- {
		if strings.EqualFold(s.open[i].Data, name) {
			s.open = s.open[:i]
			return true
		}
		if i > 0 && s.open[i-1].Namespace == "" {
			return false
		}
	}
	return false
}

// breakouts end a picture or a formula.
var breakouts = func() map[string]bool {
	m := make(map[string]bool)
	for name := range strings.FieldsSeq(`b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing
		menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var font annotation-xml`) {
		m[name] = true
	}
	return m
}()

func (m *maker) startInForeign() {
	if m.rawTag = ""; breakouts[m.tok.name] {
		m.refuse("HTML in " + m.top().Namespace)
		return
	}
	namespace := m.top().Namespace
	if cased := casedTags[m.tok.name]; namespace == "svg" && cased != "" {
		m.tok.el, m.tok.name = element{atom: atom.Lookup([]byte(cased))}, cased
	}
	adjust(m.tok.attr, namespace)
	m.addForeign(namespace)
}

// adjust gives the attributes of SVG and MathML their case and their namespaces.
func adjust(attrs []html.Attribute, namespace string) {
	for i := range attrs {
		a := &attrs[i]
		switch cased := casedAttrs[a.Key]; {
		case namespace == "svg" && cased != "":
			a.Key = cased
		case namespace == "math" && a.Key == "definitionurl":
			a.Key = "definitionURL"
		case foreignAttrs[a.Key]:
			a.Namespace, a.Key, _ = strings.Cut(a.Key, ":")
		}
	}
}

// foreignAttrs have a namespace.
var foreignAttrs = map[string]bool{
	"xlink:actuate": true, "xlink:arcrole": true, "xlink:href": true, "xlink:role": true, "xlink:show": true, "xlink:title": true,
	"xlink:type": true, "xml:lang": true, "xml:space": true, "xmlns:xlink": true,
}

// casedTags and casedAttrs are the names of SVG that have capitals, by these names without.
var (
	casedTags = cased(`altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
		feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feFlood feFuncA feFuncB feFuncG
		feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
		feTurbulence foreignObject glyphRef linearGradient radialGradient textPath`)
	casedAttrs = cased(`attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits
		glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle
		markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits patternTransform
		patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur
		requiredExtensions requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale
		systemLanguage tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan`)
)

func cased(names string) map[string]string {
	m := make(map[string]string)
	for name := range strings.FieldsSeq(names) {
		m[strings.ToLower(name)] = name
	}
	return m
}
