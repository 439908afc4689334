package content

import "golang.org/x/net/html"

// Example is a page for training: what is known of its blocks, and what the rules say of them.
type Example struct {
	Texts    []string    // of each block, white space folded
	Features [][]float32 // of each block, as FeatureNames names them
	Rules    []bool      // the rules keep it

	view *view
}

// Example is what training learns from when the text of the blocks that belong to the main content is known.
func (t *Tree) Example(m Mask) *Example {
	p := t.newPage(m)
	p.find()
	x := &Example{view: p.view()}
	for k := range p.blocks {
		b := &p.blocks[k]
		x.Texts = append(x.Texts, p.textOf(b))
		x.Features = append(x.Features, x.view.features(k, nil))
		x.Rules = append(x.Rules, b.left == keptByAll)
	}
	return x
}

// Judge gives the blocks that are kept when each is likely to this degree, and the features of the page then, as PageFeatureNames
// names them.
func (x *Example) Judge(likely []float64) (kept []bool, page []float32) { return x.view.judged(likely) }

func (p *page) textOf(b *textBlock) string {
	var f folder
	for i := b.first; i <= b.last; i++ {
		if e := &p.nodes[i]; e.Type == html.TextNode && e.block == b.at && e.words > 0 {
			f.text(e.Data)
		}
	}
	return f.String()
}
