package scope

import "strings"

// area is the part of a site that a crawl stays in.
type area struct {
	page string // one path of it, "" if it is a directory
	dir  string // everything below; ends in a slash
}

// areaOf is the area of a seed's path: the prefix if it ends in a slash, the directory of a file, else the path itself and what
// is below it.
func areaOf(path string) area {
	slash := strings.LastIndexByte(path, '/') + 1
	if slash == len(path) || hasExtension(path[slash:]) {
		return area{dir: path[:slash]}
	}
	return area{page: path, dir: path + "/"}
}

func (a area) contains(path string) bool {
	return strings.HasPrefix(path, a.dir) || a.page != "" && path == a.page
}

func (a area) String() string {
	if a.page != "" {
		return a.page
	}
	return a.dir
}

// hasExtension takes "page.html" and not "v1.2" or ".well-known".
func hasExtension(name string) bool {
	const maxLen = 5
	dot := strings.LastIndexByte(name, '.')
	ext := name[dot+1:]
	return dot > 0 && ext != "" && len(ext) <= maxLen && isLetter(ext[0]) && strings.Trim(strings.ToLower(ext), "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// segments counts the segments of a path. Empty ones and an index file at the end don't count.
func segments(path string) int {
	n, last := 0, ""
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" {
			n++
			last = segment
		}
	}
	if last == "index.html" || last == "index.php" {
		n--
	}
	return n
}
