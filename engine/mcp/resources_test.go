package mcp

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// resource reads a resource.
func (c *client) resource(uri string) (string, error) {
	c.t.Helper()
	r, err := c.session.ReadResource(c.t.Context(), &sdk.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	return r.Contents[0].Text, nil
}

func TestResources_documentsAndJobs(t *testing.T) {
	e := newEngine(t, map[string]http.Handler{"docs.example": docs(3), "mill.example": html(book(50))})
	c := connect(t, e, Options{})
	id := after(c.call("read", `{"url":"https://mill.example/"}`), "document ", " ")
	job := after(c.call("crawl", `{"url":"https://docs.example/","options":{"sitemap":"skip"}}`), "job ", " ")
	c.call("monitor", `{"do":"create","urls":["https://mill.example/"],"schedule":"every 90 minutes"}`)
	for uri, want := range map[string]string{
		"winnow://document/" + id:                           "# The book",
		"winnow://document/" + id + "?from=3000&tokens=100": "(under: The book",
		"winnow://document/" + id + "?query=chapter+30":     "In chapter 30,",
		"winnow://document/" + job + "/2":                   "# Page",
		"winnow://job/" + job:                               "completed, 4 of 4 pages",
		"winnow://jobs":                                     job + " crawl completed, 4 of 4 pages",
		"winnow://monitors":                                 "1 monitors.",
		"winnow://sessions":                                 "0 sessions are active.",
		"winnow://activity":                                 `"endpoint":"scrape"`,
		"winnow://usage":                                    "credits",
	} {
		if text, err := c.resource(uri); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: got %s, %v; want %q", uri, text, err, want)
		}
	}
	for _, uri := range []string{"winnow://document/" + id + "x", "winnow://job/x", "winnow://options/none", "winnow://nothing"} {
		if text, err := c.resource(uri); err == nil {
			t.Errorf("%s: %s", uri, text)
		}
	}
	for _, query := range []string{"?tokens=5", "?page=2", "?from=1&query=x", "?from=x"} {
		if text, err := c.resource("winnow://document/" + id + query); err == nil {
			t.Errorf("%s: %s", query, text)
		}
	}
	other := connect(t, e, Options{Owner: "bea"})
	if text, err := other.resource("winnow://document/" + id); err == nil {
		t.Errorf("another's: %s", text)
	}
	if text, err := other.resource("winnow://jobs"); err != nil || !strings.Contains(text, "0 jobs.") {
		t.Errorf("another's: %s, %v", text, err)
	}
}

// The options of each tool are described, by the readers that decode them.
func TestResources_optionsOfTools(t *testing.T) {
	c := connect(t, newEngine(t, nil), Options{})
	for _, row := range table() {
		text, err := c.resource("winnow://options/" + row.name)
		var schemas map[string]struct {
			Properties map[string]any
		}
		if err != nil || json.Unmarshal([]byte(text), &schemas) != nil || len(schemas[row.name].Properties) == 0 {
			t.Errorf("%s: %.200s, %v", row.name, text, err)
		}
		for name := range schemas[row.name].Properties {
			if r := c.try(row.name, `{"options":{`+quote(name)+`:{"\u0000":1}}}`); strings.Contains(textIn(r), "options."+name+": unrecognized") {
				t.Errorf("%s: %s isn't decoded: %s", row.name, name, textIn(r))
			}
		}
	}
}
