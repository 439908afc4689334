package archive

import (
	"crypto/fips140"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
)

// Digest is a checksum of a block or a payload. The zero value is none. It is comparable.
type Digest struct {
	// Algorithm is "md5", "sha1", "sha256" or "sha512".
	Algorithm string
	// Sum holds the bytes of the checksum.
	Sum string
}

// String is the form that the package writes: the algorithm, a colon and lower-case hexadecimal digits; "" for none.
func (d Digest) String() string {
	if d.Algorithm == "" {
		return ""
	}
	return d.Algorithm + ":" + hex.EncodeToString([]byte(d.Sum))
}

// sizes are the algorithms that are known, and the bytes of their checksums.
var sizes = map[string]int{"md5": md5.Size, "sha1": sha1.Size, "sha256": sha256.Size, "sha512": sha512.Size}

// ParseDigest reads a digest as tools write it: the algorithm, a colon and the checksum in hexadecimal, base 32 or base 64.
// Without an algorithm it is SHA-1, which older indexes mean. The error names what is unknown.
func ParseDigest(s string) (Digest, error) {
	name, sum, ok := strings.Cut(strings.TrimSpace(s), ":")
	if !ok {
		name, sum = "sha1", name
	}
	name = strings.ReplaceAll(strings.ToLower(name), "-", "")
	size, known := sizes[name]
	if !known {
		return Digest{}, fmt.Errorf("digest %.80q: unknown algorithm", s)
	}
	bare := strings.TrimRight(sum, "=")
	for _, decode := range []func(string) ([]byte, error){
		hex.DecodeString,
		func(s string) ([]byte, error) {
			return base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(s))
		},
		base64.RawStdEncoding.DecodeString, base64.RawURLEncoding.DecodeString,
	} {
		if b, err := decode(bare); err == nil && len(b) == size {
			return Digest{name, string(b)}, nil
		}
	}
	return Digest{}, fmt.Errorf("digest %.80q: not a checksum of %d bytes", s, size)
}

// summing computes a digest. Checksums here find damage, they protect from no attacker: those that FIPS 140 forbids as protection are
// computed under its enforcement too.
type summing struct {
	algorithm string
	h         hash.Hash
}

// newSumming computes SHA-256 for an algorithm that isn't known.
func newSumming(algorithm string) *summing {
	s := &summing{algorithm: algorithm}
	fips140.WithoutEnforcement(func() {
		switch algorithm {
		case "md5":
			s.h = md5.New()
		case "sha1":
			s.h = sha1.New()
		case "sha512":
			s.h = sha512.New()
		default:
			s.algorithm, s.h = "sha256", sha256.New()
		}
	})
	return s
}

// Write never fails.
func (s *summing) Write(p []byte) (n int, err error) {
	fips140.WithoutEnforcement(func() { n, err = s.h.Write(p) })
	return n, err
}

func (s *summing) digest() Digest {
	var sum []byte
	fips140.WithoutEnforcement(func() { sum = s.h.Sum(nil) })
	return Digest{s.algorithm, string(sum)}
}

// digestOf is the SHA-256 of bytes.
func digestOf(p []byte) Digest {
	sum := sha256.Sum256(p)
	return Digest{"sha256", string(sum[:])}
}
