package markdown

import (
	"bytes"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/marker"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"golang.org/x/net/html"
)

// removedImage is the address that stands for a base64 image.
const removedImage = "<Base64-Image-Removed>"

// newWriter sets up html-to-markdown. Its own link and image renderers re-encode addresses, so that
// "a+b" in a query becomes another query; ours write them as they are.
func newWriter(o Options) *converter.Converter {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		strikethrough.NewStrikethroughPlugin(),
	))
	conv.Register.UnEscaper(escapeFarBracket, converter.PriorityEarly)
	conv.Register.Renderer(stopWhenDone, converter.PriorityEarly)
	conv.Register.TextTransformer(emptyWhenDone, converter.PriorityEarly)
	conv.Register.RendererFor("a", converter.TagTypeInline, writeLink, converter.PriorityEarly+1)
	conv.Register.RendererFor("img", converter.TagTypeInline, o.writeImage, converter.PriorityEarly+1)
	conv.Register.RendererFor("blockquote", converter.TagTypeBlock, writeQuote, converter.PriorityEarly+1)
	conv.Register.RendererFor("table", converter.TagTypeBlock, writeTable, converter.PriorityEarly+1)
	conv.Register.RendererFor(cellBreak, converter.TagTypeInline, writeCellBreak, converter.PriorityEarly+1)
	conv.Register.RendererFor(taskBox, converter.TagTypeInline, writeTaskBox, converter.PriorityEarly+1)
	conv.Register.RendererFor(verbatimInline, converter.TagTypeInline, writeVerbatim, converter.PriorityEarly+1)
	conv.Register.RendererFor(verbatimBlock, converter.TagTypeBlock, writeVerbatim, converter.PriorityEarly+1)
	conv.Register.PostRenderer(tidy, converter.PriorityLate-1)
	return conv
}

// The writer takes no notice of a context by itself. These two make it run empty once ctx is done,
// so a conversion needs no goroutine that could be left behind.
func stopWhenDone(ctx converter.Context, _ converter.Writer, _ *html.Node) converter.RenderStatus {
	if ctx.Err() != nil {
		return converter.RenderSuccess
	}
	return converter.RenderTryNext
}

func emptyWhenDone(ctx converter.Context, content string) string {
	if ctx.Err() != nil {
		return ""
	}
	return content
}

// escapeFarBracket escapes a "[" whose line goes on for long without a "]". The plugin would look through the
// whole line to find out, for each "[" again.
func escapeFarBracket(chars []byte, index int) int {
	const far = 1000
	if chars[index] != '[' || len(chars)-index <= far || bytes.ContainsAny(chars[index:index+far], "]\n") {
		return -1
	}
	return 1
}

// insideLink is the key under which the commonmark plugin looks to escape brackets in link texts.
const insideLink = "is_inside_link"

func writeLink(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var buf bytes.Buffer
	ctx.RenderChildNodes(ctx.WithValue(insideLink, true), &buf, n)
	before, text, after := trimLine(buf.Bytes())
	if has(n, isBlock) && !inHeading(n) {
		before, after = "\n\n", "\n\n"
	}
	href := strings.TrimSpace(attr(n, "href"))
	w.WriteString(before)
	defer w.WriteString(after)
	switch {
	case len(text) == 0:
	case href == "":
		w.Write(text)
	case isAutolink(n, href):
		w.WriteString("<" + href + ">")
	default:
		w.WriteString("[")
		w.Write(text)
		w.WriteString("](" + destination(href) + title(n) + ")")
	}
	return converter.RenderSuccess
}

func inHeading(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if isHeading(p) {
			return true
		}
	}
	return false
}

