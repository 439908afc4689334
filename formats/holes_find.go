package formats

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/hidden"
	"github.com/winnow-go/winnow/formats/internal/nodes"
)

// holeFinder collects the holes of a page.
type holeFinder struct {
	tree  *content.Tree
	apart apartness
	holes []Hole
}

func (h *holeFinder) look(i int, n *html.Node) {
	if loader := loaderOf(n); loader != "" && h.tree.WordsBelow(i) <= placeholderWords && !h.apart.standsApart(n) {
		h.holes = append(h.holes, Hole{Name: holeName(n), Loader: loader, node: n})
		return
	}
	if couldHold(n) && h.tree.WordsBelow(i) <= placeholderWords && !h.apart.standsApart(n) && isEmpty(n) {
		h.holes = append(h.holes, Hole{Name: holeName(n), node: n})
	}
}

// placeholderWords is how many words a place may hold that stand for what is to come: "Loading the application, please wait".
const placeholderWords = 12

// loaderOf names what fills an element by itself when the page loads.
func loaderOf(n *html.Node) string {
	if n.DataAtom == atom.Template {
		if isLeftToClient(n) {
			return "data-dgst"
		}
		return attrAmong(n, "x-for", "x-if", ":for", "v-for")
	}
	if key := attrAmong(n, "hx-get", "data-hx-get", "hx-post"); key != "" && loadsItself(nodes.Attr(n, "hx-trigger")+nodes.Attr(n, "data-hx-trigger")) {
		return key
	}
	switch n.Data {
	case "astro-island", "turbo-frame", "include-fragment":
		if isEmpty(n) && nodes.Attr(n, "loading") != "lazy" {
			return n.Data
		}
		return ""
	}
	if island := attrAmong(n, "data-controller", "data-react-class", "data-island"); island != "" && isIslandName(nodes.Attr(n, island)) && isEmpty(n) {
		return island // Stimulus, react-rails, and a common name
	}
	return attrAmong(n, "x-text", "x-html", "v-text", "v-html", "ng-bind", "ng-bind-html", "data-bind", "ng-repeat", "data-ng-repeat")
}

// isLeftToClient reports the mark of a part of a page that Next.js leaves to the browser; in its sources it is in
// shared/lib/lazy-dynamic/bailout-to-csr.
func isLeftToClient(n *html.Node) bool {
	return n.DataAtom == atom.Template && nodes.Attr(n, "data-dgst") == "BAILOUT_TO_CLIENT_SIDE_RENDERING"
}

// isIslandName reports the name of a component. Those of Stimulus have no dots: https://stimulus.hotwired.dev/reference/controllers
func isIslandName(name string) bool {
	return name != "" && !strings.Contains(name, ".") && !hasApartWord(name)
}

// loadsItself reports triggers of htmx that no act of a reader causes. https://htmx.org/attributes/hx-trigger/
func loadsItself(trigger string) bool {
	return containsAny(trigger, []string{"load", "revealed", "intersect", "every"})
}

func attrAmong(n *html.Node, keys ...string) string {
	for i := range n.Attr {
		for _, key := range keys {
			if n.Attr[i].Key == key {
				return key
			}
		}
	}
	return ""
}

// couldHold reports an element that content is put into, and that a script can find by a name.
func couldHold(n *html.Node) bool {
	if strings.Contains(n.Data, "-") {
		return n.Namespace == ""
	}
	switch n.DataAtom {
	case atom.Tbody:
		return true
	case atom.Div, atom.Section, atom.Article, atom.Main, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.P, atom.Span,
		atom.Td, atom.Dd, atom.H1, atom.H2, atom.H3, atom.H4, atom.Strong, atom.B, atom.Output, atom.Time, atom.Pre, atom.Code,
		atom.Blockquote, atom.Figure, atom.Li:
		return nodes.Attr(n, "id") != "" || nodes.Attr(n, "class") != "" || hasData(n)
	}
	return false
}

func hasData(n *html.Node) bool {
	for i := range n.Attr {
		if strings.HasPrefix(n.Attr[i].Key, "data-") {
			return true
		}
	}
	return false
}

// isEmpty reports an element without content: no words but those that stand for content to come, no picture, frame or control.
func isEmpty(n *html.Node) bool {
	words, elements := 0, 0
	for d := range n.Descendants() {
		switch d.Type {
		case html.TextNode:
			words += content.Words(d.Data)
		case html.ElementNode:
			if elements++; showsMore(d) || elements > maxSkeleton {
				return false
			}
		}
		if words > placeholderWords {
			return false
		}
	}
	return words == 0 || promisesText(textBelow(n))
}

// maxSkeleton is how many elements without words a place may have: the bars and circles of a skeleton.
const maxSkeleton = 60

func showsMore(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Img, atom.Picture, atom.Video, atom.Audio, atom.Iframe, atom.Object, atom.Embed, atom.Canvas, atom.Input, atom.Select,
		atom.Textarea, atom.Button, atom.Form, atom.Math:
		return true
	}
	return false
}

