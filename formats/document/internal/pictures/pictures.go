package pictures

import (
	"crypto/sha256"
	"encoding/hex"
)

// Picture is a picture as the file has it.
type Picture struct {
	Hash      string // SHA-256 of Body, in hexadecimal
	MediaType string
	Body      []byte
}

// Keep stores a picture and returns the address that stands for it in HTML. "" leaves the picture out: Keep has then said so.
type Keep func(Picture) (address string, err error)

// Limits bound the pictures of a file. All fields have to be set.
type Limits struct {
	Count int   // of different pictures
	Bytes int64 // of all that are looked at, together
}

// Bounds of one picture, and of what stands for pictures in a file's HTML.
const (
	MaxBytes     = 32 << 20 // of one picture
	maxPixels    = 100_000_000
	maxAddresses = 16 << 20 // bytes of addresses, each place counted: some keep pictures in the address itself
)

// Set are the pictures of a file as they are found. A nil Set keeps none. It is for one goroutine.
type Set struct {
	keep      Keep
	limits    Limits
	addresses map[string]string // by hash; "" for those that are left out
	written   int64             // bytes of addresses
	left      leftOut
	err       error
}

// New makes an empty Set. keep is called once for each different picture.
func New(keep Keep, l Limits) *Set {
	return &Set{keep: keep, limits: l, addresses: map[string]string{}}
}

// Wanted reports whether pictures are kept.
func (s *Set) Wanted() bool { return s != nil && s.err == nil }

// Err is the first error of Keep. No pictures are kept after it.
func (s *Set) Err() error {
	if s == nil {
		return nil
	}
	return s.err
}

// Add takes a picture for one place in the file and returns its address, "" when it is left out. name is for warnings.
func (s *Set) Add(name string, body []byte) string {
	if !s.Wanted() {
		return ""
	}
	if !s.room(name, int64(len(body))) {
		return ""
	}
	media, why := inspect(body)
	if why != "" {
		s.Leave(why, name)
		return ""
	}
	sum := sha256.Sum256(body)
	p := Picture{Hash: hex.EncodeToString(sum[:]), MediaType: media, Body: body}
	address, known := s.addresses[p.Hash]
	if !known {
		address = s.store(name, p)
	}
	return s.Again(name, address)
}

// most is how many bytes the next picture may have.
func (s *Set) most() int64 { return min(s.limits.Bytes, MaxBytes) }

// room reports whether a picture of so many bytes may be looked at. All that is looked at counts, kept or not: it has been unpacked.
func (s *Set) room(name string, size int64) bool {
	most := s.most()
	s.limits.Bytes -= min(size, most)
	switch {
	case size <= most:
		return true
	case most < MaxBytes:
		s.Leave(Many, name)
	default:
		s.Leave(Large, name)
	}
	return false
}

// store keeps a picture that is new.
func (s *Set) store(name string, p Picture) (address string) {
	if s.limits.Count == 0 {
		s.Leave(Many, name)
		return ""
	}
	if address, s.err = s.keep(p); s.err != nil {
		return ""
	}
	s.limits.Count--
	s.addresses[p.Hash] = address
	return address
}

// Again returns an address that Add has returned for another place where the same picture is, as long as there is room for it.
func (s *Set) Again(name, address string) string {
	if s.written += int64(len(address)); s.written > maxAddresses {
		s.written -= int64(len(address))
		s.Leave(Often, name)
		return ""
	}
	return address
}

// Parts are the pictures of an archive by the names of their parts, each of which is read once. A nil Parts keeps none.
type Parts struct {
	set   *Set
	known map[string]string // addresses
}

// Parts begins with the parts of one archive.
func (s *Set) Parts() *Parts {
	if !s.Wanted() {
		return nil
	}
	return &Parts{set: s, known: map[string]string{}}
}

// Wanted reports whether pictures are kept.
func (p *Parts) Wanted() bool { return p != nil && p.set.Wanted() }

// Address is that of the picture in a part, for one place in the file; "" when it is left out. read unpacks the part, of which it
// returns at most one byte more than most.
func (p *Parts) Address(name string, read func(most int64) ([]byte, error)) string {
	if !p.Wanted() {
		return ""
	}
	if address, known := p.known[name]; known {
		return p.set.Again(base(name), address)
	}
	address := p.fresh(name, read)
	p.known[name] = address
	return address
}

func (p *Parts) fresh(name string, read func(most int64) ([]byte, error)) string {
	most := p.set.most()
	body, err := read(most)
	if int64(len(body)) <= most && (err != nil || len(body) == 0) {
		p.set.room(base(name), int64(len(body)))
		p.set.Leave(Damaged, base(name))
		return ""
	}
	return p.set.Add(base(name), body)
}
