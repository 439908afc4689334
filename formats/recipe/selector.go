package recipe

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/css"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// matcher reports whether an element is meant. Nil means the scope itself.
type matcher func(*html.Node) bool

// compiled begins to match the elements of one page. Nil means the scope itself.
type compiled func(*walk.Steps) matcher

// slow are the parts of selectors that look through whole subtrees for each element, or run
// expressions of the one who wrote them.
var slow = []string{":matches", ":contains(", ":has(", ":haschild(", "#="}

// compile reads a selector; empty and ":scope" give nil.
func compile(selector string) (compiled, error) {
	selector = strings.TrimSpace(selector)
	if selector == "" || selector == ":scope" {
		return nil, nil
	}
	if len(selector) > maxSelector {
		return nil, fmt.Errorf("longer than %d characters", maxSelector)
	}
	if rest, ok := strings.CutPrefix(selector, ":scope"); ok { // of the element's descendants all are within it
		selector = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), ">"))
	}
	folded := strings.ToLower(strings.Join(strings.Fields(selector), ""))
	for _, part := range slow {
		if strings.Contains(folded, part) {
			return nil, fmt.Errorf("%s is not allowed", part)
		}
	}
	s, err := css.Compile(selector)
	if err != nil {
		return nil, err
	}
	return func(steps *walk.Steps) matcher { return s.Over(steps).Match }, nil
}
