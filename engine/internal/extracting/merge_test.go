package extracting

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestMerge_putsPiecesTogetherWithTheirSources(t *testing.T) {
	f := Findings{
		Selection: Selection{Pages: make([]Chosen, 3), Warnings: []string{"a site gave no pages"}},
		Pieces: []Piece{
			{URL: "u0", JSON: json.RawMessage(`{"items":[{"name":"a"}]}`), Evidence: map[string]string{"/items/0/name": "it is a"}},
			{URL: "u1", Warnings: []string{"u1 answered with status 404."}},
			{URL: "u2", JSON: json.RawMessage(`{"items":[{"name":"b"}]}`)},
		},
		Sources: true,
		Missed:  Missed{Timeout: time.Minute, Tokens: true, Failed: 2},
	}
	got, err := Merge(f)
	if err != nil || string(got.Data) != `{"items":[{"name":"a"},{"name":"b"}]}` {
		t.Fatalf("got %s, %v", got.Data, err)
	}
	if s := fmt.Sprint(got.Sources); s != "map[/items/0/name:[{u0 it is a}] /items/1/name:[{u2 }]]" {
		t.Errorf("sources: got %s", s)
	}
	for _, want := range []string{"a site gave no pages.", "the time of 1m0s ran out", "the allowed tokens are used up", "2 pages could not be read", "u1 answered with status 404."} {
		if !strings.Contains(got.Warning, want) {
			t.Errorf("got the warning %q, want %q in it", got.Warning, want)
		}
	}
}

func TestMerge_nothingIsNullAndWarningsAreBounded(t *testing.T) {
	got, err := Merge(Findings{})
	if err != nil || string(got.Data) != "null" || got.Warning != "no pages were found. nothing was extracted." || got.Sources != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	f := Findings{Selection: Selection{Pages: make([]Chosen, 20)}}
	for i := range 20 {
		f.Pieces = append(f.Pieces, Piece{URL: "u", JSON: json.RawMessage("null"), Warnings: []string{fmt.Sprintf("w%d", i)}})
	}
	got, err = Merge(f)
	if err != nil || !strings.HasSuffix(got.Warning, "w8. and 11 more.") {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestFitted_nullsGoWhereTheSchemaTakesTheDataOnlySo(t *testing.T) {
	schema := compiled(t, `{"type":"object","properties":{"n":{"type":"number"},"l":{"type":"array","items":{"type":"string"}},"o":{"type":["string","null"]}}}`)
	for _, c := range []struct {
		in, want string
		evidence bool
	}{
		{``, `null`, false},
		{`{"o":null,"n":10000000000000001}`, `{"o":null,"n":10000000000000001}`, false},
		{`{"n":null,"l":["a",null],"o":null}`, `{"l":["a"]}`, false},
		{`{"n":null}`, `{"n":null}`, true},
		{`{"n":"x","o":null}`, `{"n":"x","o":null}`, false}, // it doesn't help
	} {
		if got := fitted(json.RawMessage(c.in), schema, c.evidence); string(got) != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
	if got := fitted(json.RawMessage(`{"n":null}`), nil, false); string(got) != `{"n":null}` {
		t.Errorf("without a schema: got %s", got)
	}
}
