package nodes

import (
	"fmt"
	"testing"

	"golang.org/x/net/html"
)

// A room that is used again holds nothing of what was in it, and what is added to the attributes of one node is not another's.
func TestRoom(t *testing.T) {
	room := new(Room)
	for page := range 3 {
		for i := range 200 * (page + 1) {
			n := room.Node(50)
			if n.Type != 0 || n.DataAtom != 0 || n.Data != "" || n.Namespace != "" || n.Attr != nil || n.Parent != nil || n.FirstChild != nil {
				t.Fatalf("page %d: node %d is %+v", page, i, n)
			}
			list := make([]html.Attribute, i%60)
			for k := range list {
				list[k].Key = fmt.Sprint(page, i, k)
			}
			n.Type, n.Data, n.Attr, n.Parent, n.FirstChild = html.ElementNode, "p", room.Attributes(list, 50), n, n
			first := room.Attributes([]html.Attribute{{Key: "a"}}, 50)
			_ = append(n.Attr, html.Attribute{Key: "spilt"})
			if len(n.Attr) != len(list) || len(list) > 0 && n.Attr[0] != list[0] || first[0].Key != "a" {
				t.Fatalf("page %d: attributes %+v, and %+v", page, n.Attr, first)
			}
		}
		room.GiveBack()
	}
	if room.nodes.size < 600 || room.nodes.size > 650 || room.attrs.size > 2*600*30 {
		t.Errorf("room for %d nodes and %d attributes", room.nodes.size, room.attrs.size)
	}
}
