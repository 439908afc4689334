package entries

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

func TestPieces_areTheMessageWhateverTheirSize(t *testing.T) {
	t.Parallel()
	m := Message{
		Page: &Page{
			Found: crawl.Found{URL: "https://a.example/", Key: "a", Hops: 2}, Attempts: 1, At: time.UnixMilli(5).UTC(), Credits: 3,
			Denied: []crawl.Denied{{Reason: "TRAP", URL: "https://a.example/b"}},
		},
		Documents: [][]byte{bytes.Repeat([]byte("document"), 1000), {}, {1}},
	}
	for _, size := range []int{2, 3, 100, 8000, 1 << 20} {
		list, err := m.Pieces(size)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range list {
			ends, whole := Ends(p)
			if len(p) > size || ends != (i == len(list)-1) || whole != (len(list) == 1) {
				t.Fatalf("piece %d of %d has %d of %d bytes; ends %v, whole %v", i, len(list), len(p), size, ends, whole)
			}
		}
		got, err := Join(list...)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("size %d: got %+v, %v", size, got, err)
		}
	}
}

func TestJoin_refusesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	list, err := Message{Event: &Event{Type: "sitemap"}}.Pieces(8)
	if err != nil {
		t.Fatal(err)
	}
	for name, pieces := range map[string][][]byte{
		"none": {}, "empty": {nil}, "cut": list[:len(list)-1], "late": list[1:], "twice": append(list[:1:1], list...),
		"short": {{first | last, 200, 1}}, "no JSON": {{first | last, 1, 'x'}},
	} {
		if _, err := Join(pieces...); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
