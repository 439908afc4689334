package folding

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/winnow-go/winnow/crawl"
)

// Book is what a job learns of the addresses that are one page, host by host. What is in it outlives the process. Until a rule is confirmed
// on a host, its addresses are fetched as others are. From then on those that it makes one with an address which is fetched are left out,
// but for some that are to show whether it still holds. Where they show that it doesn't, it holds no longer for pages of that layout, and
// after three layouts nowhere on the host; what was left out by it is fetched. Pages are one only where all that a reader sees is the same:
// what is another at each request, such as a clock, confirms nothing. Safe for concurrent use.
type Book struct {
	db     crawl.DB
	job    string
	reason string
	retake func(context.Context, []crawl.Retaken) error

	mu     sync.Mutex
	hosts  map[string]bool // with addresses that rules are about: whether one of the rules holds
	ending sync.Mutex
}

// Open opens the book of a job. What was left out under a reason is put in line again by retake, which may be given an address more than
// once.
func Open(db crawl.DB, job, reason string, retake func(context.Context, []crawl.Retaken) error) (*Book, error) {
	b := &Book{db: db, job: job, reason: reason, retake: retake, hosts: map[string]bool{}}
	err := db.View(func(tx crawl.Tx) error {
		own := b.row()
		for key := range tx.Scan(bucketHosts, own) {
			if !bytes.HasPrefix(key, own) {
				break
			}
			name := string(key[len(own):])
			b.hosts[name] = b.host(tx, name).anyHolds()
		}
		return nil
	})
	return b, err
}

func (b *Book) host(tx crawl.Tx, name string) *host {
	h := &host{}
	get(tx, bucketHosts, b.row([]byte(name)), h)
	if h.Rules == nil {
		h.Rules = map[Rule]*standing{}
	}
	return h
}

// hostOf is the host that a key is of.
func hostOf(key string) string {
	_, rest, _ := strings.Cut(key, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// known reports whether rules are about addresses of a host, and whether one of them holds.
func (b *Book) known(host string) (any, holds bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	holds, any = b.hosts[host]
	return any, holds
}

func (b *Book) note(host string, holds bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, any := b.hosts[host]; any || len(b.hosts) < maxHosts {
		b.hosts[host] = holds
	}
}

// meet notes the host of an address that rules are about.
func (b *Book) meet(key string) {
	if !mayFold(key) {
		return
	}
	host := hostOf(key)
	if any, _ := b.known(host); !any && Group(key) != key {
		b.note(host, false)
	}
}

// turn is a transaction over one host.
type turn struct {
	b     *Book
	tx    crawl.Tx
	name  string
	host  *host
	write bool
}

// errWrites ends a turn that only reads and would have to write.
var errWrites = errors.New("something is to be written")

// look runs do with what is kept of a host, without writing where there is nothing to write. do may be run more than once.
func (b *Book) look(ctx context.Context, host string, do func(*turn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := b.db.View(func(tx crawl.Tx) error { return do(&turn{b: b, tx: tx, name: host, host: b.host(tx, host)}) })
	if errors.Is(err, errWrites) {
		return b.change(ctx, host, do)
	}
	return err
}

// change is look that writes.
func (b *Book) change(ctx context.Context, host string, do func(*turn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var holds bool
	err := b.db.Update(func(tx crawl.Tx) error {
		t := &turn{b: b, tx: tx, name: host, host: b.host(tx, host), write: true}
		if err := do(t); err != nil {
			return err
		}
		holds = t.host.anyHolds()
		return put(tx, bucketHosts, b.row([]byte(host)), t.host)
	})
	if err == nil {
		b.note(host, holds)
	}
	return err
}

// group returns the group of a key.
func (t *turn) group(key string) (g group) {
	get(t.tx, bucketGroups, t.b.row(hash(Group(key), 16)), &g)
	return g
}

func (t *turn) keep(key string, g group) error {
	return put(t.tx, bucketGroups, t.b.row(hash(Group(key), 16)), g)
}

func (g *group) at(key string) int {
	return slices.IndexFunc(g.Members, func(m member) bool { return m.Key == key })
}

// other returns a member that the rules which hold make one with a key.
func (g *group) other(key string, holds func(Rule) bool) (m member, ok bool) {
	folded := Fold(key, holds)
	for _, m := range g.Members {
		if m.Key != key && Fold(m.Key, holds) == folded {
			return m, true
		}
	}
	return m, false
}
