package extracting

import (
	"encoding/json"
	"strconv"
	"testing"

	"github.com/winnow-go/winnow/llm/read"
)

func TestSourcesOf_itemsThatSayOtherwiseAreNone(t *testing.T) {
	parts := []string{
		`{"seller":"L","items":[{"name":"a","month":"May"},{"name":"b","month":"May"}],"7":{"x":1}}`,
		`{"seller":"L","items":[{"name":"a","stock":3}],"tags":["May"]}`,
		`{"seller":"M","items":[{"name":"c","month":"May"}]}`,
	}
	var list []read.Extracted
	var pieces []Piece
	for i, p := range parts {
		list = append(list, read.Extracted{JSON: json.RawMessage(p)})
		pieces = append(pieces, Piece{URL: strconv.Itoa(i)})
	}
	merged := `{"seller":"L","items":[{"name":"a","month":"May","stock":3},{"name":"b","month":"May"},{"name":"c","month":"May"}],"tags":["May"],"note":"new"}`
	got, _ := json.Marshal(sourcesOf(read.Extracted{JSON: json.RawMessage(merged)}, list, pieces))
	want := `{"/items/0/month":[{"url":"0"}],"/items/0/name":[{"url":"0"},{"url":"1"}],"/items/0/stock":[{"url":"1"}],` +
		`"/items/1/month":[{"url":"0"}],"/items/1/name":[{"url":"0"}],"/items/2/month":[{"url":"2"}],"/items/2/name":[{"url":"2"}],` +
		`"/seller":[{"url":"0"},{"url":"1"}],"/tags/0":[{"url":"1"}]}`
	if string(got) != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// Whatever a model said: each source is one of the pages, for a value that is there.
func FuzzSourcesOf(f *testing.F) {
	f.Add(`{"a":[{"b":1},{"b":null}],"c~/":"x"}`, `{"a":[{"b":1}]}`, "\x000\x00quote")
	f.Add(`[[1,2],[3]]`, `5`, "\x009\x00")
	f.Fuzz(func(t *testing.T, a, b, quote string) {
		if !json.Valid([]byte(a)) || !json.Valid([]byte(b)) {
			t.Skip("fuzzed input: no JSON")
		}
		evidence := map[string]string{}
		leaves := map[string]bool{}
		eachLeaf(json.RawMessage(a), func(pointer, _ string) { evidence[pointer], leaves[pointer] = quote, true })
		parts := []read.Extracted{{JSON: json.RawMessage(a)}, {JSON: json.RawMessage(b)}}
		got := sourcesOf(read.Extracted{JSON: json.RawMessage(a), Evidence: evidence}, parts, []Piece{{URL: "a"}, {URL: "b"}})
		for pointer, list := range got {
			if !leaves[pointer] || len(list) == 0 || len(list) > 2 {
				t.Errorf("%s: %+v", pointer, list)
			}
		}
	})
}
