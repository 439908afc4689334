package weburl

import "strings"

// Key is the key that all spellings of a page's URL share: https, no user name and password, no "www.", no
// default port, no index file, no trailing slash, and no fragment unless scripts route by it. href is one that Target
// has returned.
func Key(href string) string {
	place, query, fragment := Split(href)
	host, path, _ := strings.Cut(place, "/")
	key := "https://" + BareHost(host[strings.LastIndexByte(host, '@')+1:])
	if path = barePath(path); path != "" {
		key += "/" + path
	}
	if query != "" {
		key += "?" + query
	}
	if strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!/") {
		key += "#" + fragment
	}
	return key
}

// indexFiles are the files that servers send for a folder.
var indexFiles = []string{"index.html", "index.php", "index.htm", "index.shtml", "index.xml"}

// barePath drops the index file and the trailing slash.
func barePath(path string) string {
	folder, file := path[:strings.LastIndexByte(path, '/')+1], path[strings.LastIndexByte(path, '/')+1:]
	for _, name := range indexFiles {
		if strings.EqualFold(file, name) {
			path = folder
			break
		}
	}
	return strings.TrimSuffix(path, "/")
}

// KeyEnd ends a key that is followed by something else.
const KeyEnd = "\x00"

// KeyPrefixes returns the prefixes of the keys, each followed by KeyEnd, that a URL has or, with a "*" at its end, all URLs
// that begin so share. Its errors are those of Target.
func KeyPrefixes(raw string) ([]string, error) {
	stem, all := strings.CutSuffix(strings.TrimSpace(raw), "*")
	href, err := Target(stem)
	if err != nil {
		return nil, err
	}
	key := Key(href)
	if !all {
		return []string{key + KeyEnd}, nil
	}
	if longer, err := Target(href + "x"); err == nil && Key(longer) == key+"x" {
		return []string{key}, nil
	}
	if place, _, _ := Split(href); strings.HasSuffix(href, place) && strings.HasSuffix(place, "/") {
		return []string{key + KeyEnd, key + "/", key + "?", key + "#"}, nil
	}
	return cutPrefixes(href, key), nil
}

// HostKey begins the keys of what is kept of a host as a whole. host may have a port.
func HostKey(host string) string { return "https://" + BareHost(host) + "/" + KeyEnd }

// HostPrefix is the HostKey of the host whose pages a prefix of KeyPrefixes is about.
func HostPrefix(prefix string) string {
	scheme, rest, _ := strings.Cut(strings.TrimSuffix(prefix, KeyEnd), "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return scheme + "://" + rest + "/" + KeyEnd
}

// cutPrefixes are the beginnings of the keys of all that begins as a URL whose key lacks its end:
// a fragment, the mark of an empty query, or an index file.
func cutPrefixes(href, key string) []string {
	place, _, fragment := Split(href)
	switch {
	case strings.HasSuffix(href, "?"):
		return []string{key + KeyEnd, key + "?"}
	case !strings.Contains(href, "#"):
		return []string{key + KeyEnd, key + "?", key + "#", key + place[strings.LastIndexByte(place, '/'):]}
	case fragment == "" || fragment == "!": // scripts may route by what follows
		return []string{key + KeyEnd, key + "#" + fragment}
	}
	return []string{key + KeyEnd}
}
