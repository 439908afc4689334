package content

import "math"

// confidence is how sure it is that what the page's rules have kept is its main content. Sentences make it surer, and so does
// every word that no rule has taken away: either the page is nothing but its content, or little of it could be missing.
func confidence(p *page) float64 {
	kept := &p.measure(p.out)[0]
	if kept.words == 0 {
		return 0
	}
	prose := float64(kept.prose) / float64(kept.words)
	share := float64(kept.words) / float64(p.stats[0].words)
	return logistic(certainty + perProse*prose + perShare*share)
}

// The weights of the evidence, in logits. They are estimates, not fitted to a sample.
const (
	certainty = -1.5
	perProse  = 2.5
	perShare  = 1.5
)

// logistic is the share, 0 to 1, that a sum of evidence stands for.
func logistic(logits float64) float64 { return 1 / (1 + math.Exp(-logits)) }
