package formats

import "encoding/json"

// Type is the name of a format, spelled as on the wire.
type Type string

// The formats. Markdown, HTML, RawHTML, RawBase64, Links, Images, Attributes, Product, Menu, Audio and Video are made by Render;
// the others need a browser, a model or stored pages and are only described here. Package formats/passages makes Passages of the markdown.
const (
	Markdown          Type = "markdown"
	HTML              Type = "html"
	RawHTML           Type = "rawHtml"
	RawBase64         Type = "rawBase64"
	Links             Type = "links"
	Images            Type = "images"
	Summary           Type = "summary"
	JSON              Type = "json"
	DeterministicJSON Type = "deterministicJson"
	ChangeTracking    Type = "changeTracking"
	Screenshot        Type = "screenshot"
	Attributes        Type = "attributes"
	Branding          Type = "branding"
	Product           Type = "product"
	Menu              Type = "menu"
	Question          Type = "question"
	Highlights        Type = "highlights"
	Query             Type = "query"
	Audio             Type = "audio"
	Video             Type = "video"
	Passages          Type = "passages"
)

// Format is one requested format with its options. Options that do not belong to its Type must be zero.
// In JSON it is the name alone or an object with "type" and the options.
type Format struct {
	Type Type

	// FullPage, Quality and Viewport are options of screenshot.
	FullPage bool
	Quality  int       // 1 to 100; 0: the default, a lossless picture
	Viewport *Viewport // nil: the page's own

	// Selectors is an option of attributes, which needs at least one.
	Selectors []Selector

	// Schema and Prompt are options of json, deterministicJson and changeTracking.
	Schema json.RawMessage // a JSON Schema object; nil: none
	Prompt string          // also of query; at most MaxPrompt characters

	// CheckPromptInjection and Evidence are options of json.
	CheckPromptInjection bool // a page that seems to instruct models is refused
	Evidence             bool // each value with the quote it came from; a value without one is null

	// Modes and Tag are options of changeTracking.
	Modes []string // "git-diff", "json"
	Tag   *string  // separates histories of one URL; nil: the default one

	// Question, Query and Mode are options of question (Question), highlights (Query) and query (Prompt and Mode).
	Question string // 1 to MaxPrompt characters
	Query    string // 1 to MaxPrompt characters
	Mode     string // "freeform", also when empty, or "directQuote"

	// MaxTokens is an option of passages, of each: passages.MinTokens to passages.MaxTokens; 0: passages.DefaultTokens.
	MaxTokens int
}

// Viewport is a window size in CSS pixels: width 1 to 7680, height 1 to 4320.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// Selector requests the values of one attribute of all elements that match a CSS selector.
// An invalid CSS selector is no error: it has no values.
type Selector struct {
	Selector  string `json:"selector"`
	Attribute string `json:"attribute"`
}

// MaxPrompt is the maximum number of characters of a prompt, question or query.
const MaxPrompt = 10_000

// optionNames lists the options of each format by their JSON names. It also is the list of formats.
var optionNames = map[Type][]string{
	Markdown: {}, HTML: {}, RawHTML: {}, RawBase64: {}, Links: {}, Images: {}, Summary: {},
	JSON:              {"schema", "prompt", "checkPromptInjection", "evidence"},
	DeterministicJSON: {"schema", "prompt"},
	ChangeTracking:    {"modes", "schema", "prompt", "tag"},
	Screenshot:        {"fullPage", "quality", "viewport"},
	Attributes:        {"selectors"},
	Branding:          {}, Product: {}, Menu: {},
	Question:   {"question"},
	Highlights: {"query"},
	Query:      {"prompt", "mode"},
	Audio:      {}, Video: {},
	Passages: {"maxTokens"},
}
