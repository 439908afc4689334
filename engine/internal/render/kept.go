package render

import (
	"bytes"
	"reflect"
	"sync"

	"github.com/klauspost/compress/s2"
)

// kept is an output, packed, which makes it less than half as large: a crawl has thousands of them. What isn't stored is packed by S2, in a
// third of the time that zstd takes for two thirds of the bytes.
type kept struct {
	data []byte // nil where it is in a ring
	at   place  // there
}

// perKept is what one takes beside its bytes, in memory, and a little more, so that small ones are not too many.
const perKept = 1 << 10

// pack packs an output, which stays as it is.
func pack(m *Output) kept {
	room := plainRooms.Get().(*[]byte)
	defer plainRooms.Put(room)
	*room = appendPlain((*room)[:0], reflect.ValueOf(m).Elem())
	return kept{data: packed(*room)}
}

// plainRooms are where outputs are laid out, and rooms what they are packed into: there has to be room for the worst case.
var (
	plainRooms = sync.Pool{New: func() any { return new([]byte) }}
	rooms      = sync.Pool{New: func() any { return new([]byte) }}
)

func packed(data []byte) []byte {
	room := rooms.Get().(*[]byte)
	defer rooms.Put(room)
	out := s2.Encode((*room)[:cap(*room)], data)
	*room = out
	return bytes.Clone(out)
}

// unpack returns an output that is the caller's own.
func (k kept) unpack(from *ring) (_ *Output, err error) {
	if k.data == nil {
		if k.data, err = from.get(k.at); err != nil {
			return nil, err
		}
	}
	data, err := s2.Decode(nil, k.data)
	if err != nil {
		return nil, err
	}
	m, in := &Output{}, plain{data: data}
	in.value(reflect.ValueOf(m).Elem())
	return m, in.err
}

// size is about what it takes, in memory and in a ring.
func (k kept) size() int64 { return int64(len(k.data)+k.at.size) + perKept }

// moved moves the bytes to a ring, if that takes them.
func (k kept) moved(to *ring) kept {
	if at, kept := to.put(k.data); kept {
		k.at, k.data = at, nil
	}
	return k
}
