package guard

import "strings"

// Request is one that LeaseOptions.Judge decides about.
type Request struct {
	URL  string // absolute
	Type string // "Script", "Image", "Subdocument" and so on, as the browser's protocol names it; "" where the request doesn't say
}

// destinations are the types by Sec-Fetch-Dest.
var destinations = map[string]string{
	"iframe": "Subdocument", "frame": "Subdocument", "fencedframe": "Subdocument", "embed": "Subdocument", "object": "Subdocument",
	"script": "Script", "worker": "Script", "sharedworker": "Script", "audioworklet": "Script", "paintworklet": "Script", "json": "Script",
	"serviceworker": "Script", "style": "Stylesheet", "image": "Image", "font": "Font", "audio": "Media", "video": "Media", "track": "TextTrack",
	"manifest": "Manifest", "report": "CSPViolationReport", "xslt": "Other", "webidentity": "Other",
}

// unwantedRequest calls the lease owner's Judge for a request, and counts. Documents of the page itself and websockets aren't judged.
func (l *Lease) unwantedRequest(method, address string, header func(name string) string) bool {
	t := l.turn.Load()
	judge := t.opt.Load().Judge
	if judge == nil || method == "" || !isJudged(header) {
		return false
	}
	for _, kind := range kindsOf(method, header) {
		if !judge(Request{URL: address, Type: kind}) {
			return false
		}
	}
	t.blocked.Add(1)
	return true
}

// isJudged excludes websockets, and documents that may be the page's own.
func isJudged(header func(name string) string) bool {
	dest := header("sec-fetch-dest")
	return dest != "document" && header("sec-fetch-mode") != "websocket" && header("upgrade") == "" &&
		(dest != "" || !strings.HasPrefix(header("accept"), "text/html"))
}

// kindsOf are the types that a request may have, as far as its header shows, which is little without TLS.
func kindsOf(method string, header func(name string) string) []string {
	dest := header("sec-fetch-dest")
	switch accept := header("accept"); {
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
