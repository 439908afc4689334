package crawl

import (
	"encoding/binary"
	"math"
	"net/url"
	"strings"
	"time"
)

// maxURL bounds a URL or Key, in bytes.
const maxURL = 16 << 10

// Found is a URL that was found and may be fetched.
type Found struct {
	// URL to fetch: absolute, with a host.
	URL string
	// Key identifies the URL; each key is fetched once per job. Empty: URL.
	Key string
	// Hops is how many links lie between the URL and the seed or a sitemap, 0 to 65535, on the path that was found first.
	Hops int
	// From is the URL of the page it was found on. Empty: the seed, or a sitemap.
	From string
	// Sitemap says that a sitemap lists it.
	Sitemap bool
	// Priority orders the URLs of sitemaps, higher first. Outside of 0 to 1, or NaN: 0.5, the default of the sitemap protocol.
	Priority float64
	// LastMod orders sitemap URLs of one priority, newer first. The zero time: unknown, last. Kept to the millisecond, for sitemap URLs only.
	LastMod time.Time
	// Late puts the URL behind all others of its host, whatever its hops.
	Late bool
	// Chance that something is new there, 0 to 1. URLs with one come before those without, but for seeds, the likeliest first.
	Chance float64
}

// host is the identity of a host: the URL's host in lower case, with its port if the URL names one. Empty: the URL
// can't be fetched.
func (f Found) host() string {
	if len(f.URL) > maxURL || len(f.Key) > maxURL {
		return ""
	}
	u, err := url.Parse(f.URL)
	if err != nil || len(u.Host) > 1024 || strings.ContainsFunc(u.Host, func(r rune) bool { return r <= ' ' }) {
		return ""
	}
	return strings.ToLower(u.Host)
}

func (f Found) key() string {
	if f.Key == "" {
		return f.URL
	}
	return f.Key
}

// rank sorts the items of a host: seeds, those with a chance, then by hops, late ones last, sitemap pages by priority and time, all by the
// order in which they were found.
func (f Found) rank(seq uint64) []byte {
	b := make([]byte, 0, 2+1+8+8+8)
	if f.Chance > 0 {
		b = append(b, 0, 0, 0) // as seeds, whose numbers are below those of any chance
		b = binary.BigEndian.AppendUint64(b, ^math.Float64bits(min(f.Chance, 1)))
		return binary.BigEndian.AppendUint64(b, seq)
	}
	hops := min(max(f.Hops, 0), math.MaxUint16)
	if f.Late {
		hops = math.MaxUint16
	}
	b = binary.BigEndian.AppendUint16(b, uint16(hops))
	if f.Sitemap {
		b = append(b, 1)
		b = binary.BigEndian.AppendUint64(b, ^math.Float64bits(f.priority()))
		b = binary.BigEndian.AppendUint64(b, ^millis(f.LastMod))
	} else {
		b = append(b, 0)
	}
	return binary.BigEndian.AppendUint64(b, seq)
}

// priority is never negative, so its bits sort as it does.
func (f Found) priority() float64 {
	if f.Priority >= 0 && f.Priority <= 1 {
		return math.Abs(f.Priority)
	}
	return 0.5
}

// entry is a queued Found.
type entry struct {
	Found
	id       uint64 // the same through all attempts
	attempts int    // that were begun
	cause    string // of the last failure
}

func (e entry) encode() []byte {
	b := newRow(len(e.URL) + len(e.Key) + len(e.From) + len(e.cause) + 48)
	b = binary.AppendUvarint(b, e.id)
	b = binary.AppendUvarint(b, uint64(e.attempts))
	b = binary.AppendUvarint(b, uint64(min(max(e.Hops, 0), math.MaxUint16)))
	b = binary.AppendUvarint(b, e.flags())
	if e.Sitemap {
		b = binary.AppendUvarint(b, math.Float64bits(e.priority()))
		b = putTime(b, e.LastMod)
	}
	if e.Chance > 0 {
		b = binary.AppendUvarint(b, math.Float64bits(e.Chance))
	}
	for _, s := range []string{e.URL, e.Key, e.cause} {
		b = putText(b, s)
	}
	return seal(putLike(b, e.From, e.URL))
}

// Flags of an entry, as they are stored.
const (
	flagSitemap = 1 << iota
	flagLate
	flagChance
)

func (e entry) flags() (flags uint64) {
	if e.Sitemap {
		flags |= flagSitemap
	}
	if e.Late {
		flags |= flagLate
	}
	if e.Chance > 0 {
		flags |= flagChance
	}
	return flags
}

func decodeEntry(row []byte) (e entry, err error) {
	r := openRow(row)
	e.id = r.number()
	e.attempts = int(min(r.number(), math.MaxInt32))
	e.Hops = int(min(r.number(), math.MaxUint16))
	flags := r.number()
	e.Late = flags&flagLate != 0
	if e.Sitemap = flags&flagSitemap != 0; e.Sitemap {
		e.Priority = math.Float64frombits(r.number())
		e.LastMod = r.time()
	}
	if flags&flagChance != 0 {
		e.Chance = math.Float64frombits(r.number())
	}
	e.URL, e.Key, e.cause = r.text(), r.text(), r.text()
	e.From = r.like(e.URL)
	return e, r.end()
}
