package word

import "encoding/binary"

// listLevels are those of a list.
const listLevels = 9

// level is how the items of a level of a list are marked.
type level struct {
	mark  Mark
	start int
}

// list is a list's place in the table of lists, from 1, and its levels.
type list struct {
	id     int
	levels [listLevels]level
}

// lists are those that paragraphs name by number, from 1. Numbers of one list go on with each other.
type lists []list

// readLists reads the table of lists, whose levels stand behind it, then that of the numbers, which name lists.
func readLists(table, main []byte) lists {
	byID := readLevels(behind(table, main, listsAt))
	numbers := behind(table, main, listsAt+8)
	if len(numbers) < 4 {
		return nil
	}
	const each = 16
	var all lists
	for b := numbers[4:]; len(b) >= each && len(all) < int(u32(numbers, 0)); b = b[each:] {
		all = append(all, byID[u32(b, 0)])
	}
	return all
}

// behind is the table stream from a place that stands in the head; nil where the length beside it is 0.
func behind(table, main []byte, at int) []byte {
	if u32(main, at+4) == 0 {
		return nil
	}
	return table[min(int64(u32(main, at)), int64(len(table))):]
}

func readLevels(b []byte) map[uint32]list {
	const each, flagsAt, simple = 28, 26, 1
	if len(b) < 2 {
		return nil
	}
	n := int(binary.LittleEndian.Uint16(b))
	heads := b[2:]
	if len(heads) < n*each {
		return nil
	}
	byID := make(map[uint32]list, n)
	rest := heads[n*each:]
	for ; n > 0; n, heads = n-1, heads[each:] {
		l := list{id: len(byID) + 1}
		count := listLevels
		if heads[flagsAt]&simple != 0 {
			count = 1
		}
		for i := range count {
			l.levels[i], rest = readLevel(rest)
		}
		byID[u32(heads, 0)] = l
	}
	return byID
}

// readLevel reads a level, and returns what stands behind it.
func readLevel(b []byte) (l level, rest []byte) {
	const head, kindAt, faceAt, styleAt = 28, 4, 24, 25
	if len(b) < head {
		return l, nil
	}
	l = level{markOf(b[kindAt]), int(int32(u32(b, 0)))}
	end := head + int(b[faceAt]) + int(b[styleAt])
	if len(b) < end+2 {
		return l, nil
	}
	end += 2 + 2*int(binary.LittleEndian.Uint16(b[end:]))
	return l, b[min(end, len(b)):]
}

func markOf(kind byte) Mark {
	const bullet, none = 23, 255
	switch kind {
	case bullet:
		return Bullet
	case none:
		return Unmarked
	}
	return Number
}

// find is the list of a paragraph's number, and how its items are marked at a level.
func (l lists) find(number, at int) (id int, marks level) {
	if number < 1 || number > len(l) {
		return 0, level{}
	}
	return l[number-1].id, l[number-1].levels[at]
}
