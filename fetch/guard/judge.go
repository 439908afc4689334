package guard

import (
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// Request is one that LeaseOptions.Judge decides about.
type Request struct {
	URL  string // absolute; of a websocket it begins with ws or wss
	Type string // "Script", "Image", "Subdocument" and so on, as the browser's protocol names it; "" where the request doesn't say
	Page string // the host of the document that makes it, in a frame the frame's; "" where the request doesn't say
}

// destinations are the types by Sec-Fetch-Dest.
var destinations = map[string]string{
	"iframe": "Subdocument", "frame": "Subdocument", "fencedframe": "Subdocument", "embed": "Subdocument", "object": "Subdocument",
	"script": "Script", "worker": "Script", "sharedworker": "Script", "audioworklet": "Script", "paintworklet": "Script", "json": "Script",
	"serviceworker": "Script", "style": "Stylesheet", "image": "Image", "font": "Font", "audio": "Media", "video": "Media", "track": "TextTrack",
	"manifest": "Manifest", "report": "CSPViolationReport", "xslt": "Other", "webidentity": "Other",
}

// unwantedRequest calls the lease owner's Judge for a request, and counts. Documents of the page itself aren't judged.
func (l *Lease) unwantedRequest(method, address string, header func(name string) string) bool {
	t := l.turn.Load()
	judge := t.opt.Load().Judge
	if judge == nil || method == "" || !isJudged(header) {
		return false
	}
	page := pageOf(address, header)
	if isSocket(header) {
		address = "ws" + strings.TrimPrefix(address, "http")
	}
	for _, kind := range kindsOf(method, header) {
		if !judge(Request{URL: address, Type: kind, Page: page}) {
			return false
		}
	}
	t.blocked.Add(1)
	return true
}

// isJudged excludes documents that may be the page's own.
func isJudged(header func(name string) string) bool {
	dest := header("sec-fetch-dest")
	return dest != "document" && (dest != "" || !strings.HasPrefix(header("accept"), "text/html"))
}

// isSocket reports whether a request begins a websocket, over HTTP/1.1 or HTTP/2.
func isSocket(header func(name string) string) bool {
	return strings.EqualFold(header("upgrade"), "websocket") || header(":protocol") == "websocket"
}

// pageOf is Request.Page. Styles and workers name themselves as the referer: a request from another site to their own host isn't theirs.
func pageOf(address string, header func(name string) string) string {
	own, from := weburl.Hostname(address), header("sec-fetch-site")
	for _, name := range []string{"origin", "referer"} {
		host := weburl.Hostname(header(name))
		if host != "" && (host != own || from != "cross-site") {
			return host
		}
	}
	if from == "same-origin" {
		return own
	}
	return ""
}

// kindsOf are the types that a request may have, as far as its header shows, which is little without TLS.
func kindsOf(method string, header func(name string) string) []string {
	dest := header("sec-fetch-dest")
	switch accept := header("accept"); {
	case isSocket(header):
		return []string{"WebSocket"}
	case dest == "empty":
		return emptyKinds(method, header)
	case dest != "":
		return []string{destinations[dest]}
	case strings.HasPrefix(accept, "text/css,"):
		return []string{"Stylesheet"}
	case strings.HasPrefix(accept, "image/"):
		return []string{"Image"}
	}
	return []string{""}
}

// emptyKinds are those of what a script requests for itself. A beacon differs from a fetch only in its low priority, which HTTP/2 has.
func emptyKinds(method string, header func(name string) string) []string {
	priority := header("priority")
	switch {
	case header("ping-to") != "":
		return []string{"Ping"}
	case method != "POST":
		return []string{"XHR"}
	case strings.HasPrefix(priority, "u=4"):
		return []string{"Ping"}
	case priority != "":
		return []string{"XHR"}
	}
	return []string{"XHR", "Ping"}
}
