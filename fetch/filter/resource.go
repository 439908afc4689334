package filter

import "strings"

// Type is what a request loads. The zero value is [Unknown].
type Type uint8

// The types of requests. Rules that name no type are for all but Document and
// Popup.
const (
	// Unknown is a request whose type is unknown. It is blocked only when it
	// would be as any type of subresource, and let through by an exception for
	// any one of them.
	Unknown Type = iota
	Document
	Subdocument
	Script
	Image
	Stylesheet
	Font
	Media
	XHR
	WebSocket
	Ping
	Popup
	Other
)

// TypeOf returns the Type for a resource type as browsers name it, in any case:
// "xhr", "fetch", "Stylesheet", "texttrack", and so on. An empty or unknown
// name is Unknown. Browsers call a frame's document "document" too; a caller that knows
// that it is one passes Subdocument.
func TypeOf(name string) Type {
	switch strings.ToLower(name) {
	case "document":
		return Document
	case "subdocument", "iframe":
		return Subdocument
	case "script":
		return Script
	case "image", "imageset":
		return Image
	case "stylesheet":
		return Stylesheet
	case "font":
		return Font
	case "media", "texttrack":
		return Media
	case "xhr", "fetch", "eventsource", "xmlhttprequest":
		return XHR
	case "websocket":
		return WebSocket
	case "ping", "beacon", "cspviolationreport", "csp_report":
		return Ping
	case "manifest", "other", "prefetch", "signedexchange", "preflight":
		return Other
	}
	return Unknown
}

// typeMask is a set of types, and of what a page exception switches off.
type typeMask uint16

const (
	pageHiding   typeMask = 1 << (iota + 13) // $elemhide
	pageGeneric                              // $generichide
	pageSpecific                             // $specifichide
)

const (
	everyType    = typeMask(1<<(Other+1) - 1<<Document)
	defaultTypes = everyType &^ (1<<Document | 1<<Popup)
	pageWide     = 1<<Document | pageHiding | pageGeneric | pageSpecific
)

// mask returns the set of types that a request of type t may have.
func (t Type) mask() typeMask {
	if t == Unknown || t > Other {
		return defaultTypes
	}
	return 1 << t
}
