package actions

import "encoding/json"

// Output is what the actions of one scrape returned, each list in the order of
// execution. Leave its key out of an answer when it is Empty.
type Output struct {
	// Screenshots are data URIs, or the strings that Options.Keep returned for the pictures.
	Screenshots       []string           `json:"screenshots,omitempty"`
	Scrapes           []ScrapeResult     `json:"scrapes,omitempty"`
	JavaScriptReturns []JavaScriptReturn `json:"javascriptReturns,omitempty"`
	// PDFs are data URIs, or the strings that Options.Keep returned for the files.
	PDFs []string `json:"pdfs,omitempty"`
	// Downloads are the files that the actions had the browser save.
	Downloads []Download `json:"downloads,omitempty"`
	// Notes say what else is to be known of single actions.
	Notes []Note `json:"notes,omitempty"`
}

// Note is one sentence about an action: how many elements it clicked, in which frame, or why it wasn't needed.
type Note struct {
	Action int    `json:"action"` // its index in the list, from 0
	Text   string `json:"text"`
}

// Download is a file that an action had the browser save.
type Download struct {
	Action int    `json:"action"` // its index in the list, from 0: at the latest this one began it
	Name   string `json:"name"`   // as the site suggests it, which may be anything
	URL    string `json:"url"`    // its address: blob: or data: for what a script has made
	Type   string `json:"type"`   // its media type
	Size   int    `json:"size"`   // in bytes
	SHA256 string `json:"sha256"` // of its content, in hexadecimal
	// Asset is the content: a data URI, or the string that Options.Keep returned for the file. Of an empty file it is a data URI.
	Asset string `json:"asset"`
}

// Empty reports whether no action returned anything. A nil Output is empty.
func (o *Output) Empty() bool {
	return o == nil || len(o.Screenshots)+len(o.Scrapes)+len(o.JavaScriptReturns)+len(o.PDFs)+len(o.Downloads)+len(o.Notes) == 0
}

// ScrapeResult is the page as a scrape action found it.
type ScrapeResult struct {
	URL  string `json:"url"`
	HTML string `json:"html"`
}

// JavaScriptReturn is the value of one executeJavascript action.
type JavaScriptReturn struct {
	// Type is "string", "number", "boolean", "object" (arrays and null too) or
	// "undefined", as JavaScript's typeof of the value that JSON carries; or
	// "unknown" for what JSON can't carry: a function, symbol, bigint, NaN, infinity,
	// a node of the document, the window, an object with a cycle.
	Type string `json:"type"`
	// Value is the JSON of it: null for undefined, and for unknown a string that
	// describes it, or null.
	Value json.RawMessage `json:"value"`
}
