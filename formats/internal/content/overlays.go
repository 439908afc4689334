package content

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// WithoutOverlays is m without what lies over a page and is not what it says: boxes that ask for consent, an address for a newsletter or
// the reader's age, and notices that the browser is too old. Only what is certain is left out, and nothing of which the page holds little
// else. m is not changed; it is the answer where there is no such box.
func (t *Tree) WithoutOverlays(m Mask) Mask {
	p := &page{Tree: t, memory: borrowMemory(t.Len())}
	defer p.memory.giveBack()
	p.remeasure(m)
	out, words := m, p.stats[0].words
	for i := 1; i < len(p.nodes); i++ {
		p.steps.Visit()
		if out[i] {
			i = p.End(i) - 1
			continue
		}
		s := &p.stats[i]
		if p.nodes[i].Type != html.ElementNode || !p.isOverlay(i) || words-s.words < max(1, min(fewWords, words/2)) {
			continue
		}
		if &out[0] == &m[0] {
			out = slices.Clone(m)
		}
		out[i] = true
		words -= s.words
		i = p.End(i) - 1
	}
	return out
}

// maxOverlayShare is the share of a page's words, in percent, that no overlay holds whose names are not those of consent software.
const maxOverlayShare = 50

func (p *page) isOverlay(i int) bool {
	e, s := &p.nodes[i], &p.stats[i]
	switch e.DataAtom {
	case atom.Html, atom.Head, atom.Body, atom.Main, atom.Article, atom.A, atom.Button:
		return false
	}
	if heading(e) || p.holdsTitle(s) {
		return false
	}
	if e.mark.signs&signApart != 0 {
		return true
	}
	if atLeast(s.words, p.stats[0].words, maxOverlayShare) {
		return false
	}
	return isNamedOverlay(e.Node) || liesOver(e.Node) && p.asks(i)
}

// liesOver reports a box that is shown over the page: a dialog, or what stays in its place of the window.
func liesOver(n *html.Node) bool {
	if n.DataAtom == atom.Dialog || attr(n, "aria-modal") == "true" {
		return true
	}
	if role := attr(n, "role"); role == "dialog" || role == "alertdialog" {
		return true
	}
	style := strings.ReplaceAll(attr(n, "style"), " ", "")
	return strings.Contains(style, "position:fixed")
}

// What an overlay asks is said within so many words, and it holds at most so many nodes before.
const (
	askedWithin = 80
	askedNodes  = 200
)

// asked is the beginning of a box, for what it asks.
type asked struct {
	text   string          // in lower case
	words  map[string]bool // of text
	choice bool            // there is something to press
	field  bool            // there is something to fill in
	mail   bool            // that is for an address
	long   bool            // or for a message or a password: it is a form of the page's own
}

// asks reports a box that asks for consent, for an address to write to, or for the reader's age.
func (p *page) asks(i int) bool {
	a := p.asked(i)
	if !a.choice && !a.field {
		return false
	}
	short := p.stats[i].words <= askedWithin
	switch {
	case a.has(consentSubjects) && a.has(consentWords):
		return true
	case short && !a.long && (a.mail || a.field && a.has(letterWords)):
		return true
	}
	return short && p.stats[i].specs == 0 && a.has(ages) && a.has(ageWords)
}

func (p *page) asked(i int) asked {
	var a asked
	var b strings.Builder
	words := int32(0)
	b.WriteString(attr(p.nodes[i].Node, "aria-label"))
	for k := i + 1; k < min(p.End(i), i+askedNodes) && words < askedWithin; k++ {
		p.steps.Visit()
		e := &p.nodes[k]
		switch e.DataAtom {
		case atom.Button, atom.A:
			a.choice = true
		case atom.Textarea:
			a.long = true
		case atom.Input:
			a.input(e.Node)
		}
		if words += e.words; e.words > 0 {
			b.WriteByte(' ')
			b.WriteString(e.Data)
		}
	}
	a.text = strings.ToLower(b.String())
	a.words = make(map[string]bool)
	for word := range strings.FieldsFuncSeq(a.text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\f.,:;!?()+\"'’|", r) }) {
		a.words[word] = true
	}
	return a
}

func (a *asked) input(n *html.Node) {
	switch kind := strings.ToLower(attr(n, "type")); kind {
	case "hidden":
	case "button", "submit", "image":
		a.choice = true
	case "email":
		a.field, a.mail = true, true
	case "password":
		a.field, a.long = true, true
	default:
		a.field = true
	}
}

// has reports whether one of the words is there: a short one as a word of its own, others also within words, as languages put them
// together.
func (a *asked) has(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return a.words[w] || len(w) > shortWord && strings.Contains(a.text, w)
	})
}

// shortWord is the length in bytes up to which a word counts only by itself. Words of two letters of Han are longer.
const shortWord = 5

// What the boxes speak of, in the languages most pages are in.
var (
	consentSubjects = []string{"cookie", "cookies", "gdpr", "ccpa", "consent", "privacy", "datenschutz", "куки", "クッキー", "쿠키", "隐私", "隱私", "プライバシー"}
	consentWords    = []string{
		"accept", "agree", "allow", "reject", "decline", "consent", "opt-out", "preferences", "policy", "our website", "this website", "this site", "our site",
		"akzeptier", "zustimm", "einverstanden", "ablehn", "einwillig", "einstellungen", "accepter", "refuser", "autoriser", "paramétrer", "aceptar", "acepto",
		"rechazar", "configurar", "accett", "rifiut", "aceitar", "aceito", "rejeitar", "accepteren", "weigeren", "akkoord", "akceptuj", "zgadzam", "odrzuć", "принять",
		"принима", "соглас", "прийняти", "godkänn", "acceptera", "accepter", "godta", "hyväksy", "kabul", "přijmout", "souhlas", "elfogad", "αποδοχή", "同意", "許可", "接受", "拒绝", "동의", "수락", "قبول",
	}
	letterWords = append([]string{"newsletter", "e-mail", "email", "subscribe"}, titles[letters]...)
	ages        = []string{"16", "18", "19", "20", "21", "18歳", "20歳", "18岁", "18歲", "19세"}
	ageWords    = []string{
		"age", "years", "older", "adult", "birth", "legal drinking", "jahre", "volljährig", "âge", "ans", "majeur", "majeure", "edad", "años", "età", "anni", "maggiorenne",
		"idade", "anos", "jaar", "lat", "лет", "років", "år", "vuotta", "yaş", "let", "éves", "ετών", "18歳", "20歳", "18岁", "18歲", "19세",
	}
)
