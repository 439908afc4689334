package outlook

import "encoding/binary"

// dictionary is what each text may refer back to from its start (MS-OXRTFCP, 2.1.3.1.1).
const dictionary = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArial` +
	`Times New RomanCourier{\colortbl\red0\green0\blue0` + "\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`

// decompress unpacks rich text, at most limit bytes of it. Of a text that breaks off it gives what there is.
func decompress(b []byte, limit int64) []byte {
	const head, sizeAt, kindAt, packed, plain = 16, 4, 8, "LZFu", "MELA"
	if len(b) < head {
		return nil
	}
	size := min(int64(binary.LittleEndian.Uint32(b[sizeAt:])), max(limit, 0))
	switch string(b[kindAt : kindAt+4]) {
	case plain:
		return b[head:][:min(size, int64(len(b)-head))]
	case packed:
		return unpack(b[head:], int(size))
	}
	return nil
}

// unpack undoes the compression: of eight items each, bits say which are bytes and which are places in the last 4096 bytes with a length.
func unpack(b []byte, size int) []byte {
	const window, shortest = 1 << 12, 2
	var ring [window]byte
	at := copy(ring[:], dictionary)
	out := make([]byte, 0, min(size, 64*len(b)))
	put := func(c byte) {
		ring[at%window] = c
		at++
		out = append(out, c)
	}
	for len(b) > 0 {
		control := b[0]
		b = b[1:]
		for bit := 0; bit < 8 && len(b) > 0 && len(out) < size; bit++ {
			if control>>bit&1 == 0 {
				put(b[0])
				b = b[1:]
				continue
			}
			if len(b) < 2 {
				return out
			}
			word := int(binary.BigEndian.Uint16(b))
			b = b[2:]
			from := word >> 4
			if from == at%window { // the end
				return out
			}
			for i := range word&15 + shortest {
				if len(out) < size {
					put(ring[(from+i)%window])
				}
			}
		}
		if len(out) >= size {
			break
		}
	}
	return out
}
