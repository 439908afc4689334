package parse

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/winnow-go/winnow/formats/internal/nodes"
	"github.com/winnow-go/winnow/formats/internal/walk"
)

// What React streams in any order is put in its places, as its scripts do.
func TestDocument_streamed(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"a boundary": {
			`<main><!--$?--><template id="B:0"></template><p>Loading</p><!--/$--><p>End</p></main><div hidden id="S:0"><p>Text</p><p>More</p></div><script>$RC=function(){};$RC("B:0","S:0")</script>`,
			`<main><!--$?--><p>Text</p><p>More</p><!--/$--><p>End</p></main>`,
		},
		"a boundary within a boundary": {
			`<main><!--$?--><template id="B:0"></template><i>a</i><!--$--><i>b</i><!--/$--><!--/$--></main><div hidden id="S:0"><b><!--$?--><template id="B:1"></template>c<!--/$--></b></div><script>$RC("B:0","S:0")</script><div hidden id="S:1">Text</div><script>$RC("B:1", "S:1")</script>`,
			`<main><!--$?--><b><!--$?-->Text<!--/$--></b><!--/$--></main>`,
		},
		"a segment": {
			`<main><template id="P:1"></template></main><div hidden id="S:1"><p>Text</p></div><script>$RS("S:1","P:1")</script>`,
			`<main><p>Text</p></main>`,
		},
		"a boundary that never comes": {
			`<main><!--$?--><template id="B:0"></template><p>Loading</p><!--/$--></main><script>$RC("B:0","S:0");$RX("B:0","")</script>`,
			`<main><!--$?--><template id="B:0"></template><p>Loading</p><!--/$--></main>`,
		},
		"a place in its own content": {
			`<main><div hidden id="S:0"><template id="B:0"></template></div></main><script>$RC("B:0","S:0")</script>`,
			`<main><div hidden="" id="S:0"><template id="B:0"></template></div></main>`,
		},
	} {
		doc, err := Document(walk.New(context.Background()), []byte(c.page), new(nodes.Room))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := html.Render(&b, doc); err != nil {
			t.Fatal(err)
		}
		if _, got, _ := strings.Cut(b.String(), "<body>"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
		}
	}
}
