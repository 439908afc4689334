package robots

import (
	"encoding/json"
	"os"
	"testing"
)

type corpusCase struct {
	ID     string `json:"id"`
	Robots string `json:"robots"`
	Agent  string `json:"agent"`
	URL    string `json:"url"`
	Allow  bool   `json:"allow"`
}

func corpus(t testing.TB) []corpusCase {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

// contestable are the cases whose answer is not ours, and why. The answers must really differ.
var contestable = map[string]string{
	"ID_Encoding#3": "the URL has a raw non-ASCII letter: RFC 9309 section 2.2.2 encodes it before comparing, and then the rule matches",
	"ID_Encoding#5": "the same, with an encoded rule",
}

func TestAllowed_corpus(t *testing.T) {
	cases := corpus(t)
	if len(cases) != 172 {
		t.Fatalf("got %d cases, want 172", len(cases))
	}
	for _, c := range cases {
		want := c.Allow
		if _, ok := contestable[c.ID]; ok {
			want = !want
		}
		if got := Parse([]byte(c.Robots)).Allowed(c.Agent, c.URL); got != want {
			t.Errorf("%s: Allowed(%q, %q): got %v, want %v, robots.txt %q", c.ID, c.Agent, c.URL, got, want, c.Robots)
		}
	}
}
