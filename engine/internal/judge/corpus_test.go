package judge

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/winnow-go/winnow/engine/internal/judge/judgetest"
)

// Of real pages that were fetched without a browser and whose text is known, nearly all are static: that text is in them. None of
// their scripts can be fetched here, so what can't be read must not make a page dynamic by itself.
func TestJudge_realPagesAreStatic(t *testing.T) {
	root := os.Getenv("WINNOW_CORPUS")
	if root == "" {
		t.Skip("WINNOW_CORPUS is not set: it names the folder with the larger corpus, which is not part of this repository")
	}
	none := func(context.Context, string, int64) ([]byte, error) { return nil, errors.New("none") }
	l, found, all := library(), map[Choice]int{}, 0
	for page, err := range judgetest.Samples(root) {
		if err != nil {
			t.Fatal(err)
		}
		e, from := evidence(t, l, page.URL, 200, string(page.HTML))
		v := decided(t, l, from, &e, none)
		if found[v.Choice]++; v.Choice != Static {
			t.Logf("%s: %s", page.Name, v)
		}
		all++
	}
	t.Logf("of %d: %v", all, found)
	if found[Static] < all*97/100 {
		t.Errorf("%d of %d are static", found[Static], all)
	}
}
