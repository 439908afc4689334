package parse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// React streams a page in any order: what comes late is in a hidden element at the end, and a line of script moves it to its place. The
// names of its functions are those of react-dom/server (ReactDOMFizzInstructionSet): $RC("B:0","S:0") puts the content S:0 in the place of
// the boundary B:0, $RS("S:1","P:1") a segment in that of a placeholder.

// moveStreamed carries those scripts out.
func moveStreamed(steps *walk.Steps, doc *html.Node) {
	ids, scripts := map[string]*html.Node{}, []string(nil)
	for n := range nodes.All(steps, doc) {
		if id := nodes.Attr(n, "id"); isStreamed(id) && ids[id] == nil {
			ids[id] = n
		}
		if n.DataAtom == atom.Script && n.FirstChild != nil && strings.Contains(n.FirstChild.Data, "$R") {
			scripts = append(scripts, n.FirstChild.Data)
		}
	}
	for _, script := range scripts {
		for _, m := range movesOf(script) {
			m.carryOut(steps, ids)
		}
	}
}

func isStreamed(id string) bool {
	return strings.HasPrefix(id, "B:") || strings.HasPrefix(id, "S:") || strings.HasPrefix(id, "P:")
}

// move is one call: where its content goes.
type move struct{ to, content string }

// movesOf reads the calls of a script, in order.
func movesOf(script string) (moves []move) {
	for {
		i := strings.Index(script, "$R")
		if i < 0 || len(script) < i+4 {
			return moves
		}
		call := script[i+2 : i+4]
		script = script[i+4:]
		first, rest, ok := quoted(script)
		if !ok {
			continue
		}
		second, rest, ok := quoted(strings.TrimPrefix(rest, ","))
		switch {
		case ok && call == "C(":
			moves = append(moves, move{to: first, content: second})
		case ok && call == "S(":
			moves = append(moves, move{to: second, content: first})
		default:
			continue
		}
		script = rest
	}
}

// quoted reads a short text in double quotes.
func quoted(s string) (text, rest string, ok bool) {
	s, ok = strings.CutPrefix(strings.TrimLeft(s, " "), `"`)
	if !ok {
		return "", s, false
	}
	return strings.Cut(s, `"`)
}

// carryOut moves what the content holds to its place. A place that isn't there, or lies in the content, leaves all as it is.
func (m move) carryOut(steps *walk.Steps, ids map[string]*html.Node) {
	place, content := ids[m.to], ids[m.content]
	if place == nil || content == nil || place.Parent == nil || content.Parent == nil || isWithin(steps, place, content) {
		return
	}
	content.Parent.RemoveChild(content)
	if strings.HasPrefix(m.to, "B:") {
		dropFallback(steps, place)
	}
	for c := content.FirstChild; c != nil; c = content.FirstChild {
		steps.Visit()
		content.RemoveChild(c)
		place.Parent.InsertBefore(c, place)
	}
	place.Parent.RemoveChild(place)
}

func isWithin(steps *walk.Steps, n, other *html.Node) bool {
	for ; n != nil; n = n.Parent {
		steps.Visit()
		if n == other {
			return true
		}
	}
	return false
}

// dropFallback removes what follows a boundary up to the comment that ends it: <!--/$-->. Boundaries in it begin with comments of "$".
func dropFallback(steps *walk.Steps, place *html.Node) {
	depth := 0
	for n := place.NextSibling; n != nil; n = place.NextSibling {
		steps.Visit()
		if n.Type == html.CommentNode {
			switch {
			case n.Data == "/$" && depth == 0:
				return
			case n.Data == "/$":
				depth--
			case strings.HasPrefix(n.Data, "$"):
				depth++
			}
		}
		place.Parent.RemoveChild(n)
	}
}
