package actions

// Type names what an [Action] does.
type Type string

// The action types of the service.
const (
	Wait              Type = "wait"
	Click             Type = "click"
	Screenshot        Type = "screenshot"
	Write             Type = "write"
	Press             Type = "press"
	Scroll            Type = "scroll"
	Scrape            Type = "scrape"
	ExecuteJavaScript Type = "executeJavascript"
	PDF               Type = "pdf"
)

// Action is one step on a live page. Which fields count depends on Type; the
// others stay zero.
type Action struct {
	Type Type `json:"type"`
	// Milliseconds is how long a wait lasts; a wait has either this or Selector.
	Milliseconds int `json:"milliseconds,omitempty"`
	// Selector is the CSS selector of a wait, click or scroll.
	Selector string `json:"selector,omitempty"`
	// All clicks every match instead of the first, and accepts that there is none.
	All bool `json:"all,omitempty"`
	// Text is typed into the focused element by write.
	Text string `json:"text,omitempty"`
	// Key is pressed by press, in the browser library's key names ("Enter", "Control+A").
	Key string `json:"key,omitempty"`
	// Direction of a scroll: "up" or "down". Defaults to "down".
	Direction string `json:"direction,omitempty"`
	// Script is the JavaScript that executeJavascript runs in the page.
	Script string `json:"script,omitempty"`
	// FullPage makes a screenshot of the whole page, not of the viewport.
	FullPage bool `json:"fullPage,omitempty"`
	// Quality of a JPEG screenshot, 1–100. Zero gives PNG.
	Quality int `json:"quality,omitempty"`
	// Viewport of a screenshot. Nil keeps the page's.
	Viewport *Viewport `json:"viewport,omitempty"`
	// Format is the paper of a pdf: A0–A6, Letter, Legal, Tabloid, Ledger. Defaults to Letter.
	Format string `json:"format,omitempty"`
	// Landscape turns the paper of a pdf.
	Landscape bool `json:"landscape,omitempty"`
	// Scale of a pdf. Zero is 1.
	Scale float64 `json:"scale,omitempty"`
}

// Viewport is a window size in CSS pixels.
type Viewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}
