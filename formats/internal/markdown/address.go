package markdown

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// removedImage is the address that stands for an image that is data itself.
const removedImage = "<Base64-Image-Removed>"

// link writes a link around what children write, on one line of text. One in a link or without an address is its text.
func (s *sheet) link(n *html.Node, children func()) {
	href := strings.TrimSpace(attr(n, "href"))
	switch {
	case !hasAttr(n, "href") || href == "" && !s.options.KeepEmptyLinks || s.openKinds[linked] > 0:
		children()
	case s.isBareLink(n, href):
		s.markup(s.textOf(n))
	case isAutolink(n, href):
		s.markup("<" + strings.TrimSpace(s.textOf(n)) + ">")
	default:
		s.enter(stretch{kind: linked, node: n}, children)
	}
}

// destinationOf is what stands in the parentheses of a link, and nothing for other stretches.
func (s *sheet) destinationOf(sp *stretch) string {
	if sp.kind != linked {
		return ""
	}
	return destination(strings.TrimSpace(attr(sp.node, "href"))) + title(sp.node)
}

// isAutolink reports a link whose text is its own address, or a mail address to write to.
func isAutolink(n *html.Node, href string) bool {
	c := n.FirstChild
	if c == nil || c.NextSibling != nil || c.Type != html.TextNode || attr(n, "title") != "" {
		return false
	}
	text := strings.TrimSpace(c.Data)
	if strings.ContainsAny(text, " <>\n\t|") {
		return false
	}
	if mail, ok := strings.CutPrefix(href, "mailto:"); ok {
		head, tail := 0, 0
		if at := strings.IndexByte(text, '@'); at > 0 {
			head, tail = mailAround(text, at)
		}
		return mail == text && head > 0 && head+tail == len(text)
	}
	return hasScheme(text) && (href == text || href == text+"/" || unescaped(href) == unescaped(text))
}

func hasScheme(s string) bool {
	s = strings.ToLower(s[:min(len(s), len("https://"))])
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "ftp://")
}

func unescaped(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// bareLink are the characters of links without marks that mean nothing else.
const bareLink = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-/?=#%+;,:"

// isBareLink reports what GFM makes a link of by itself: "www." and a plain name.
func (s *sheet) isBareLink(n *html.Node, href string) bool {
	c := n.FirstChild
	if c == nil || c.NextSibling != nil || c.Type != html.TextNode || !strings.HasPrefix(c.Data, "www.") || attr(n, "title") != "" {
		return false
	}
	if !strings.EqualFold(strings.TrimSuffix(href, "/"), "http://"+strings.TrimSuffix(c.Data, "/")) || strings.Count(c.Data, ".") < 2 {
		return false
	}
	last := c.Data[len(c.Data)-1]
	return (last == '/' || last == ';' || isMailByte(last, "")) && strings.Trim(c.Data, bareLink) == ""
}

func (s *sheet) image(n *html.Node) {
	src := strings.TrimSpace(attr(n, "src"))
	if src == "" {
		return
	}
	dest := destination(src)
	if s.options.RemoveBase64Images && isDataImage(src) {
		dest = removedImage
	}
	s.markup("![" + altText(attr(n, "alt")) + "](" + dest + title(n) + ")")
}

var (
	escapeAlt   = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "*", `\*`, "_", `\_`, "~", `\~`, "|", `\|`)
	escapeTitle = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "|", `\|`)
	encodeURL   = strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", "\n", "", "\r", "", "\t", "", "|", "%7C", "`", "%60")
	escapeURL   = strings.NewReplacer("(", `\(`, ")", `\)`)
)

// altText escapes what would end or change the alternative text.
func altText(s string) string { return escapeEntities(escapeAlt.Replace(oneLine(s))) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// destination writes an address so that Markdown reads the same one: as it is where it can stand,
// with parentheses escaped where they are not balanced.
func destination(href string) string {
	if strings.ContainsAny(href, " <>\n\r\t|`") {
		href = encodeURL.Replace(href)
	}
	if strings.Contains(href, `\`) {
		href = escapeBackslashes(href)
	}
	if !balanced(href) {
		href = escapeURL.Replace(href)
	}
	return escapeEntities(href)
}

// escapeBackslashes doubles those before a sign, where one alone would be an escape.
func escapeBackslashes(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if b.WriteByte(s[i]); s[i] == '\\' && i+1 < len(s) && isPunctuation(s[i+1]) {
			b.WriteByte('\\')
		}
	}
	return b.String()
}

func balanced(s string) bool {
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			open++
		case ')':
			open--
		}
		if open < 0 {
			return false
		}
	}
	return open == 0
}

// title is the title of a link or image with the space before it, or nothing.
func title(n *html.Node) string {
	s := oneLine(attr(n, "title"))
	if s == "" {
		return ""
	}
	return ` "` + escapeEntities(escapeTitle.Replace(s)) + `"`
}

// escapeEntities keeps a text that spells an entity, such as "&lt;", from being read as one.
func escapeEntities(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		before, _, found := strings.Cut(s, "&")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		s = s[len(before):]
		b.WriteByte('&')
		if isEntity(s) {
			b.WriteString("amp;")
		}
		s = s[1:]
	}
}
