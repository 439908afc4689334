package lease

import (
	"hash/fnv"
	"maps"
	"slices"
)

// share is how many shards a member is to have, where rooms says how many each one has room for: as many as each other one, and one
// more for the first of them where that doesn't come out. What some have no room for goes to those that have room for all, if there are
// any.
func share(rooms map[string]int, name string, shards int) int {
	if _, ok := rooms[name]; !ok {
		return 0
	}
	all, able, spare := slices.Sorted(maps.Keys(rooms)), []string(nil), 0
	for i, m := range all {
		if rooms[m] >= shards {
			able = append(able, m)
		}
		spare += max(0, part(i, len(all), shards)-rooms[m])
	}
	own := part(slices.Index(all, name), len(all), shards)
	switch at := slices.Index(able, name); {
	case len(able) == 0:
		return own
	case at < 0:
		return min(own, rooms[name])
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
