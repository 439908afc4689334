package lease

import (
	"hash/fnv"
	"maps"
	"slices"
)

// share is how many shards a member is to have: as many as each other one, and one more for the first of them where that doesn't come out.
func share(members []string, name string, shards int) int {
	at := slices.Index(members, name)
	if at < 0 {
		return 0
	}
	target := shards / len(members)
	if at < shards%len(members) {
		target++
	}
	return target
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
