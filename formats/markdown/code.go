package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// flattenCode makes every code block one pre of plain text with its language as class, without
// line numbers. Tables that highlighters use to put the numbers aside become their code.
func flattenCode(root *html.Node) {
	walk(root, func(n *html.Node) bool {
		switch n.DataAtom {
		case atom.Table:
			if code := codeOfTable(n); code != nil {
				remove(code)
				n.Parent.InsertBefore(code, n)
				flattenPre(code, language(n))
				remove(n)
				return false
			}
		case atom.Pre:
			flattenPre(n, "")
			return false
		}
		return true
	})
}

// numbers are the class names of line numbers.
var numbers = set("gutter", "lineno", "linenos", "linenumber", "line-number", "line-numbers", "linenodiv", "ln", "lnt", "hljs-ln-numbers",
	"rouge-gutter", "blob-num", "line-numbers-rows", "linenumbers", "react-syntax-highlighter-line-number")

// codeOfTable is the pre with the code of a table that holds only line numbers and code, else nil.
func codeOfTable(n *html.Node) *html.Node {
	var code *html.Node
	count := 0
	other := false
	walk(n, func(c *html.Node) bool {
		switch {
		case hasToken(c, numbers):
			other = true
			return false
		case c.DataAtom == atom.Pre:
			code = c
			count++
			return false
		}
		return true
	})
	if count != 1 || !other {
		return nil
	}
	return code
}

func flattenPre(pre *html.Node, lang string) {
	for _, find := range []func(*html.Node) string{language, languageBelow, languageAbove} {
		if lang == "" {
			lang = find(pre)
		}
	}
	var b strings.Builder
	codeText(pre, &b)
	for c := pre.FirstChild; c != nil; c = pre.FirstChild {
		pre.RemoveChild(c)
	}
	if strings.TrimSpace(b.String()) == "" {
		remove(pre)
		return
	}
	rename(pre, atom.Pre)
	code := element(atom.Code)
	if lang != "" {
		setAttr(code, "class", "language-"+lang)
	}
	code.AppendChild(text(clean(strings.TrimRight(b.String(), "\n"))))
	pre.AppendChild(code)
}

// codeText collects the text of a code block: lines that are elements of their own end in a line break.
func codeText(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode, hasToken(c, numbers), attr(c, "data-line-number") != "" && c.FirstChild == nil:
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		case isControl(c):
		default:
			codeText(c, b)
			if isLine(c) && !strings.HasSuffix(b.String(), "\n") && c.NextSibling != nil {
				b.WriteByte('\n')
			}
		}
	}
}

func isControl(n *html.Node) bool { return n.DataAtom == atom.Button || n.DataAtom == atom.Textarea }

func isLine(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.P, atom.Li, atom.Tr:
		return true
	}
	return false
}

// language is the programming language that an element's class or data attributes name, else "".
func language(n *html.Node) string {
	for _, key := range []string{"data-lang", "data-language", "lang"} {
		if v := attr(n, key); key != "lang" && isLanguage(v) {
			return strings.ToLower(v)
		}
	}
	tokens := strings.Fields(strings.ToLower(attr(n, "class")))
	for i, t := range tokens {
		for _, prefix := range []string{"language-", "lang-", "highlight-source-", "brush:", "sourcecode-"} {
			if v, ok := strings.CutPrefix(t, prefix); ok && isLanguage(v) {
				return v
			}
		}
		if (t == "hljs" || t == "brush:" || t == "sourcecode" || t == "highlight" && n.DataAtom == atom.Pre) && i+1 < len(tokens) && isLanguage(tokens[i+1]) {
			return strings.TrimSuffix(tokens[i+1], ";")
		}
	}
	return ""
}

func isLanguage(s string) bool {
	s = strings.TrimSuffix(s, ";")
	if s == "" || len(s) > 20 || s == "none" || s == "plaintext" || s == "text" || s == "source" {
		return false
	}
	return strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("+#.-_", r)
	}) < 0
}

func languageBelow(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Code {
			return language(c)
		}
	}
	return ""
}

// languageAbove looks at the two elements around a block, where some highlighters name the language.
func languageAbove(n *html.Node) string {
	p := n.Parent
	for range 2 {
		if p == nil || p.Type != html.ElementNode {
			return ""
		}
		if lang := language(p); lang != "" {
			return lang
		}
		p = p.Parent
	}
	return ""
}
