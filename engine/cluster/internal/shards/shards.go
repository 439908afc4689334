// Package shards decides which shard of a cluster a URL, and a job's own state, belongs to. The same text has the same shard for ever: what
// a cluster has stored depends on it.
//
// All URLs of a host have one shard, so that one member keeps its pace, and so have the hosts that a crawl may take for one: with and
// without "www.", and on whatever port.
package shards

import (
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Of returns the shard of a URL among n; -1 where it has no host, so that it can't be fetched.
func Of(url string, n int) int {
	host := crawl.HostOf(url)
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	if host == "" {
		return -1
	}
	return place(weburl.BareHost(host), n)
}

// Home returns the shard that keeps the state of a job.
func Home(job string, n int) int { return place("job:"+job, n) }

func place(text string, n int) int {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(text))
	h := sum.Sum64() // its low bits alone are much alike for texts that differ at the end
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	return int(h % uint64(n))
}

// Split sorts URLs by shard, in their order; those without a host are left out.
func Split(found []crawl.Found, n int) map[int][]crawl.Found {
	by := map[int][]crawl.Found{}
	for _, one := range found {
		if s := Of(one.URL, n); s >= 0 {
			by[s] = append(by[s], one)
		}
	}
	return by
}

// In returns the shards of a Split in order.
func In(by map[int][]crawl.Found) []int { return slices.Sorted(maps.Keys(by)) }
