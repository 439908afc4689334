package httpapi

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Key authenticates a client. It holds the hash of its secret only. Made by [NewKey] and [ReadKeys].
type Key struct {
	// Team that the key is of: what it makes belongs to the team, and every key of the team can use it.
	Team string
	// Limits of the key. Nil: those of Options.
	Limits *Limits

	hash [sha256.Size]byte
}

// minSecret is what makes guessing hopeless where a secret is random.
const minSecret = 16

// maxTeam keeps within what the engine takes as an owner.
const maxTeam = 128

// NewKey makes the key of a secret, which should be random: at least 16 bytes, without blanks. The secret isn't kept.
func NewKey(secret, team string) (Key, error) {
	if len(secret) < minSecret || strings.ContainsAny(secret, " \t\r\n") {
		return Key{}, fmt.Errorf("the secret of a key has at least %d bytes and no blanks", minSecret)
	}
	return newKey(sha256.Sum256([]byte(secret)), team)
}

func newKey(hash [sha256.Size]byte, team string) (Key, error) {
	if team == "" || len(team) > maxTeam || strings.ContainsAny(team, " \t\r\n\x00") {
		return Key{}, fmt.Errorf("the name of a team has 1 to %d bytes and no blanks", maxTeam)
	}
	k := Key{Team: team, hash: hash}
	if !k.made() {
		return Key{}, fmt.Errorf("the digest is zero: no secret has it")
	}
	return k, nil
}

func (k *Key) made() bool { return k.Team != "" && k.hash != [sha256.Size]byte{} }

// ID identifies a key in logs and spans without revealing it: the first 8 hex digits of the digest in [HashSecret], which is how
// its line in a file of keys is found.
func (k *Key) ID() string { return keyID(k.hash) }

func keyID(hash [sha256.Size]byte) string { return hex.EncodeToString(hash[:idBytes]) }

// idBytes are enough to distinguish 10,000 keys, and far too few to find a random secret by.
const idBytes = 4

// HashSecret gives what stands for a secret in a file of keys: "sha256:" and the digest in hex.
func HashSecret(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hashPrefix + hex.EncodeToString(sum[:])
}

const hashPrefix = "sha256:"

// maxKeys bounds what is read of a file, and what each request is compared with.
const maxKeys = 10_000

// ReadKeys reads a file of keys. Each line is one: the hash of its secret (see [HashSecret]), its team, and any limits,
// parted by blanks. Empty lines and lines that begin with "#" are left out. The same key twice is an error. An error names the line, never
// what is in it.
//
//	sha256:9f86d0…0a08 shop credits=50000 sessions=2 pages=8 scrape=100/m crawl=10/h zdr=on
//
// The limits are credits, sessions, pages, streams and zdr of [Limits], and rates by their [Endpoint]: requests per s, m, h or d.
func ReadKeys(r io.Reader) ([]Key, error) {
	var keys []Key
	seen := map[[sha256.Size]byte]bool{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		k, err := readKey(words)
		switch {
		case err != nil:
			return nil, fmt.Errorf("line %d of the keys: %w", n, err)
		case seen[k.hash]:
			return nil, fmt.Errorf("line %d of the keys: the same key is in a line above", n)
		case len(keys) == maxKeys:
			return nil, fmt.Errorf("line %d of the keys: at most %d", n, maxKeys)
		}
		seen[k.hash] = true
		keys = append(keys, k)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the keys: %w", err)
	}
	return keys, nil
}

func readKey(words []string) (Key, error) {
	digest, ok := strings.CutPrefix(words[0], hashPrefix)
	sum, err := hex.DecodeString(digest)
	if !ok || err != nil || len(sum) != sha256.Size || len(words) < 2 {
		return Key{}, fmt.Errorf("a key is %q, 64 hex digits, a blank and its team", hashPrefix)
	}
	k, err := newKey([sha256.Size]byte(sum), words[1])
	if err != nil || len(words) == 2 {
		return k, err
	}
	k.Limits = &Limits{}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		if err := k.Limits.read(name, value); err != nil {
			return Key{}, err
		}
	}
	return k, nil
}

// read sets one limit of a file.
func (l *Limits) read(name, value string) error {
	n, err := strconv.ParseInt(value, 10, 32)
	whole := err == nil && n > 0
	switch {
	case name == "zdr" && value == "on":
		l.ZeroDataRetention = true
	case name == "credits" && whole:
		l.Credits = n
	case name == "sessions" && whole:
		l.Sessions = int(n)
	case name == "pages" && whole:
		l.Pages = int(n)
	case name == "streams" && whole:
		l.Streams = int(n)
	case Endpoint(name).known():
		return l.readRate(Endpoint(name), value)
	default:
		return fmt.Errorf("limits are credits, sessions, pages and streams with a number from 1, zdr=on, and rates such as scrape=100/m")
	}
	return nil
}

func (l *Limits) readRate(e Endpoint, value string) error {
	count, unit, _ := strings.Cut(value, "/")
	n, err := strconv.ParseInt(count, 10, 32)
	window, ok := windows[unit]
	if err != nil || n < 1 || !ok {
		return fmt.Errorf("a rate is a number from 1, a slash and s, m, h or d, such as %s=100/m", e)
	}
	if l.Rates == nil {
		l.Rates = map[Endpoint]Rate{}
	}
	l.Rates[e] = Rate{Requests: int(n), Window: window}
	return nil
}
