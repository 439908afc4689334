package content

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// A room that is used again holds nothing of what was in it, and what is added to the attributes of one copy is not another's.
func TestRoom(t *testing.T) {
	room := new(Room)
	for pages := range 3 {
		var b strings.Builder
		for i := range 200 * (pages + 1) {
			fmt.Fprintf(&b, `<p class="c%d" id=i%[1]d>text %[1]d of %d</p><br>`, i, pages)
		}
		b.WriteString("<p" + strings.Repeat(" x", 3))
		for i := range roomOfCopies + 1 {
			fmt.Fprintf(&b, " a%d=1", i)
		}
		tr := tree(t, b.String()+">")
		first := room.copy(&html.Node{Type: html.ElementNode, Data: "first", Attr: []html.Attribute{{Key: "a"}}}, func(*html.Node) {})
		doc := tr.Copy(room, tr.NewMask(), func(n *html.Node) {})
		first.Attr = append(first.Attr, html.Attribute{Key: "spilt"})
		if got, want := rendered(t, doc), rendered(t, tr.Node(0)); got != want || first.Parent != nil || first.FirstChild != nil {
			t.Fatalf("page %d: got %.300s\nwant %.300s", pages, got, want)
		}
		room.GiveBack()
		if room.node != 0 || len(room.nodes[0]) != 0 || room.nodes[0][:1][0].Data != "" || room.attrs[0][:1][0].Key != "" {
			t.Error("a room that was given back holds something")
		}
	}
}

func rendered(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
