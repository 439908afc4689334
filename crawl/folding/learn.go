package folding

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/crawl"
)

// Page is what a page has to say of the rules.
type Page struct {
	// Item that it was fetched for.
	Item crawl.Item
	// Key of where redirects ended.
	Key string
	// Canonical is the key of the address that the page names as its own; "" where it names none.
	Canonical string
	// Content is a digest of what the page shows. "": there is nothing to compare, as with pages of errors.
	Content string
	// Links returns the keys of what the page leads to on its own host.
	Links func() []string
	// Sum is what [Book.Sum] returned of the page, as an earlier job had it: Content and Links aren't needed then.
	Sum string
}

// Sum is what a later job needs to know of a page that is as it was; "" where no rule is about the addresses of its host, or there is
// nothing to compare.
func (b *Book) Sum(p Page) string {
	if any, _ := b.known(hostOf(p.Key)); !any || p.Content == "" {
		return ""
	}
	return p.sum()
}

// sum is the digest of a page. Pages of one group have one sum where only the addresses in them are different.
func (p Page) sum() string {
	if p.Sum != "" {
		return p.Sum
	}
	_, rest, _ := strings.Cut(p.Key, "://")
	_, own, _ := strings.Cut(rest, "/")
	own = url.QueryEscape("/" + own) // as in a link to a form that leads back
	var list []string
	for _, link := range p.Links() {
		list = append(list, Group(strings.ReplaceAll(link, own, "")))
	}
	slices.Sort(list)
	sum := sha256.Sum256([]byte(p.Content + "\n" + strings.Join(slices.Compact(list), "\n")))
	return hex.EncodeToString(sum[:16])
}

// Fetched learns from a page, and reports whether it is the same as another one that was fetched, under another address.
func (b *Book) Fetched(ctx context.Context, p Page) (same bool, err error) {
	b.meet(p.Key)
	host := hostOf(p.Key)
	if p.Content+p.Sum == "" || Group(p.Key) != Group(p.Item.Key) {
		if err := b.Failed(ctx, p.Item); err != nil || p.Content+p.Sum == "" {
			return false, err
		}
	}
	if any, _ := b.known(host); !any {
		return false, nil
	}
	sum := p.sum()
	err = b.change(ctx, host, func(t *turn) (err error) {
		same, err = t.learn(p, sum)
		return err
	})
	if err != nil {
		return false, err
	}
	return same, b.putBack(ctx, host)
}

// learn compares a page with those of its group, and enters it.
func (t *turn) learn(p Page, sum string) (same bool, err error) {
	g, on := t.group(p.Key), t.host.on(p.Key)
	if p.Item.Key != p.Key && Group(p.Item.Key) == Group(p.Key) {
		on.confirm(Between(p.Item.Key, p.Key))
		g.remove(p.Item.Key)
	}
	if p.Canonical != "" {
		on.confirm(Between(p.Key, p.Canonical))
	}
	on.compare(g, p.Key, sum)
	at := g.at(p.Key)
	again := at >= 0 && g.Members[at].Sum == sum && !g.Members[at].Same // it was fetched in a process that has ended since
	same = !again && on.sameAs(g, p.Key, sum)
	if at < 0 && len(g.Members) < maxMembers {
		g.Members = append(g.Members, member{Key: p.Key})
		at = len(g.Members) - 1
	}
	if at >= 0 {
		g.Members[at].Sum, g.Members[at].Same = sum, same
	}
	return same, t.keep(p.Key, g)
}

// compare confirms rules by pages that are the same, and undoes those that make pages one which differ.
func (on ground) compare(g group, key, sum string) {
	for _, m := range g.Members {
		if m.Key != key && m.Sum == sum {
			on.confirm(Between(m.Key, key))
		}
	}
	for _, m := range g.Members {
		if m.Key == key || m.Sum == "" || m.Sum == sum {
			continue
		}
		if rules := Between(m.Key, key); len(rules) == 1 || on.allHold(rules) {
			on.undo(rules)
		}
	}
}

// sameAs reports whether a member has the same page, and rules that hold say so too.
func (on ground) sameAs(g group, key, sum string) bool {
	return slices.ContainsFunc(g.Members, func(m member) bool {
		return m.Key != key && m.Sum == sum && on.allHold(Between(m.Key, key))
	})
}

func (g *group) remove(key string) {
	g.Members = slices.DeleteFunc(g.Members, func(m member) bool { return m.Key == key && m.Sum == "" })
}

// Led notes that the site itself leads from the address of an item to another one.
func (b *Book) Led(ctx context.Context, item crawl.Item, key string) error {
	rules := Between(item.Key, key)
	if len(rules) == 0 {
		return nil
	}
	return b.look(ctx, hostOf(key), func(t *turn) error {
		if !t.host.on(key).confirm(rules) {
			return nil
		}
		return t.mustWrite()
	})
}

// maxFailed is how often another address of a group is fetched in place of one that gave no page.
const maxFailed = 3

// Failed notes that an item gave no page. Where others were left out for it, one of them is fetched.
func (b *Book) Failed(ctx context.Context, item crawl.Item) error {
	host := hostOf(item.Key)
	if !b.anyHolds(host) {
		return nil
	}
	var next left
	var row []byte
	err := b.change(ctx, host, func(t *turn) (err error) {
		g := t.group(item.Key)
		g.remove(item.Key)
		if next, row = t.instead(g, item.Key); row != nil {
			g.Failed++
		}
		return t.keep(item.Key, g)
	})
	if err != nil || row == nil {
		return err
	}
	return b.takeBack(ctx, host, map[string]left{string(row): next})
}

// instead is an address of a group that was left out and has no other in its place now.
func (t *turn) instead(g group, key string) (next left, row []byte) {
	if g.Failed >= maxFailed {
		return next, nil
	}
	own := append(t.b.leftOf(t.name), hash(Group(key), 16)...)
	for k := range t.tx.Scan(bucketLeft, own) {
		if !bytes.HasPrefix(k, own) {
			break
		}
		var l left
		if !get(t.tx, bucketLeft, k, &l) {
			continue
		}
		if _, ok := g.other(l.Found.Key, t.host.on(key).holds); !ok {
			return l, bytes.Clone(k)
		}
	}
	return next, nil
}
