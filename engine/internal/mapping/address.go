package mapping

import (
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// under reports whether a path is, or is below, another that has no trailing slash.
func under(top, path string) bool {
	rest, ok := strings.CutPrefix(path, top)
	return ok && (rest == "" || rest[0] == '/')
}

// pathFilter is the path below which a map stays: of the URL that was asked for, or, where
// the page has left that, of the page. "" is the whole site.
func pathFilter(asked, base string) string {
	top := folderOf(asked)
	if top == "" {
		return ""
	}
	if end := folderOf(base); weburl.BareHost(weburl.Hostname(asked)) != weburl.BareHost(weburl.Hostname(base)) || !under(top, end) {
		return end
	}
	return top
}

// folderOf is the path of a URL without a slash at its end, without the file where it
// names one.
func folderOf(href string) string {
	place, _, _ := weburl.Split(href)
	path := place[strings.IndexByte(place, '/'):]
	slash := strings.LastIndexByte(path, '/')
	if namesFile(path[slash+1:]) {
		path = path[:slash]
	}
	return strings.TrimRight(path, "/")
}

// namesFile takes "index.html" and neither "v1.2" nor ".well-known".
func namesFile(name string) bool {
	const longest = 5
	dot := strings.LastIndexByte(name, '.')
	ending := strings.ToLower(name[dot+1:])
	return dot > 0 && ending != "" && len(ending) <= longest && 'a' <= ending[0] && ending[0] <= 'z'
}

// bareSlash drops a slash at the end of a path; that of the root stays.
func bareSlash(href string) string {
	place, query, fragment := weburl.Split(href)
	if query != "" || fragment != "" || !strings.HasSuffix(href, "/") {
		return href
	}
	if host, path, _ := strings.Cut(place, "/"); strings.Trim(path, "/") == "" {
		return href[:strings.Index(href, "://")+len("://")+len(host)+1]
	}
	return strings.TrimRight(href, "/")
}

// isBase reports whether a URL is the home page of a registrable domain, or of a host that has none.
func isBase(href string) bool {
	place, query, _ := weburl.Split(href)
	host := weburl.BareHost(weburl.Hostname(href))
	if query != "" || !strings.HasSuffix(place, "/") || strings.Count(place, "/") != 1 {
		return false
	}
	domain := weburl.Registrable(host)
	return domain == "" || domain == host
}

// withoutUser drops the user and password of a web URL.
func withoutUser(href string) string {
	scheme, rest, _ := strings.Cut(href, "://")
	authority := rest[:strings.IndexByte(rest, '/')]
	return scheme + "://" + rest[strings.LastIndexByte(authority, '@')+1:]
}
