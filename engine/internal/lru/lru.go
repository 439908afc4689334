// Package lru keeps the most recently used values in memory up to a total size. It
// knows nothing of age, of what a value is, or of how its size is found: the
// caller that puts a value in gives its size. No callback is made when a value is dropped.
//
//   - lru.go — [Cache] and its methods; start with [New]
package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the most recently used values up to a total size. Made by [New]. Safe
// for concurrent use. Values are handed out as they were put in, not copied.
type Cache[K comparable, V any] struct {
	max int64

	mu    sync.Mutex
	byKey map[K]*list.Element // of entry[K, V]
	order *list.List          // the most recently used in front
	bytes int64
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int64
}

// New makes an empty cache for values of max bytes in all; 0 or less keeps nothing.
// The cache's own need, some 200 bytes for each value, is not counted.
func New[K comparable, V any](max int64) *Cache[K, V] {
	return &Cache[K, V]{max: max, byKey: map[K]*list.Element{}, order: list.New()}
}

// Get gives the value last put in for k, which is thereby the most recently used, and
// reports whether there is one.
func (c *Cache[K, V]) Get(k K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[k]
	if !ok {
		var none V
		return none, false
	}
	c.order.MoveToFront(at)
	return at.Value.(entry[K, V]).value, true
}

// Put keeps v of size bytes for k, in place of an older value, and drops the values
// not used for longest until all fit. A size below 1 counts as 1, so that the number
// of values is bounded too. A value bigger than a quarter of the cache is not kept:
// it would push out too much for one; the older value for k is dropped even then.
func (c *Cache[K, V]) Put(k K, v V, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byKey[k]; ok {
		c.drop(at)
	}
	size = max(size, 1)
	if size > c.max/4 {
		return
	}
	c.byKey[k] = c.order.PushFront(entry[K, V]{k, v, size})
	c.bytes += size
	for c.bytes > c.max {
		c.drop(c.order.Back())
	}
}

func (c *Cache[K, V]) drop(at *list.Element) {
	e := c.order.Remove(at).(entry[K, V])
	delete(c.byKey, e.key)
	c.bytes -= e.size
}

// Clear drops everything.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byKey, c.bytes = map[K]*list.Element{}, 0 // a cleared map would keep its room
	c.order.Init()
}

// Len is the number of values kept.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len()
}

// Bytes is the size of all values kept; at most what [New] was given.
func (c *Cache[K, V]) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}