func textBelow(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
			b.WriteByte(' ')
		}
	}
	return strings.ToLower(strings.TrimSpace(b.String()))
}

// promisesText reports a text that stands for one to come: "Loading…", "please wait", "–", "0.00".
func promisesText(text string) bool {
	says := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) && c != '0' }
	if !strings.ContainsFunc(text, says) {
		return len(text) <= 8
	}
	return containsAny(text, loadingWords)
}

// loadingWords are what pages say until their content is there, in the languages of most pages of the web.
var loadingWords = []string{
	"loading", "please wait", "just a moment", "fetching", "wird geladen", "lade ", "laden", "bitte warten", "chargement", "patientez",
	"cargando", "espere", "caricamento", "attendere", "carregando", "aguarde", "загрузка", "подождите", "ładowanie", "proszę czekać",
	"yükleniyor", "bezig met laden", "laddar", "indlæser", "laster", "ladataan", "načítá", "读取中", "加载中", "載入中", "読み込み中",
	"로딩", "불러오는", "جار التحميل", "טוען", "लोड हो रहा",
}

// apartness knows which elements stand apart, each found out once.
type apartness map[*html.Node]bool

// standsApart reports places that hold no content of the page, by their name or those of what is around them, and hidden ones.
func (known apartness) standsApart(n *html.Node) bool {
	apart, top := false, n
	for ; top != nil && top.Type == html.ElementNode && top.DataAtom != atom.Body && top.DataAtom != atom.Html; top = top.Parent {
		was, found := known[top]
		if apart = was || !found && isApart(top); apart || found {
			break
		}
	}
	for ; n != top; n = n.Parent {
		known[n] = apart
	}
	if top != nil {
		known[top] = apart
	}
	return apart
}

// isApart reports an element that stands apart by itself.
func isApart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Nav, atom.Header, atom.Footer, atom.Form, atom.Button, atom.Label, atom.Dialog, atom.Noscript, atom.Svg, atom.Select:
		if n.DataAtom != atom.Header || !isWithinContent(n) {
			return true
		}
	case atom.Template:
		if attrAmong(n, "x-for", "x-if") == "" && !isLeftToClient(n) {
			return true
		}
	}
	return hidden.IsHidden(n) || isApartByName(n)
}

// isWithinContent reports whether an element stands in an article or the main content: the header of an article is content.
func isWithinContent(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p.DataAtom == atom.Article || p.DataAtom == atom.Main {
			return true
		}
	}
	return false
}

func isApartByName(n *html.Node) bool {
	switch nodes.Attr(n, "role") {
	case "dialog", "alertdialog", "alert", "status", "tooltip", "navigation", "banner", "contentinfo", "search", "progressbar", "menu":
		return true
	}
	if _, live := nodes.Lookup(n, "aria-live"); live {
		return true
	}
	return hasApartWord(nodes.Attr(n, "id")) || hasApartWord(nodes.Attr(n, "class"))
}

// hasApartWord looks at the words of a name: "site-cart_count" has site, cart and count.
func hasApartWord(name string) bool {
	start := -1
	for i, c := range name + " " {
		isWord := unicode.IsLetter(c)
		switch {
		case isWord && start < 0:
			start = i
		case !isWord && start >= 0:
			if apartWords[strings.ToLower(name[start:i])] {
				return true
			}
			start = -1
		}
	}
	return false
}

// apartWords are names of what is around content, decorates it, or belongs to its reader. Some are from the lists of EasyList and of
// Bootstrap's, Font Awesome's and WordPress's class names.
var apartWords = nodes.Names(strings.Fields(`ad ads placement advert adsense adslot banner promo promotion sticky viewports sponsor cart basket minicart wishlist login signin account avatar
	user cookie cookies consent gdpr ccpa onetrust privacy chat chatbot livechat intercom toast toasts modal popup popover tooltip
	overlay backdrop lightbox notification notifications notice snackbar alert captcha recaptcha hcaptcha turnstile share sharing social
	addthis comments comment disqus respond newsletter subscribe autocomplete typeahead suggestions suggest dropdown menu nav navbar
	sidebar offcanvas drawer breadcrumb pagination pager spinner loader preloader progress icon icons ico fa glyphicon caret arrow
	chevron close hamburger burger toggle switch divider separator spacer clearfix clear bar line dot dots bullet shape bg background
	decoration gradient mask shadow border curtain cursor scrollbar scroll scroller top sr visually hidden invisible analytics pixel
	tracking tracker portal announcer footer debug toolbar admin translate trustpilot badge ribbon map recaptchav skip anchor error errors
	message messages msg flash feedback validation tag counter year copyright`)...)

// holeName is how a hole is named to people: by its id, else by its element and first class.
func holeName(n *html.Node) string {
	if id := nodes.Attr(n, "id"); id != "" {
		return "#" + id
	}
	if classes := strings.Fields(nodes.Attr(n, "class")); len(classes) > 0 {
		return n.Data + "." + classes[0]
	}
	return n.Data
}
