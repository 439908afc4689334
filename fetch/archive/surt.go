package archive

import (
	"net"
	"regexp"
	"slices"
	"strings"
)

var wwwLabel = regexp.MustCompile(`^www\d*\.`)

// Key is the form in which indexes sort addresses: the host's labels in reverse, without "www", a closing parenthesis, and path and
// query, all in lower case, parameters in order. Addresses that differ only in scheme, default port, letter case, the order of parameters
// or the fragment have the same key.
func Key(address string) string {
	scheme, rest, ok := strings.Cut(strings.ToLower(plainURL(address)), "://")
	if !ok {
		return strings.ToLower(address)
	}
	rest, _, _ = strings.Cut(rest, "#")
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	return hostKey(scheme, rest[:end]) + ")" + pathKey(rest[end:])
}

func hostKey(scheme, authority string) string {
	host, port, err := net.SplitHostPort(authority)
	if err != nil {
		host, port = strings.Trim(authority, "[]"), ""
	}
	if net.ParseIP(host) == nil {
		labels := strings.Split(wwwLabel.ReplaceAllString(strings.TrimSuffix(host, "."), ""), ".")
		slices.Reverse(labels)
		host = strings.Join(labels, ",")
	}
	standard := map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443"}
	if port != "" && port != standard[scheme] {
		host += ":" + port
	}
	return host
}

func pathKey(path string) string {
	path, query, _ := strings.Cut(path, "?")
	if len(path) > 1 {
		path = strings.TrimRight(path, "/")
	}
	if path == "" {
		path = "/"
	}
	path = strings.ReplaceAll(path, " ", "%20")
	if query == "" {
		return path
	}
	parameters := strings.Split(strings.ReplaceAll(query, " ", "%20"), "&")
	slices.Sort(parameters)
	return path + "?" + strings.Join(parameters, "&")
}
