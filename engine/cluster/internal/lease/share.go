package lease

import (
	"hash/fnv"
	"maps"
	"slices"
)

// share is how many shards a member is to have, where alive says how many each one declines: as many as each other one, and one more for
// the first of them where that doesn't come out. Those that decline some have fewer, and the others more, if there are any.
func share(alive map[string]int, name string, shards int) int {
	if _, ok := alive[name]; !ok {
		return 0
	}
	all, able, spare := slices.Sorted(maps.Keys(alive)), []string(nil), 0
	for i, m := range all {
		if alive[m] == 0 {
			able = append(able, m)
		}
		spare += min(alive[m], part(i, len(all), shards))
	}
	own := part(slices.Index(all, name), len(all), shards)
	switch at := slices.Index(able, name); {
	case len(able) == 0:
		return own
	case at < 0:
		return max(0, own-alive[name])
	default:
		return own + part(at, len(able), spare)
	}
}

// part is that of the one at a place.
func part(at, of, shards int) int {
	n := shards / of
	if at < shards%of {
		n++
	}
	return n
}

// order is that in which a member tries free shards: each begins at another place, so that they are seldom after the same one.
func order(free map[int]uint64, name string) []int {
	list := slices.Sorted(maps.Keys(free))
	if len(list) == 0 {
		return nil
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name))
	at := int(sum.Sum32() % uint32(len(list)))
	return append(list[at:], list[:at]...)
}
