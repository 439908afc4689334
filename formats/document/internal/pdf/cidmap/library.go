package cidmap

import (
	_ "embed"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:embed cidmaps.zst
var packed []byte

// library is the unpacked file. It panics if the file that was built in isn't sound.
var library = sync.OnceValue(func() *sections {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	defer d.Close()
	data, err := d.DecodeAll(packed, nil)
	if err != nil {
		panic(err)
	}
	return newSections(data)
})

// sections are what a file has, each read when it is first asked for.
type sections struct {
	bodies map[string]unpacker
	mu     sync.Mutex
	read   map[string]*Section
}

func newSections(data []byte) *sections {
	s := &sections{bodies: map[string]unpacker{}, read: map[string]*Section{}}
	for p := unpacker(data); len(p) > 0; {
		name := p.text()
		s.bodies[name] = p.bytes(p.number())
	}
	return s
}

// get is a section by its name, nil if there is none.
func (s *sections) get(name string) *Section {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, has := s.bodies[name]
	if !has {
		return nil
	}
	if s.read[name] == nil {
		s.read[name] = body.section(name)
	}
	return s.read[name]
}
