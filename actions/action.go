package actions

import "time"

// Limits of one request. Validate enforces them.
const (
	// MaxActions is how many actions one list may hold.
	MaxActions = 50
	// MaxWait is how long all waits of a list and the request's waitFor may take together.
	MaxWait = 60 * time.Second
	// SelectorWait is what a wait by selector counts of MaxWait. It may last longer: see [Options].
	SelectorWait = time.Second
)

// Type is the kind of an [Action].
type Type string

// The action types of the service.
const (
	Wait              Type = "wait"              // Milliseconds or Selector
	Click             Type = "click"             // Selector, All
	Screenshot        Type = "screenshot"        // FullPage, Quality, Viewport
	Write             Type = "write"             // Text
	Press             Type = "press"             // Key
	Scroll            Type = "scroll"            // Direction, Selector
	Scrape            Type = "scrape"            // no fields
	ExecuteJavaScript Type = "executeJavascript" // Script
	PDF               Type = "pdf"               // Format, Landscape, Scale
)

// Action is one step on a live page. Its Type decides which fields apply; the
// others stay zero, else [Validate] refuses the action. In JSON it has exactly
// the keys of its type.
type Action struct {
	Type Type `json:"type"`
	// Milliseconds is how long a wait lasts, 1 to 60000; a wait has either this or Selector.
	Milliseconds int `json:"milliseconds,omitempty"`
	// Selector is the CSS selector of a wait, click or scroll, in any frame: see [Page] and [FramePath]. A scroll
	// without one moves the window.
	Selector string `json:"selector,omitempty"`
	// All clicks every match instead of the first, and accepts that there is none. A note of the output says how many.
	All bool `json:"all,omitempty"`
	// Text is typed by write into the element that has the focus: a click must have
	// focused it. A line break presses Enter. Up to 200 bytes are typed character by
	// character; of longer text all but the last character of each line comes at once, as from
	// the clipboard, and into a text area all lines do.
	Text string `json:"text,omitempty"`
	// Key is pressed by press: one character of the US keyboard or a key name as
	// browser automation has them ("Enter", "ArrowDown", "F5"), after modifiers
	// that are held meanwhile ("Control+A", "Shift+Tab").
	Key string `json:"key,omitempty"`
	// Direction of a scroll: "up" or "down". Defaults to "down".
	Direction string `json:"direction,omitempty"`
	// Script is the JavaScript that executeJavascript runs in the page; see [ScriptExpression].
	Script string `json:"script,omitempty"`
	// FullPage makes a screenshot of the whole page, not of the viewport.
	FullPage bool `json:"fullPage,omitempty"`
	// Quality of a JPEG screenshot, 1–100. Zero means PNG.
	Quality int `json:"quality,omitempty"`
	// Viewport of a screenshot, for this one picture. Nil keeps the page's.
	Viewport *Viewport `json:"viewport,omitempty"`
	// Format is the paper of a pdf: A0–A6, Letter, Legal, Tabloid, Ledger. Defaults to Letter.
	Format string `json:"format,omitempty"`
	// Landscape turns the paper of a pdf.
	Landscape bool `json:"landscape,omitempty"`
	// Scale of a pdf, 0.1–2. Zero is 1.
	Scale float64 `json:"scale,omitempty"`
}

// Viewport is a window size in CSS pixels: width 1–7680, height 1–4320.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}
