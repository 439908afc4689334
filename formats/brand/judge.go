package brand

// Judge derives the look of a site from samples of one of its pages. It is pure: the same samples give the same brand. Fields without
// evidence in the samples are absent. It never returns nil.
func Judge(s *Samples) *Brand {
	j := &judgement{Samples: s}
	j.ground()
	j.scheme()
	j.buttons()
	j.palette()
	j.structured()
	b := &Brand{
		ColorScheme: j.colorScheme,
		BrandName:   j.brandName(),
		Colors:      j.roles(),
		Fonts:       j.fonts(),
		Typography:  j.typography(),
		Spacing:     j.spacing(),
		Components:  j.components(),
		Icons:       j.icons(),
		Animations:  j.animations(),
		Layout:      j.layout(),
		Tone:        j.tone(),
	}
	b.Images = j.images()
	b.Logo = b.Images["logo"]
	return b
}

// judgement is what is known so far.
type judgement struct {
	*Samples
	background  color // what the page is painted on
	text        color // of body
	colorScheme string
	primary     *button // nil: none
	secondary   *button
	used        []use // colors, the most used first
	said        structured
}

// tally counts by key and remembers which came first.
type tally[K comparable] struct {
	weight map[K]float64
	order  []K
}

func (t *tally[K]) add(key K, weight float64) {
	if t.weight == nil {
		t.weight = map[K]float64{}
	}
	if _, ok := t.weight[key]; !ok {
		t.order = append(t.order, key)
	}
	t.weight[key] += weight
}

// most is the heaviest key, of several the one that came first.
func (t *tally[K]) most() (best K, ok bool) {
	for _, key := range t.order {
		if !ok || t.weight[key] > t.weight[best] {
			best, ok = key, true
		}
	}
	return best, ok
}
