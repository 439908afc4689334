package cache

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"sync"
)

// What dictionaries take in memory at most: those of knownDicts for readers, 0.5 MiB and what a decoder keeps for each, and for the writer
// groups of 2 MiB of samples and an encoder of about 4 MiB each. One site has one of each, and samples of the size of its pages.
const (
	knownDicts = 16
	maxGroups  = 8
	// groupIdle is how many puts a group has no part in before another may take its place: many hosts in turn don't drive each other out.
	groupIdle = 256
)

// A dictionary is made of the first values of a group, then of every 8th, 64th and so on, as long as one of them is packed better by a
// tenth with the new one: pages change, and a site's first pages are not like most of it.
const (
	sampleStep = 8
	maxStep    = 512
)

// dicts chooses the dictionary that a value is packed with, and has those in memory that were used last.
type dicts struct {
	mu    sync.Mutex
	known []*dictionary // used last: first

	making sync.Mutex
	groups []*group // used last: first
	puts   uint64
}

// group is what the writer knows of values that may have much in common.
type group struct {
	name    string
	dict    *dictionary // nil: none yet
	samples [][]byte
	step    int    // one value of so many is a sample
	seen    int    // values since the last try to make a dictionary
	used    uint64 // puts of all groups when it was last used
}

func find[T any](list *[]T, is func(T) bool) (found T) {
	i := slices.IndexFunc(*list, is)
	if i < 0 {
		return found
	}
	found = (*list)[i]
	*list = slices.Insert(slices.Delete(*list, i, i+1), 0, found)
	return found
}

func (d *dicts) get(id uint64) *dictionary {
	d.mu.Lock()
	defer d.mu.Unlock()
	return find(&d.known, func(one *dictionary) bool { return one.id == id })
}

func (d *dicts) add(one *dictionary) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.known = slices.DeleteFunc(d.known, func(old *dictionary) bool { return old.id == one.id })
	d.known = slices.Insert(d.known, 0, one)
	d.known = d.known[:min(len(d.known), knownDicts)]
}

// drop forgets dictionaries that are no longer stored.
func (d *dicts) drop(ids []uint64) {
	d.mu.Lock()
	d.known = slices.DeleteFunc(d.known, func(one *dictionary) bool { return slices.Contains(ids, one.id) })
	d.mu.Unlock()
	d.making.Lock()
	defer d.making.Unlock()
	d.groups = slices.DeleteFunc(d.groups, func(g *group) bool { return g.dict != nil && slices.Contains(ids, g.dict.id) })
}

// clear forgets all samples: of values that are being removed nothing may get into a dictionary.
func (d *dicts) clear() {
	d.making.Lock()
	defer d.making.Unlock()
	for _, g := range d.groups {
		g.samples = nil
	}
}

// group returns that of a name, nil where there is no room for it; fresh: it has just been made.
func (d *dicts) group(name string) (g *group, fresh bool) {
	d.puts++
	if g = find(&d.groups, func(g *group) bool { return g.name == name }); g != nil {
		g.used = d.puts
		return g, false
	}
	if n := len(d.groups); n == maxGroups {
		if d.puts-d.groups[n-1].used < groupIdle {
			return nil, false
		}
		d.groups = slices.Delete(d.groups, n-1, n)
	}
	g = &group{name: name, step: 1, used: d.puts}
	d.groups = slices.Insert(d.groups, 0, g)
	return g, true
}

// pack makes the row of a put.
func (s *store) pack(o *op) {
	if d := s.choose(o); d != nil {
		if o.row = d.pack(idKey(o.id), o.value); o.row != nil {
			o.dict = d
			return
		}
	}
	o.row = s.codec.pack(idKey(o.id), o.value)
}

// choose returns the dictionary for a value, nil for none, and learns from the value for the next one.
func (s *store) choose(o *op) *dictionary {
	name := s.group(o.key)
	if name == "" || len(o.value) < minSample {
		return nil
	}
	s.dicts.making.Lock()
	defer s.dicts.making.Unlock()
	g, fresh := s.dicts.group(name)
	if g == nil {
		return nil
	}
	if fresh {
		if g.dict = s.newest(name); g.dict != nil {
			g.step = sampleStep
		}
	}
	if made, err := g.learn(s.codec, o); err != nil {
		s.o.Logger.Warn("cache: no dictionary was made", "store", s.name, "error", err)
	} else if made {
		s.dicts.add(g.dict)
	}
	return g.dict
}

// group is that of a key; "": there are no dictionaries for it.
func (s *store) group(key string) string {
	if s.o.Group == nil || s.codec.plain {
		return ""
	}
	name := s.o.Group(key)
	if strings.Contains(name, "\x00") || len(name) > MaxKey {
		return ""
	}
	return name
}

// learn looks at a value, and reports whether the group has another dictionary now.
func (g *group) learn(c *codec, o *op) (made bool, err error) {
	if g.seen++; g.seen%g.step != 0 {
		return false, nil
	}
	g.samples = append(g.samples, sampleOf(o.value))
	if len(g.samples) < dictSamples {
		return false, nil
	}
	made, err = g.train(c, o.id)
	g.samples, g.seen, g.step = nil, 0, min(g.step*sampleStep, maxStep)
	return made, err
}

// sampleOf is what is looked at of a value, which doesn't change.
func sampleOf(value []byte) []byte {
	if len(value) > maxSample {
		return slices.Clone(value[:maxSample])
	}
	return value
}

// train makes a dictionary of all samples but one, and takes it where that one is packed better by a tenth. It costs what packing about
// twenty values does.
func (g *group) train(c *codec, id uint64) (made bool, err error) {
	last := g.samples[len(g.samples)-1]
	content := common(g.samples[:len(g.samples)-1])
	if len(content) < minDict {
		return false, nil
	}
	d, err := newDictionary(id, g.name, content)
	if err != nil {
		return false, err
	}
	without := c.pack(nil, last)
	if g.dict != nil {
		without = g.dict.pack(nil, last)
	}
	if with := d.pack(nil, last); with == nil || without != nil && len(with) > len(without)/10*9 {
		return false, nil
	}
	d.row = d.encode(c)
	g.dict = d
	return true, nil
}

// newest reads the dictionary of a group that was made last; nil: there is none that can be read.
func (s *store) newest(name string) (d *dictionary) {
	_ = s.db.View(func(tx Tx) error { // what can't be read is replaced
		for key := range tx.ScanBack(s.uses, useKey(name, math.MaxUint64)) {
			group, id, ok := decodeUseKey(key)
			if ok && group == name {
				d = s.dictionary(tx, id)
			}
			break
		}
		return nil
	})
	if d != nil && d.row == nil {
		d.row = d.encode(s.codec)
	}
	return d
}

// dictionary returns one from memory, or reads it; nil: it is missing or damaged.
func (s *store) dictionary(tx Tx, id uint64) *dictionary {
	if id == 0 || s.codec.plain {
		return nil
	}
	if d := s.dicts.get(id); d != nil {
		return d
	}
	d, err := decodeDictionary(s.codec, id, tx.Get(s.shared, idKey(id)))
	if err != nil {
		return nil
	}
	s.dicts.add(d)
	return d
}

// useKey is the key of the row that counts the values that need a dictionary.
func useKey(group string, id uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte(group+"\x00"), id)
}

func decodeUseKey(key []byte) (group string, id uint64, ok bool) {
	at := len(key) - 9
	if at < 0 || key[at] != 0 {
		return "", 0, false
	}
	return string(key[:at]), binary.BigEndian.Uint64(key[at+1:]), true
}
