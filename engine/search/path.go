package search

import (
	"encoding/json"
	"strconv"
	"strings"
)

// at returns the value at a path such as "web.results" or "images.0.url" in decoded JSON; the empty
// path is the value itself. nil: nothing is there.
func at(value any, path string) any {
	if path == "" {
		return value
	}
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// textAt returns the text or number at the first of the paths, joined with "|", that has one.
func textAt(value any, paths string) string {
	if paths == "" {
		return ""
	}
	for path := range strings.SplitSeq(paths, "|") {
		switch v := at(value, path).(type) {
		case string:
			if v != "" {
				return v
			}
		case json.Number:
			return v.String()
		}
	}
	return ""
}
