package folding

import (
	"context"
	"fmt"
	"testing"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/crawl"
)

// rig is a book in memory, and what it had put in line again.
type rig struct {
	*testing.T
	*Book
	items uint64
	back  []string
}

func newRig(t *testing.T) *rig {
	r := &rig{T: t}
	b, err := Open(cache.NewMap(), "job", "SAME", func(_ context.Context, list []crawl.Retaken) error {
		for _, one := range list {
			r.back = append(r.back, one.URL)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Book = b
	return r
}

// fetch has a page fetched under an address, and reports whether it is the same as another.
func (r *rig) fetch(key, content string) bool {
	r.Helper()
	r.items++
	item := crawl.Item{Found: crawl.Found{URL: key, Key: key}, ID: r.items}
	same, err := r.Fetched(r.Context(), Page{Item: item, Key: key, Content: content, Links: func() []string { return nil }})
	if err != nil {
		r.Fatal(err)
	}
	return same
}

// takes reports whether a link to an address is followed.
func (r *rig) takes(key string) bool {
	r.Helper()
	take, left, err := r.Links(r.Context(), 1, []crawl.Found{{URL: key, Key: key}})
	if err != nil || len(take)+len(left) != 1 {
		r.Fatalf("%s: %d, %d, %v", key, len(take), len(left), err)
	}
	return len(take) == 1
}

// An address that pages are compared under is fetched until a rule is confirmed, then at first, and then ever less often.
func TestBook_looksEverLessOften(t *testing.T) {
	r := newRig(t)
	const page = "https://a.example/p?sid="
	if r.fetch(page+"1", "text") || !r.takes(page+"2") || !r.fetch(page+"2", "text") {
		t.Fatal("two pages that are the same")
	}
	var looks []int
	for i := range 3000 {
		if r.takes(fmt.Sprint(page, 10+i)) {
			looks = append(looks, i)
		}
	}
	if n := len(looks); n < 20 || n > 35 || looks[0] != 0 || looks[n-1] < 2000 {
		t.Errorf("%d looks: %v", n, looks)
	}
	if !r.takes("https://a.example/other?sid=1") || r.takes("https://a.example/other?sid=2") == r.takes("https://a.example/other?sid=3") {
		t.Error("the second address in another layout isn't looked at")
	}
	if len(r.back) != 0 {
		t.Errorf("back: %v", r.back)
	}
}

// Where a rule fails it is undone for that layout, with what was left out there, and where that happens often for the host.
func TestBook_undoesWhereARuleFails(t *testing.T) {
	r := newRig(t)
	address := func(layout, page, sid int) string {
		return fmt.Sprintf("https://a.example/l%d/%d?sid=%d", layout, page, sid)
	}
	leftOut := func(layout int) (list []string) {
		for i := range 20 {
			for sid := range 3 {
				if key := address(layout, i, sid); r.takes(key) {
					r.fetch(key, fmt.Sprint(layout, ":", i))
				} else {
					list = append(list, key)
				}
			}
		}
		return list
	}
	for layout := range 4 {
		leftOut(layout)
	}
	for layout := range 3 {
		list := leftOut(layout)
		for sid := 100; !r.takes(address(layout, 0, sid)); sid++ {
		}
		r.back = nil
		r.fetch(address(layout, 0, 99), "another text")
		if len(r.back) < len(list) {
			t.Errorf("layout %d: %d put in line, %d were left out", layout, len(r.back), len(list))
		}
		if !r.takes(address(layout, 0, 98)) {
			t.Errorf("layout %d: it is still left out", layout)
		}
	}
	if !r.takes(address(3, 0, 98)) || r.fetch(address(3, 0, 98), "3:0") {
		t.Error("a rule that failed in three layouts still holds in a fourth")
	}
}

// Groups are bounded, and so are keys.
func TestBook_isBounded(t *testing.T) {
	r := newRig(t)
	for i := range 3 * maxMembers {
		r.fetch(fmt.Sprintf("https://a.example/?sid=%d", i), fmt.Sprint(i))
	}
	err := r.change(t.Context(), "a.example", func(turn *turn) error {
		if n := len(turn.group("https://a.example/").Members); n != maxMembers {
			t.Errorf("%d members", n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if long := fmt.Sprintf("https://a.example/?sid=%0*d", maxKey, 1); Group(long) != long {
		t.Error("a long key is folded")
	}
	for i := range maxHosts + 10 {
		r.meet(fmt.Sprintf("https://%d.example/?sid=1", i))
	}
	if len(r.names()) != maxHosts {
		t.Errorf("%d hosts", len(r.names()))
	}
}