// trimLine brings a link's text, which may come from several blocks, onto one line. What was white
// space around it is given back as single spaces.
func trimLine(b []byte) (before string, text []byte, after string) {
	text = bytes.TrimSpace(b)
	if len(text) == 0 {
		return "", nil, ""
	}
	if strings.ContainsRune(" \n", rune(b[0])) {
		before = " "
	}
	if strings.ContainsRune(" \n", rune(b[len(b)-1])) {
		after = " "
	}
	if !bytes.ContainsRune(text, '\n') {
		return before, text, after
	}
	lines := bytes.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	for i := range lines {
		lines[i] = bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(lines[i]), []byte(`\`)))
	}
	return before, bytes.TrimSpace(bytes.Join(lines, []byte(" "))), after
}

// isAutolink reports a link whose text is its own address.
func isAutolink(n *html.Node, href string) bool {
	c := n.FirstChild
	return c != nil && c.NextSibling == nil && c.Type == html.TextNode && strings.TrimSpace(c.Data) == href &&
		(strings.HasPrefix(href, "https://") || strings.HasPrefix(href, "http://")) && !strings.ContainsAny(href, " <>\n\t")
}

func (o Options) writeImage(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	src := strings.TrimSpace(attr(n, "src"))
	if src == "" {
		return converter.RenderSuccess
	}
	dest := destination(src)
	if o.RemoveBase64Images && isBase64Image(src) {
		dest = removedImage
	}
	w.WriteString("![" + altText(attr(n, "alt")) + "](" + dest + title(n) + ")")
	return converter.RenderSuccess
}

func isBase64Image(src string) bool {
	head, _, ok := strings.Cut(src[:min(len(src), 100)], ",")
	head = strings.ToLower(head)
	return ok && strings.HasPrefix(head, "data:image/") && strings.HasSuffix(head, ";base64")
}

// altText escapes what would end or change the alternative text.
func altText(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "<", `\<`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`).Replace(s)
}

// destination writes an address so that Markdown reads the same one: as it is where it can stand,
// with parentheses escaped where they are not balanced.
func destination(href string) string {
	if strings.ContainsAny(href, " <>\n\t|") {
		href = strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", "\n", "", "\t", "", "|", "%7C").Replace(href)
	}
	if !balanced(href) {
		href = strings.NewReplacer("(", `\(`, ")", `\)`).Replace(href)
	}
	return href
}

func balanced(s string) bool {
	open := 0
	for _, c := range []byte(s) {
		switch c {
		case '(':
			open++
		case ')':
			open--
		case '\\':
			return false
		}
		if open < 0 {
			return false
		}
	}
	return open == 0
}

// title is the title of a link or image with the space before it, or nothing.
func title(n *html.Node) string {
	s := strings.Join(strings.Fields(attr(n, "title")), " ")
	if s == "" {
		return ""
	}
	return ` "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "|", `\|`).Replace(s) + `"`
}

func writeTaskBox(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if attr(n, "checked") != "" {
		w.WriteString("[x] ")
	} else {
		w.WriteString("[ ] ")
	}
	return converter.RenderSuccess
}

// writeQuote puts "> " before every line, those of code blocks too, which the commonmark plugin forgets.
func writeQuote(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var buf bytes.Buffer
	ctx.RenderChildNodes(ctx, &buf, n)
	body := bytes.TrimSpace(buf.Bytes())
	if len(body) == 0 {
		return converter.RenderSuccess
	}
	body = bytes.ReplaceAll(tighten(ctx.UnEscapeContent(body)), marker.BytesMarkerCodeBlockNewline, codeNewlineInQuote)
	w.WriteString("\n\n")
	blank := false
	for line := range bytes.Lines(body) {
		line = bytes.TrimRight(line, "\n")
		if len(line) == 0 {
			blank = true // several in a row are one
			continue
		}
		if blank {
			w.WriteString(">\n")
			blank = false
		}
		w.WriteString("> ")
		w.Write(line)
		w.WriteString("\n")
	}
	w.WriteString("\n")
	return converter.RenderSuccess
}

// codeNewlineInQuote is the plugin's mark for a line break in code, with the quotation's prefix after it.
var codeNewlineInQuote = append(append([]byte(nil), marker.BytesMarkerCodeBlockNewline...), "> "...)

func writeCellBreak(_ converter.Context, w converter.Writer, _ *html.Node) converter.RenderStatus {
	w.WriteString("<br>")
	return converter.RenderSuccess
}

func writeVerbatim(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	s := textOf(n)
	if n.Data == verbatimBlock {
		s = "\n\n" + s + "\n\n"
	}
	w.WriteString(s)
	return converter.RenderSuccess
}
