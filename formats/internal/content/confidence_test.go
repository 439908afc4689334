package content

import (
	"strings"
	"testing"
)

func TestFind_confidence(t *testing.T) {
	found := func(in string) Found {
		tr := tree(t, in)
		return tr.Find(tr.NewMask())
	}
	article := found("<nav><a href=/>Home</a> <a href=/b>Bees</a></nav><h1>Bees</h1>" + strings.Repeat(prose, 6))
	scraps := found("<nav><a href=/>Home</a> <a href=/b>Bees</a></nav><div>Bees</div><footer>" + strings.Repeat(prose, 6) + "</footer><div>Hives</div>")
	if article.Confidence <= scraps.Confidence || article.Confidence > 1 || scraps.Confidence < 0 {
		t.Errorf("an article has confidence %.2f, two words beside a long footer %.2f: want the first to be higher, both of 0 to 1", article.Confidence, scraps.Confidence)
	}
	for _, in := range []string{"", "<img src=/a>", "<script>one two</script>"} {
		if got := found(in).Confidence; got != 0 {
			t.Errorf("%q: got confidence %v, want 0: there are no words", in, got)
		}
	}
}
