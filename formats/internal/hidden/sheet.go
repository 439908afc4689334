package hidden

import (
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/content"
	"github.com/winnow-go/winnow/formats/internal/css"
	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// Bounds of what is read of a page's style elements.
const (
	maxSheet     = 512 << 10 // bytes of all
	maxHideRules = 200
	maxShowRules = 2000
	maxMatches   = 10_000_000 // nodes times rules that hide
)

// sheet are the rules of a page's style elements that decide whether something is seen.
type sheet struct {
	steps      *walk.Steps
	hide, show []rule
}

// rule is one selector with what its declarations do.
type rule struct {
	selector  *css.Matching
	weight    cascadia.Specificity
	how       hiding
	display   bool // it is said by display
	order     int
	important bool
}

// readSheet reads the style elements of a tree.
func readSheet(steps *walk.Steps, t *content.Tree) *sheet {
	s := &sheet{steps: steps}
	left, order := maxSheet, 0
	for i := range t.Len() {
		steps.Visit()
		n := t.Node(i)
		if n.DataAtom != atom.Style || n.FirstChild == nil || len(n.FirstChild.Data) > left || mediaOnly(nodes.Attr(n, "media")) {
			continue
		}
		left -= len(n.FirstChild.Data)
		eachRule(n.FirstChild.Data, 0, func(selectors, body string) {
			order++
			s.add(selectors, body, order)
		})
	}
	s.hide = s.hide[:min(len(s.hide), maxMatches/max(t.Len(), 1))]
	return s
}

// mediaOnly reports whether a condition holds for less than every screen.
func mediaOnly(media string) bool {
	media = strings.ToLower(strings.TrimSpace(media))
	return media != "" && media != "all" && media != "screen"
}

func (s *sheet) add(selectors, body string, order int) {
	decl := readStyle(body)
	how := decl.hiding()
	shows := how == notHidden && (decl["display"] != "" || decl["visibility"] != "" || decl["opacity"] != "")
	if how == notHidden && (!shows || len(s.show) >= maxShowRules) || how != notHidden && len(s.hide) >= maxHideRules || slowRule(selectors) {
		return
	}
	group, err := css.CompileRules(selectors)
	if err != nil {
		return
	}
	for _, sel := range group {
		r := rule{selector: sel.Over(s.steps), weight: sel.Specificity, how: how, display: decl["display"] != "", order: order, important: strings.Contains(body, "!important")}
		if shows {
			s.show = append(s.show, r)
		} else {
			s.hide = append(s.hide, r)
		}
	}
}

// maxSelectors bounds the selectors of a rule that is read.
const maxSelectors = 1000

// slowRule reports whether selectors look at more than an element and its ancestors, or are of an absurd length.
func slowRule(selectors string) bool {
	return len(selectors) > maxSelectors || strings.ContainsAny(selectors, "(~")
}

// hiding is what the rules make of an element: the last of the most specific ones decides (CSS Cascading Level 4, §6.1, for one origin).
func (s *sheet) hiding(n *html.Node) hiding {
	var best *rule
	for i := range s.hide {
		if r := &s.hide[i]; r.selector.Match(n) && (best == nil || r.beats(best)) {
			best = r
		}
	}
	if best == nil {
		return notHidden
	}
	if own := readStyle(nodes.Attr(n, "style")); !best.important && (own["display"] != "" && own["display"] != "none" || own["visibility"] == "visible") {
		return notHidden
	}
	for i := range s.show {
		if r := &s.show[i]; r.display == best.display && r.beats(best) && r.selector.Match(n) {
			return notHidden
		}
	}
	return best.how
}

func (r *rule) beats(other *rule) bool {
	if r.important != other.important {
		return r.important
	}
	a, b := r.weight, other.weight
	if a != b {
		return b.Less(a)
	}
	return r.order > other.order
}

// eachRule visits the rules of a style sheet that hold for every screen: "selectors { declarations }", also within @supports and @layer.
func eachRule(css string, depth int, visit func(selectors, body string)) {
	const maxDepth = 5
	css = withoutComments(css)
	for {
		head, rest, ok := strings.Cut(css, "{")
		if !ok || depth > maxDepth {
			return
		}
		body, after := block(rest)
		css = after
		if i := strings.LastIndexByte(head, ';'); i >= 0 { // @import, @charset
			head = head[i+1:]
		}
		head = strings.TrimSpace(head)
		if head == "" || head[0] != '@' {
			visit(head, body)
			continue
		}
		name, condition, _ := strings.Cut(strings.ToLower(head), " ")
		if name == "@supports" || name == "@layer" || name == "@media" && !mediaOnly(condition) {
			eachRule(body, depth+1, visit)
		}
	}
}

// block splits behind the brace that ends a block.
func block(s string) (body, rest string) {
	open := 1
	for i := range len(s) {
		switch s[i] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return s[:i], s[i+1:]
			}
		}
	}
	return s, ""
}

func withoutComments(css string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(css, "/*")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, css, _ = strings.Cut(rest, "*/")
	}
}
