package markdown

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// language is the programming language that an element's class or data attributes name, else "".
func language(n *html.Node) string {
	for _, key := range []string{"data-lang", "data-language", "data-code-language", "data-enlighter-language"} {
		if v := strings.ToLower(strings.TrimSpace(attr(n, key))); isLanguage(v) {
			return v
		}
	}
	if n.DataAtom == atom.Pre || n.DataAtom == atom.Code {
		if v := strings.ToLower(attr(n, "lang")); known[v] {
			return v
		}
	}
	if v, ok := strings.CutPrefix(attr(n, "class"), "language-"); ok && n.DataAtom == atom.Code && isInfo(v) {
		return v
	}
	tokens := strings.Fields(strings.ToLower(attr(n, "class")))
	for i, t := range tokens {
		if v := languageIn(t); v != "" {
			return v
		}
		if t == "brush:" && i+1 < len(tokens) && isLanguage(strings.TrimSuffix(tokens[i+1], ";")) {
			return strings.TrimSuffix(tokens[i+1], ";")
		}
	}
	return knownToken(n, tokens)
}

// languageIn is the language of one class name that says it is one.
func languageIn(token string) string {
	for _, prefix := range []string{"language-", "lang-", "highlight-source-", "brush:", "sourcecode-", "src-", "highlight-"} {
		v, ok := strings.CutPrefix(token, prefix)
		v = strings.TrimSuffix(v, ";")
		if ok && isLanguage(v) && (known[v] || prefix != "src-" && prefix != "highlight-") {
			return v
		}
	}
	return ""
}

// knownToken is a language named by a class of its own, as some highlighters do beside a class that says
// so, and as pre and code elements do.
func knownToken(n *html.Node, tokens []string) string {
	own := n.DataAtom == atom.Pre || n.DataAtom == atom.Code
	for _, t := range tokens {
		own = own || highlighters[t]
	}
	if !own {
		return ""
	}
	for _, t := range tokens {
		if known[t] {
			return t
		}
	}
	return ""
}

// highlighters are class names beside which a language may stand.
var highlighters = set("hljs", "highlight", "sourcecode", "syntaxhighlighter", "prettyprint", "codehilite", "src", "prism", "shiki", "crayon-syntax")

// known are the names of languages that are believed without a prefix, where a class might mean something else.
var known = set("abap", "actionscript", "ada", "apache", "applescript", "arduino", "asm", "assembly", "awk", "bash", "batch", "basic", "bat", "bibtex",
	"c", "c#", "c++", "cc", "clojure", "cmake", "cobol", "coffeescript", "cpp", "csharp", "css", "csv", "cuda", "d", "dart", "delphi", "diff",
	"dockerfile", "dos", "elisp", "elixir", "elm", "emacs-lisp", "erb", "erlang", "fish", "fortran", "fsharp", "glsl", "go", "golang", "gradle", "graphql", "groovy",
	"haml", "handlebars", "haskell", "hcl", "html", "http", "ini", "java", "javascript", "jinja", "js", "jscript", "json", "json5", "jsx", "julia",
	"kotlin", "latex", "less", "lisp", "llvm", "lua", "makefile", "markdown", "matlab", "mathematica", "nasm", "nginx", "nim", "nix", "objc",
	"objective-c", "objectivec", "ocaml", "pascal", "perl", "php", "plsql", "powershell", "prolog", "properties", "protobuf", "ps1", "puppet",
	"py", "python", "python3", "pycon", "r", "racket", "rb", "rs", "ruby", "rust", "sass", "scala", "scheme", "scss", "sed", "sh", "shell",
	"shell-session", "smalltalk", "solidity", "sql", "svelte", "swift", "systemverilog", "tcl", "terraform", "tex", "toml", "ts", "tsx",
	"typescript", "vb", "vbnet", "verilog", "vhdl", "vim", "vue", "wasm", "xml", "xquery", "yaml", "yml", "zig", "zsh", "console", "ipython3")

func isLanguage(s string) bool {
	switch s {
	case "", "none", "plain", "plaintext", "text", "txt", "source", "default", "nohighlight", "no-highlight", "undefined", "null", "auto", "raw":
		return false
	}
	return len(s) <= 20 && strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && (r < '0' || r > '9') && !strings.ContainsRune("+#.-_", r)
	}) < 0
}

// isInfo reports what a Markdown renderer makes a class of: one word that can stand behind a fence as it is.
func isInfo(s string) bool {
	return isLanguage(s) || s != "" && len(s) <= 40 && strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsLetter(r) || r == '`' }) < 0
}

func (w *work) languageBelow(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.steps.Visit()
		if c.DataAtom == atom.Code {
			return language(c)
		}
	}
	return ""
}

// languageAbove looks at the elements around a block, where some highlighters name the language.
func (w *work) languageAbove(n *html.Node) string {
	p := n.Parent
	for range 3 {
		if p == nil || p.Type != html.ElementNode || p.DataAtom == atom.Body {
			return ""
		}
		lang, known := w.languages[p] // many blocks may be in one element
		if !known {
			lang = language(p)
			w.languages[p] = lang
		}
		if lang != "" {
			return lang
		}
		p = p.Parent
	}
	return ""
}
