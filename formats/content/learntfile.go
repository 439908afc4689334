package content

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/formats/content/trees"
)

// Learnt is what the command in train fits: the file learnt.json.
type Learnt struct {
	Figures map[string]string `json:"figures"` // what it gave, and on which pages
	Blocks  *trees.Model      `json:"blocks"`  // is a block of text of the main content?
	Pages   *trees.Model      `json:"pages"`   // the F1 of words that the main content of a page has
}

// ParseLearnt reads such a file, and checks that it goes by the features there are.
func ParseLearnt(b []byte) (*Learnt, error) {
	var l Learnt
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("what was learnt: %w", err)
	}
	for _, m := range []struct {
		name  string
		model *trees.Model
		has   []string
	}{{"blocks", l.Blocks, FeatureNames()}, {"pages", l.Pages, pageFeatureNames}} {
		if m.model == nil || !slices.Equal(m.model.Features, m.has) {
			return nil, fmt.Errorf("what was learnt of %s goes by other features than there are: train it again", m.name)
		}
		if err := m.model.Check(); err != nil {
			return nil, fmt.Errorf("what was learnt of %s: %w", m.name, err)
		}
	}
	return &l, nil
}
