package content

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/winnow-go/winnow/formats/internal/content/trees"
)

// Learnt is the content of learnt.json, which the command in train writes.
type Learnt struct {
	Figures map[string]string `json:"figures"` // scores of the training pages, by name
	Blocks  *trees.Model      `json:"blocks"`  // is a block of text of the main content?
	Pages   *trees.Model      `json:"pages"`   // the F1 of words that the main content of a page has
}

// ParseLearnt reads such a file. The error is that of its JSON, or says that its features or nodes are not those of this version.
func ParseLearnt(b []byte) (*Learnt, error) {
	var l Learnt
	if err := json.Unmarshal(b, &l); err != nil {
		return nil, fmt.Errorf("learnt models: %w", err)
	}
	for _, m := range []struct {
		name  string
		model *trees.Model
		has   []string
	}{{"blocks", l.Blocks, FeatureNames()}, {"pages", l.Pages, pageFeatureNames}} {
		if m.model == nil || !slices.Equal(m.model.Features, m.has) {
			return nil, fmt.Errorf("learnt model %s: its features are not those of this version; run formats/internal/content/train again", m.name)
		}
		if err := m.model.Check(); err != nil {
			return nil, fmt.Errorf("learnt model %s: %w", m.name, err)
		}
	}
	return &l, nil
}
