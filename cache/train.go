package cache

import (
	"bytes"
	"iter"
)

// Bounds of what dictionaries are made of.
const (
	dictSamples = 8         // values that a dictionary is made of; one of them says whether it is of use
	maxSample   = 256 << 10 // bytes of a value that are looked at
	minSample   = 1 << 10   // smaller values gain too little
	maxDict     = 256 << 10 // bytes of a dictionary
	minDict     = 256
)

// Passages are cut behind one of these bytes, which end tags, lines and rules of HTML, JSON, CSS and scripts.
const (
	passageEnds = ">\n},"
	minPassage  = 16
	maxPassage  = 256
)

// passages cuts text where the text itself says so: what two texts share is cut in the same places in both.
func passages(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		from := 0
		for i, c := range text {
			n := i + 1 - from
			if n < maxPassage && (n < minPassage || bytes.IndexByte([]byte(passageEnds), c) < 0) {
				continue
			}
			if !yield(text[from : i+1]) {
				return
			}
			from = i + 1
		}
		if len(text)-from >= minPassage {
			yield(text[from:])
		}
	}
}

// passage counts the samples that have it.
type passage struct {
	last, samples int
	written       bool
}

// common returns the passages that two samples or more have, each once, in the order in which they come; where these are more than maxDict,
// those of more samples. So a dictionary holds what pages share, and not what is on one page alone: that goes when the page goes.
func common(samples [][]byte) []byte {
	found := map[string]*passage{}
	for i, text := range samples {
		for part := range passages(text) {
			p := found[string(part)]
			if p == nil {
				p = &passage{last: -1}
				found[string(part)] = p
			}
			if p.last != i {
				p.last = i
				p.samples++
			}
		}
	}
	least := 2
	for sharedBytes(found, least) > maxDict && least < len(samples) {
		least++
	}
	return shared(samples, found, least)
}

func sharedBytes(found map[string]*passage, least int) (sum int) {
	for part, p := range found {
		if p.samples >= least {
			sum += len(part)
		}
	}
	return sum
}

func shared(samples [][]byte, found map[string]*passage, least int) []byte {
	var out []byte
	for _, text := range samples {
		for part := range passages(text) {
			p := found[string(part)]
			if p.samples < least || p.written || len(out)+len(part) > maxDict {
				continue
			}
			p.written = true
			out = append(out, part...)
		}
	}
	return out
}
