package tracking

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
)

func TestParse_jsonIsThatOfTheService(t *testing.T) {
	parsed, err := Parse(diffOf("a\n\nb", "a\n\nc"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(parsed, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
 "files": [
  {
   "from": "previous.md",
   "to": "current.md",
   "chunks": [
    {
     "content": "@@ -1,3 +1,3 @@",
     "changes": [
      {
       "type": "normal",
       "normal": true,
       "ln1": 1,
       "ln2": 1,
       "content": " a"
      },
      {
       "type": "normal",
       "normal": true,
       "ln1": 2,
       "ln2": 2,
       "content": " "
      },
      {
       "type": "del",
       "del": true,
       "ln": 3,
       "content": "-b"
      },
      {
       "type": "add",
       "add": true,
       "ln": 3,
       "content": "+c"
      }
     ],
     "oldStart": 1,
     "oldLines": 3,
     "newStart": 1,
     "newLines": 3
    }
   ],
   "additions": 1,
   "deletions": 1
  }
 ]
}`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestParse_withoutADiffListsNoFiles(t *testing.T) {
	for _, text := range []string{"", "\n", "only text\n", "diff --git a/x.png b/x.png\nindex 1..2\nBinary files a/x.png and b/x.png differ\n"} {
		parsed, err := Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got, _ := json.Marshal(parsed); string(got) != `{"files":[]}` {
			t.Errorf("%q: got %s", text, got)
		}
	}
}

func TestParse_readsOtherToolsDiffs(t *testing.T) {
	const text = `diff --git a/one.md b/one.md
index 83db48f..bf2a8c1 100644
--- a/one.md
+++ b/one.md
@@ -2 +2 @@ # Title
--- a rule
+++ another
\ No newline at end of file
--- old two.md	2026-01-02 03:04:05.0 +0000
+++ /dev/null
@@ -4,2 +0,0 @@
-x

@@ -9,2 +7,1 @@

-y
`
	parsed, err := Parse(text)
	var bad *SyntaxError
	if !errors.As(err, &bad) || bad.Line != 13 {
		t.Fatalf("got %+v, %v; want an error in line 13, which is no removal", parsed, err)
	}
	parsed, err = Parse(text[:len(text)-len("-x\n\n@@ -9,2 +7,1 @@\n\n-y\n")] + "-x\n-z\n@@ -9,2 +7,1 @@\n\n-y\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []File{
		{From: "one.md", To: "one.md", Additions: 1, Deletions: 1, Chunks: []Chunk{{
			Content: "@@ -2 +2 @@ # Title", OldStart: 2, OldLines: 1, NewStart: 2, NewLines: 1,
			Changes: []Change{
				{Type: "del", Del: true, Ln: 2, Content: "--- a rule"},
				{Type: "add", Add: true, Ln: 2, Content: "+++ another"},
				{Type: "add", Add: true, Ln: 2, Content: `\ No newline at end of file`},
			},
		}}},
		{From: "old two.md", To: "/dev/null", Deletions: 3, Chunks: []Chunk{
			{Content: "@@ -4,2 +0,0 @@", OldStart: 4, OldLines: 2, Changes: []Change{
				{Type: "del", Del: true, Ln: 4, Content: "-x"},
				{Type: "del", Del: true, Ln: 5, Content: "-z"},
			}},
			{Content: "@@ -9,2 +7,1 @@", OldStart: 9, OldLines: 2, NewStart: 7, NewLines: 1, Changes: []Change{
				{Type: "normal", Normal: true, Ln1: 9, Ln2: 7, Content: " "},
				{Type: "del", Del: true, Ln: 10, Content: "-y"},
			}},
		}},
	}
	if !reflect.DeepEqual(parsed.Files, want) {
		t.Errorf("got\n%+v\nwant\n%+v", parsed.Files, want)
	}
}

func TestParse_refusesWhatIsNoDiff(t *testing.T) {
	const head = "--- a\n+++ b\n"
	for _, row := range []struct {
		name, text string
		line       int
	}{
		{"no +++ line", "--- a\n", 2},
		{"something else than the +++ line", "--- a\n@@ -1 +1 @@\n", 2},
		{"a +++ line alone", "+++ b\n", 1},
		{"a chunk before a file", "@@ -1 +1 @@\n", 1},
		{"no end of the ranges", head + "@@ -1 +1\n", 3},
		{"one range", head + "@@ -1 @@\n", 3},
		{"no minus", head + "@@ 1 +1 @@\n", 3},
		{"no number", head + "@@ -x +1 @@\n", 3},
		{"a negative number", head + "@@ -1,-1 +1 @@\n", 3},
		{"an empty number", head + "@@ -1, +1 @@\n", 3},
		{"a signed number", head + "@@ -+1 +1 @@\n", 3},
		{"a number too large", head + "@@ -1 +1,1073741824 @@\n", 3},
		{"a far too large number", head + "@@ -1 +1,99999999999999999999 @@\n", 3},
		{"lines at 0", head + "@@ -0,1 +1 @@\n", 3},
		{"too few lines", head + "@@ -1,2 +1,2 @@\n a\n", 5},
		{"no lines", head + "@@ -1,2 +1,2 @@", 4},
		{"too many additions", head + "@@ -1,1 +1,1 @@\n+a\n+b\n", 5},
		{"too many deletions", head + "@@ -1,1 +1,1 @@\n-a\n-b\n", 5},
		{"an unchanged line too many", head + "@@ -1,2 +1,1 @@\n a\n b\n", 5},
		{"an unknown mark", head + "@@ -1 +1 @@\n*a\n", 4},
		{"a remark without a line", head + "@@ -1 +1 @@\n\\ No newline at end of file\n", 4},
		{"a remark before all", "\\ No newline at end of file\n", 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			parsed, err := Parse(row.text)
			var bad *SyntaxError
			if !errors.As(err, &bad) || parsed != nil || bad.Line != row.line || bad.Problem == "" {
				t.Errorf("got %v, %v; want an error in line %d", parsed, err, row.line)
			}
		})
	}
}
