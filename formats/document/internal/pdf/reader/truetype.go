package reader

import "encoding/binary"

// glyphTexts reads the character table of an embedded TrueType or OpenType font backwards: from glyph to character.
// It is called only for fonts that don't define in another way what their glyphs mean. nil: no usable table.
func glyphTexts(data []byte) map[uint32]rune {
	cmap := fontTable(data, "cmap")
	if len(cmap) < 4 {
		return nil
	}
	var best []byte
	bestRank := 0
	for i := range int(binary.BigEndian.Uint16(cmap[2:])) {
		at := 4 + i*8
		if at+8 > len(cmap) {
			break
		}
		platform, kind := binary.BigEndian.Uint16(cmap[at:]), binary.BigEndian.Uint16(cmap[at+2:])
		offset := int64(binary.BigEndian.Uint32(cmap[at+4:]))
		if rank := tableRank(platform, kind); rank > bestRank && offset < int64(len(cmap)) {
			best, bestRank = cmap[offset:], rank
		}
	}
	if len(best) < 8 {
		return nil
	}
	switch binary.BigEndian.Uint16(best) {
	case 4:
		return format4(best)
	case 12:
		return format12(best)
	}
	return nil
}

func tableRank(platform, kind uint16) int {
	switch {
	case platform == 3 && kind == 10:
		return 4
	case platform == 3 && kind == 1:
		return 3
	case platform == 0:
		return 2
	}
	return 0
}

// fontTable is one table of a font file.
func fontTable(data []byte, tag string) []byte {
	if len(data) < 12 {
		return nil
	}
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		at := 12 + i*16
		if at+16 > len(data) {
			return nil
		}
		if string(data[at:at+4]) != tag {
			continue
		}
		start, size := int64(binary.BigEndian.Uint32(data[at+8:])), int64(binary.BigEndian.Uint32(data[at+12:]))
		if start > int64(len(data)) {
			return nil
		}
		return data[start:min(start+size, int64(len(data)))]
	}
	return nil
}

func format4(t []byte) map[uint32]rune {
	if len(t) < 16 {
		return nil
	}
	segments := int(binary.BigEndian.Uint16(t[6:])) / 2
	at := func(part, i int) (int, uint16) {
		pos := 14 + part*segments*2 + i*2
		if part > 0 {
			pos += 2 // the padding behind the first part
		}
		if pos+2 > len(t) {
			return pos, 0
		}
		return pos, binary.BigEndian.Uint16(t[pos:])
	}
	out := map[uint32]rune{}
	for i := range segments {
		_, end := at(0, i)
		_, start := at(1, i)
		_, delta := at(2, i)
		pos, offset := at(3, i)
		for c := int(start); c <= int(end) && c < 0xffff; c++ {
			glyph := uint16(c) + delta
			if offset != 0 {
				p := pos + int(offset) + (c-int(start))*2
				if p+2 > len(t) {
					break
				}
				if glyph = binary.BigEndian.Uint16(t[p:]); glyph != 0 {
					glyph += delta
				}
			}
			keep(out, uint32(glyph), rune(c))
		}
	}
	return out
}

func format12(t []byte) map[uint32]rune {
	if len(t) < 16 {
		return nil
	}
	out := map[uint32]rune{}
	groups := int(min(binary.BigEndian.Uint32(t[12:]), uint32(len(t)/12)))
	for i := range groups {
		at := 16 + i*12
		if at+12 > len(t) {
			break
		}
		start, end := binary.BigEndian.Uint32(t[at:]), binary.BigEndian.Uint32(t[at+4:])
		glyph := binary.BigEndian.Uint32(t[at+8:])
		for c := start; c <= end && c <= 0x10ffff && len(out) < 1<<17; c++ {
			keep(out, glyph+c-start, rune(c))
		}
	}
	return out
}

// keep prefers the first character of a glyph, but any other to one of the private area.
func keep(out map[uint32]rune, glyph uint32, c rune) {
	if had, has := out[glyph]; glyph != 0 && (!has || had >= 0xe000 && had < 0xf900) {
		out[glyph] = c
	}
}
