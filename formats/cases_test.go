package formats

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The pages in testdata/cases were written for winnow. In each of them a reader finds the content at once; what must and must not be
// in the Markdown is here.
var contentCases = []struct {
	id        string
	must, not []string
}{
	{id: "qa", must: []string{"How to substitute?", "There seem to be lots of questions", "Step 0", "Point 0", "Item 0", "Item 11"}},
	{id: "posts", must: []string{"I have just installed the new version", "line 39 of the log", "something with the device inte", "Thank you, that was it"}},
	{id: "xenforo", must: []string{"House ale mk 2", "India pale lager", "What is brewing today"}},
	{id: "xf8", must: []string{"House ale mk 2", "Recipe app", "A little confused with gravity", "Yeast starter", "Dry hopping"}},
	{id: "grid", must: numbered("Running shirt number %d", 12)},
	{id: "grid", must: []string{"$20.00", "$31.00", "The best running tops", "Can I bring it back?"}},
	{id: "toggle", must: []string{"With a history of three back surgeries", "My husband had been a member", "Thank you for reading"}},
	{id: "adbox", must: []string{"The library asks for readers", "The food bank needs drivers", "All of them have an address"}},
	{id: "svg", must: []string{"A text with a picture"}, not: []string{"data:", "%3Csvg"}},
	{id: "tos", must: []string{"Soft wool and a light sole", "$110"}, not: []string{"terms of use", "arbitration"}},
	{id: "json", must: []string{"Think you need", "The best gear"}, not: []string{"layoutMobile", "buttonAlign"}},
}

func numbered(format string, n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(format, i))
	}
	return list
}

func TestMainContent_cases(t *testing.T) {
	pages := casePages(t)
	for _, c := range contentCases {
		t.Run(c.id, func(t *testing.T) {
			page, known := pages[c.id]
			if !known {
				t.Fatal("there is no such page")
			}
			holds(t, mainMarkdown(t, page), c.must, c.not)
		})
	}
}

func holds(t *testing.T, markdown string, must, not []string) {
	t.Helper()
	for _, s := range must {
		if !strings.Contains(markdown, s) {
			t.Errorf("%q is missing:\n%s", s, markdown)
		}
	}
	for _, s := range not {
		if strings.Contains(markdown, s) {
			t.Errorf("%q is there:\n%s", s, markdown)
		}
	}
}

// casePages are the pages of testdata/cases by their id.
func casePages(t *testing.T) map[string]string {
	pages := make(map[string]string)
	for _, name := range []string{"grid", "hid", "posts", "qa", "toggle", "xf", "xf8"} {
		f, err := os.Open("testdata/cases/" + name + ".ndjson")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var p struct{ ID, HTML string }
			if len(lines.Bytes()) == 0 {
				continue
			}
			if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			pages[p.ID] = p.HTML
		}
		if lines.Err() != nil {
			t.Fatal(lines.Err())
		}
	}
	return pages
}

// Short lines around the paragraphs of an article are what people come for: none of them is left out for being short.
func TestMainContent_keepsShortLines(t *testing.T) {
	paragraph := "<p>" + strings.Repeat("The quick brown fox jumps over the lazy dog, and it does so again and again because it likes to. ", 6) + "</p>"
	for name, line := range map[string]string{
		"version":  "<p>Version 3.2</p>",
		"price":    "<p>From $300</p>",
		"sku":      "<p>SKU-12345</p>",
		"status":   "<p>Status: operational</p>",
		"word":     "<p>Deprecated</p>",
		"isbn":     "<p>ISBN 978-3-16-148410-0</p>",
		"phone":    "<p>+1 555 123 4567</p>",
		"author":   "<p>By Jane Doe</p>",
		"date":     "<p>May 3, 2024</p>",
		"address":  "<p>12 Main Street, Springfield</p>",
		"npm":      "<p>npm install foo-bar</p>",
		"code":     "<p><code>npm i foo</code></p>",
		"list":     "<ul><li>One</li><li>Two</li></ul>",
		"pair":     "<p>Version 3.2</p><p>Requires Go 1.22</p>",
		"under-h2": "<h2>Install</h2><p>Version 3.2</p>",
		"lead":     "<p>Everything you need to know about the new release and how to upgrade</p>",
		"download": "<p><a href=/dl>Download 3.2</a></p>",
		"strong":   "<p><strong>Price: $300</strong></p>",
	} {
		text := mainMarkdown(t, "<main>"+line+"</main>")
		for place, page := range map[string]string{
			"after-title": "<h1>Heading of page</h1>" + line + strings.Repeat(paragraph, 3),
			"end":         "<h1>Heading of page</h1>" + strings.Repeat(paragraph, 3) + line,
		} {
			for around, format := range map[string]string{"": "%s", "-article": "<article>%s</article>", "-div": "<div class=x>%s</div>"} {
				t.Run(name+"-"+place+around, func(t *testing.T) {
					got := mainMarkdown(t, `<nav><a href="/">Home</a></nav><main>`+fmt.Sprintf(format, page)+"</main><footer>foot</footer>")
					for want := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
						if !strings.Contains(got, want) {
							t.Errorf("%q is missing:\n%s", want, got)
						}
					}
				})
			}
		}
	}
}

// What varies from page to page of one template must not decide whether a line is left out: two versions of a page would differ by it.
func TestMainContent_bylineOfAnyLength(t *testing.T) {
	kept := make(map[bool]int)
	for words := 1; words <= 60; words++ {
		byline := strings.Repeat("Jane ", words)
		got := mainMarkdown(t, "<article><h1>Volunteers in town</h1><p class=byline>By "+byline+"</p>"+
			strings.Repeat("<p>The library asks for readers who come to its rooms on Saturdays, and read to children for an hour.</p>", 6)+"</article>")
		kept[strings.Contains(got, "Jane")]++
	}
	if len(kept) != 1 {
		t.Errorf("of 60 bylines %d were kept and %d left out", kept[true], kept[false])
	}
}

// A page whose purpose is a list of links keeps them.
func TestMainContent_listOfLinks(t *testing.T) {
	for name, page := range map[string]string{
		"directory": `<h1>Index of /</h1><ul><li><a href="report.pdf">report.pdf</a></li><li><a href="table.xlsx">table.xlsx</a></li><li><a href="notes.docx">notes.docx</a></li></ul>`,
		"bare":      `<ul><li><a href="/report.pdf">report.pdf</a></li><li><a href="/table.xlsx">table.xlsx</a></li><li><a href="/slides.pptx">slides.pptx</a></li></ul>`,
		"awesome":   `<nav><a href=/>Home</a> <a href=/about>About</a></nav><main><h1>Tools</h1><p>Links we like.</p><ul><li><a href=/a>report.pdf</a></li><li><a href=/b>table.xlsx</a></li><li><a href=/c>Goldmark</a></li><li><a href=/d>Cascadia</a></li></ul></main>`,
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, mainMarkdown(t, page), []string{"report.pdf", "table.xlsx"}, nil)
		})
	}
}
