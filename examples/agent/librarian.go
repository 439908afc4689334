package main

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// onLoan finds the status of a book in the carried catalog.
var onLoan = regexp.MustCompile(`atlas of tides: On loan until ([\w ]+)\.`)

// answer is the scripted model: it finds its way on the built-in site and nowhere else. It chooses by the text of the conversation, as a
// real model does; a real one reads any page.
func answer(r llmtest.Request) llmtest.Reply {
	switch {
	case offers(r, "click"):
		return onPage(r)
	case offers(r, "scrape"):
		return inWeb(r)
	case strings.Contains(r.System(), "JSON result"):
		return llmtest.Reply{Text: result(r)}
	}
	return llmtest.Reply{Text: "1. Find the catalogue of the library.\n2. Look the atlas up there.\n3. Report whether it is on loan, and until when."}
}

func offers(r llmtest.Request, tool string) bool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

// inWeb chooses among the tools that work on the web.
func inWeb(r llmtest.Request) llmtest.Reply {
	home := "https://" + siteHost
	switch text := r.Last(); {
	case onLoan.MatchString(text):
		return call("The catalogue shows the status.", "done", map[string]any{"answer": onLoan.FindString(text)})
	case strings.Contains(text, "Nothing looked up yet"):
		return call("The status shows only when a title is looked up.", "interact",
			map[string]any{"url": home + "/catalogue", "goal": `Look up "Atlas of tides" and report its status.`})
	case strings.Contains(text, "/catalogue"):
		return call("The catalogue knows which books are on loan.", "scrape", map[string]any{"url": home + "/catalogue"})
	}
	return call("I need to know what pages there are.", "map", map[string]any{"url": home + "/", "about": "catalogue of books"})
}

// onPage chooses among the tools that work on one page.
func onPage(r llmtest.Request) llmtest.Reply {
	text := r.Last()
	if found := onLoan.FindString(text); found != "" {
		return call("The page shows the status.", "done", map[string]any{"output": found})
	}
	field := regexp.MustCompile(`textbox "Title" \[(e\d+)\]`).FindStringSubmatch(text)
	button := regexp.MustCompile(`button "Look up" \[(e\d+)\]`).FindStringSubmatch(text)
	switch {
	case field == nil || button == nil:
		return call("There is no form.", "done", map[string]any{"output": "no form", "success": false})
	case strings.Contains(text, `value="Atlas of tides"`):
		return call("The title is typed.", "click", map[string]any{"ref": button[1]})
	}
	return call("The form wants a title.", "type", map[string]any{"ref": field[1], "text": "Atlas of tides"})
}

// result puts the findings into the requested form.
func result(r llmtest.Request) string {
	found := onLoan.FindStringSubmatch(r.Text())
	if found == nil {
		return `{"title":"Atlas of tides","onLoan":false,"until":null}`
	}
	return `{"title":"Atlas of tides","onLoan":true,"until":"` + found[1] + `"}`
}

func call(why, tool string, arguments map[string]any) llmtest.Reply {
	data, err := json.Marshal(arguments)
	if err != nil {
		panic(err) // they are texts
	}
	return llmtest.Reply{Text: why, Calls: []llm.Call{{Name: tool, Arguments: data}}}
}
