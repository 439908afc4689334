package filter

import "strings"

// typeOptions maps options that name types of requests. Types that a page of
// today doesn't have are known and stand for none.
var typeOptions = map[string]typeMask{
	"document": 1 << Document, "doc": 1 << Document,
	"subdocument": 1 << Subdocument, "frame": 1 << Subdocument,
	"script": 1 << Script,
	"image":  1 << Image, "background": 1 << Image,
	"stylesheet": 1 << Stylesheet, "css": 1 << Stylesheet,
	"font":           1 << Font,
	"media":          1 << Media,
	"xmlhttprequest": 1 << XHR, "xhr": 1 << XHR,
	"websocket": 1 << WebSocket,
	"ping":      1 << Ping, "beacon": 1 << Ping,
	"popup": 1 << Popup,
	"other": 1 << Other,
	"all":   everyType,

	"object": 0, "object-subrequest": 0, "webrtc": 0,
}

// pageOptions are for exceptions only and concern whole pages.
var pageOptions = map[string]typeMask{
	"elemhide": pageHiding, "ehide": pageHiding,
	"generichide": pageGeneric, "ghide": pageGeneric,
	"specifichide": pageSpecific, "shide": pageSpecific,
}

// unsupportedOptions are known from the dialects of the syntax. A rule with one
// would do something else without it, so the whole rule is skipped.
var unsupportedOptions = map[string]bool{
	"csp": true, "redirect": true, "redirect-rule": true, "rewrite": true, "removeparam": true, "queryprune": true,
	"replace": true, "header": true, "permissions": true, "cookie": true, "denyallow": true, "badfilter": true,
	"sitekey": true, "method": true, "to": true, "inline-script": true, "inline-font": true, "genericblock": true,
	"popunder": true, "cname": true, "empty": true, "mp4": true, "strict1p": true, "strict3p": true, "app": true,
	"network": true, "stealth": true, "extension": true, "jsinject": true, "urlblock": true, "content": true,
	"jsonprune": true, "hls": true, "referrerpolicy": true, "uritransform": true, "urltransform": true,
	"urlskip": true, "ipaddress": true, "removeheader": true, "requestheader": true, "responseheader": true,
}

// parseOptions reads what stands behind the $.
func parseOptions(text string, except bool) (options, Reason) {
	var o options
	var with, without typeMask
	if text == "" {
		o.types = defaultTypes
		return o, ""
	}
	for opt := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(opt), "=")
		name, not := strings.CutPrefix(lowerASCII(name), "~")
		if types, ok := typeOptions[name]; ok {
			if not {
				without |= types
			} else {
				with |= types
			}
			o.named(not)
			continue
		}
		if page, ok := pageOptions[name]; ok && except && !not {
			with |= page
			o.named(false)
			continue
		}
		if why := o.set(name, value, not); why != "" {
			return o, why
		}
	}
	return o, o.resolve(with, without)
}

// typesNamed marks, until resolve, that some type was named without "~": then the
// rule is for the named ones only, even if those are none that we know.
const typesNamed typeMask = 1

func (o *options) named(not bool) {
	if !not {
		o.types = typesNamed
	}
}

func (o *options) resolve(with, without typeMask) Reason {
	if o.types == typesNamed {
		o.types = with &^ without
	} else {
		o.types = defaultTypes &^ without
	}
	if o.types == 0 {
		return unsupportedStart + "no supported type"
	}
	return ""
}

// set takes an option that is not a type.
func (o *options) set(name, value string, not bool) (why Reason) {
	switch name {
	case "third-party", "3p":
		o.setParty(thirdParty, not)
	case "first-party", "1p":
		o.setParty(firstParty, not)
	case "domain", "from":
		if not || len(o.domains.entries) > 0 {
			return Malformed
		}
		o.domains, why = parseDomains(value, "|")
	case "match-case":
		o.matchCase = !not
	case "important":
		o.important = !not
	default:
		return otherOption(name)
	}
	return why
}

func (o *options) setParty(p party, not bool) {
	if not {
		p = thirdParty + firstParty - p
	}
	o.party = p
}

// isKnownOption reports whether a name is one of the options, supported or not.
func isKnownOption(name string) bool {
	var o options
	_, isType := typeOptions[lowerASCII(name)]
	return isType || name != "" && o.set(lowerASCII(name), "a", false) != UnknownOption
}

func otherOption(name string) Reason {
	switch {
	case unsupportedOptions[name] || pageOptions[name] != 0:
		return unsupportedStart + Reason(name)
	case strings.Trim(name, "_") == "": // a filler between options
		return ""
	}
	return UnknownOption
}
