package trapsite

import (
	"math/rand/v2"
	"strings"
)

// words are what texts are made of. No word of a trap is among them.
var words = strings.Fields(`the of and to in is that for it was on are as with they at be this from have by one had not but what all were
	when we there can an your which their said if do will each about how up out them then many some so these would other into has more
	two like him see time could no make than first been its who now people my made over did down only way find use may water long little
	very after called just where most know river valley harbour lantern copper meadow granite orchard winter autumn morning letter
	painter builder sailor market bridge garden window kitchen village mountain island forest railway journey question answer measure
	history language science weather colour number example picture machine library station theatre promise distance surface pattern`)

// prose writes texts at random.
type prose struct{ random *rand.Rand }

func newProse(seed, stream uint64) prose { return prose{rand.New(rand.NewPCG(seed, stream))} }

func (p prose) word() string { return words[p.random.IntN(len(words))] }

// sentence has 6 to 20 words.
func (p prose) sentence() string {
	text := make([]string, 6+p.random.IntN(15))
	for i := range text {
		text[i] = p.word()
	}
	first := text[0]
	text[0] = strings.ToUpper(first[:1]) + first[1:]
	return strings.Join(text, " ") + "."
}

func (p prose) sentences(n int) string {
	text := make([]string, n)
	for i := range text {
		text[i] = p.sentence()
	}
	return strings.Join(text, " ")
}
