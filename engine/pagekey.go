package engine

import "strings"

// pageKey is the name under which the versions of a page are kept, by the
// service's rules: https, no "www.", no default port, no index file, no trailing
// slash, and no fragment unless scripts route by it. href is one that parseTarget
// has accepted.
func pageKey(href string) string {
	place, query, fragment := splitURL(href)
	host, path, _ := strings.Cut(place, "/")
	key := "https://" + bareHost(host)
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

// splitURL cuts a normalised web URL into host and path, query and fragment.
func splitURL(href string) (place, query, fragment string) {
	_, rest, _ := strings.Cut(href, "://")
	rest, fragment, _ = strings.Cut(rest, "#")
	place, query, _ = strings.Cut(rest, "?")
	return place, query, fragment
}

// bareHost drops credentials and "www.", where a name with a dot is left.
// Default ports are gone already.
func bareHost(host string) string {
	host = host[strings.LastIndexByte(host, '@')+1:]
	if rest, ok := strings.CutPrefix(host, "www."); ok && strings.Contains(rest, ".") {
		return rest
	}
	return host
}

// indexFiles are what servers give for a folder.
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

// keyEnd parts a page's key from the variant of it.
const keyEnd = "\x00"

// keyPrefixes are the beginnings of the keys that a URL, or with a "*" at its end
// all URLs that begin so, is kept under.
func keyPrefixes(raw string) ([]string, error) {
	stem, all := strings.CutSuffix(strings.TrimSpace(raw), "*")
	href, err := parseTarget(stem)
	if err != nil {
		return nil, err
	}
	key := pageKey(href)
	if !all {
		return []string{key + keyEnd}, nil
	}
	if longer, err := parseTarget(href + "x"); err == nil && pageKey(longer) == key+"x" {
		return []string{key}, nil
	}
	if place, _, _ := splitURL(href); strings.HasSuffix(href, place) && strings.HasSuffix(place, "/") {
		return []string{key + keyEnd, key + "/", key + "?", key + "#"}, nil
	}
	return cutPrefixes(href, key), nil
}

// cutPrefixes are the beginnings of the keys of all that begins as a URL whose key lacks its end:
// a fragment, the mark of an empty query, or an index file.
func cutPrefixes(href, key string) []string {
	place, _, fragment := splitURL(href)
	switch {
	case strings.HasSuffix(href, "?"):
		return []string{key + keyEnd, key + "?"}
	case !strings.Contains(href, "#"):
		return []string{key + keyEnd, key + "?", key + "#", key + place[strings.LastIndexByte(place, '/'):]}
	case fragment == "" || fragment == "!": // scripts may route by what follows
		return []string{key + keyEnd, key + "#" + fragment}
	}
	return []string{key + keyEnd}
}
