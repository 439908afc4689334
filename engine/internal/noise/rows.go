package noise

import (
	"context"
	"hash/maphash"
	"slices"
	"strconv"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// minMoved is how many rows a part has at least that is said to have moved.
const minMoved = 8

// strip is a run of rows of the earlier picture that stands for one of the later.
type strip struct {
	from, fromEnd, to, toEnd int
	exact                    bool // they are the same, pixel by pixel
}

// strips finds which rows belong together: those that are the same stay, also where others came above them.
func (p *pictures) strips() []strip {
	whole := strip{0, p.from.height, 0, p.to.height, false}
	if p.from.width != p.to.width || p.from.height == 0 || p.to.height == 0 {
		return []strip{whole}
	}
	seed := maphash.MakeSeed()
	a, b := p.from.names(seed), p.to.names(seed)
	if slices.Equal(a, b) {
		return []strip{{0, p.from.height, 0, p.to.height, true}}
	}
	if p.from.height == p.to.height && shared(a, b) >= inPlace {
		return []strip{whole}
	}
	regions, err := tracking.Align(context.Background(), a, b)
	if err != nil {
		return []strip{whole}
	}
	return between(regions, p.from.height, p.to.height)
}

// inPlace is the share of rows that are the same in both from which on nothing has moved.
const inPlace = 0.6

func shared(a, b []string) float64 {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// between adds the rows that are the same between the regions that differ. A short run of them doesn't part two regions of one height.
func between(regions []tracking.Region, fromEnd, toEnd int) (all []strip) {
	x, y := 0, 0
	for _, r := range append(regions, tracking.Region{From: fromEnd, FromEnd: fromEnd, To: toEnd, ToEnd: toEnd}) {
		if r.From > x {
			all = append(all, strip{x, r.From, y, r.To, true})
		}
		if r.FromEnd > r.From || r.ToEnd > r.To {
			all = append(all, strip{r.From, r.FromEnd, r.To, r.ToEnd, false})
		}
		x, y = r.FromEnd, r.ToEnd
	}
	return joinStrips(all)
}

// joinStrips joins what differs across short runs of rows that are the same, as lines of text have them, where nothing has moved within.
func joinStrips(all []strip) (joined []strip) {
	for _, s := range all {
		if n := len(joined); n > 0 {
			last := &joined[n-1]
			apart := last.from-last.to == s.from-s.to && last.fromEnd-last.toEnd == s.fromEnd-s.toEnd
			short := s.exact && s.toEnd-s.to < minMoved || last.exact && last.toEnd-last.to < minMoved
			if apart && (!s.exact && !last.exact || short) {
				last.fromEnd, last.toEnd, last.exact = s.fromEnd, s.toEnd, false
				continue
			}
		}
		joined = append(joined, s)
	}
	return joined
}

// names are those of the rows of a picture: the same rows have the same.
func (r *raster) names(seed maphash.Seed) []string {
	names := make([]string, r.height)
	pixels, bytes := make([]pixel, r.width), make([]byte, 3*r.width)
	for y := range names {
		r.row(y, pixels)
		for x, v := range pixels {
			bytes[3*x], bytes[3*x+1], bytes[3*x+2] = byte(v[0]), byte(v[1]), byte(v[2])
		}
		names[y] = strconv.FormatUint(maphash.Bytes(seed, bytes), 36)
	}
	return names
}
