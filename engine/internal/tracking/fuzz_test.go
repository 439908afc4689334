package tracking

import (
	"encoding/json"
	"testing"
)

func FuzzSame(f *testing.F) {
	f.Add("# A\n\nb  c\n\n* d\n  1. e\n", "A\n===\nb\nc\n\n- d\n  * e")
	f.Add("> ```go\n> a\n\n- ~~~\n  b\n  ~~~\n- ***", "| a |\n|--:|\n\\\n``https://a.example/?utm_a=[(&b` )")
	f.Add("[iframe](x)- a\n2. b\n---\n\t- c\u200b\xff", "(https://a.example/?utm_source=x&amp;b=(1)#c)")
	f.Fuzz(func(t *testing.T, a, b string) {
		from, to := normal(a), normal(b)
		if normal(from) != from {
			t.Fatalf("%q normalised:\n%q\nand again:\n%q", a, from, normal(from))
		}
		if len(from) > 400*len(a)+400 {
			t.Fatalf("%d bytes grew to %d", len(a), len(from))
		}
		if !Same(a, a) || !Same(a, from) || Same(a, b) != Same(b, a) || Same(a, b) != (from == to) {
			t.Fatalf("Same contradicts itself on %q and %q", a, b)
		}
		unified := diffOf(a, b)
		if (unified == "") != Same(a, b) {
			t.Fatalf("same: %v, but the diff is %q", Same(a, b), unified)
		}
		if unified != "" {
			rejoin(t, a, b, unified)
			rejoin(t, a, b, whole(from, to).unified())
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(diffOf("a\n\nb", "a\n\nc\n\nd"))
	f.Add("diff --git a/x b/y\n--- a/x\t1\n+++ b/y\n@@ -1 +1,0 @@ f\n-a\n\\ No newline at end of file\n@@ -0,0 +1 @@\n+b")
	f.Fuzz(func(t *testing.T, unified string) {
		parsed, err := Parse(unified)
		if err != nil {
			return
		}
		for _, file := range parsed.Files {
			additions, deletions := 0, 0
			for _, chunk := range file.Chunks {
				old, new := checkChunk(t, chunk)
				additions, deletions = additions+new, deletions+old
			}
			if file.Additions != additions || file.Deletions != deletions || file.Chunks == nil {
				t.Fatalf("%d additions and %d deletions counted in %+v", additions, deletions, file)
			}
		}
		if _, err := json.Marshal(parsed); err != nil {
			t.Fatal(err)
		}
	})
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkChunk fails unless a chunk has what its head says; it counts the deletions
// and additions. A remark repeats the line before it.
func checkChunk(t *testing.T, c Chunk) (deletions, additions int) {
	t.Helper()
	normal := 0
	for _, change := range c.Changes {
		if change.Type == "" || count(change.Normal)+count(change.Add)+count(change.Del) != 1 {
			t.Fatalf("a change of no one type: %+v", change)
		}
		if change.Content[0] == '\\' {
			continue
		}
		normal, additions, deletions = normal+count(change.Normal), additions+count(change.Add), deletions+count(change.Del)
	}
	if normal+deletions != c.OldLines || normal+additions != c.NewLines || c.Changes == nil {
		t.Fatalf("%d unchanged, %d deleted, %d added in %+v", normal, deletions, additions, c)
	}
	return deletions, additions
}
