package actions

import "encoding/json"

// Output is what the actions of one scrape gave, each list in the order of execution.
type Output struct {
	Screenshots       []string           `json:"screenshots,omitempty"`
	Scrapes           []ScrapeResult     `json:"scrapes,omitempty"`
	JavaScriptReturns []JavaScriptReturn `json:"javascriptReturns,omitempty"`
	PDFs              []string           `json:"pdfs,omitempty"`
}

// ScrapeResult is the page as a scrape action found it.
type ScrapeResult struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
}

// JavaScriptReturn is the value of one executeJavascript action.
type JavaScriptReturn struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}
