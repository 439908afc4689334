package judge

import (
	"path"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats/script"
)

// isKnown reports a script of a known vendor: one from its host, or a copy that the site serves.
func (s Sources) isKnown(src string) bool {
	place, _, _ := weburl.Split(src)
	_, p, _ := strings.Cut(strings.ToLower(place), "/")
	if p = "/" + p; containsAny(p, knownPaths) || isKnownFile(path.Base(p)) {
		return true
	}
	return !s.isOfSite(src) && (isKnownPlace(weburl.Hostname(src), p) || s.Blocked != nil && s.Blocked(src))
}

// isKnownPlace looks for a host, and for those that it lies below.
func isKnownPlace(host, path string) bool {
	for host != "" {
		if begins, known := knownHosts[host]; known && strings.HasPrefix(path, begins) {
			return true
		}
		_, host, _ = strings.Cut(host, ".")
	}
	return false
}

func isKnownFile(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	if knownFiles[strings.TrimRight(stem, "0123456789")] {
		return true
	}
	for i, c := range stem {
		if (c == '-' || c == '_') && knownFiles[stem[:i+1]] {
			return true
		}
	}
	return false
}

// withoutVendors takes from what an inline script does that which has no place in the page, if the script loads one of a known vendor.
// Some vendors' snippets request the script and add it by themselves.
func (s Sources) withoutVendors(f script.Facts, source string) script.Facts {
	if !f.Document && !f.Requests || !s.loadsKnown(source) {
		return f
	}
	f.Document = false
	f.Writes = slices.DeleteFunc(slices.Clone(f.Writes), func(w script.Write) bool { return w.Place == "" })
	f.Requests = f.Requests && len(f.Writes)+len(f.Elements) > 0
	return f
}

// maxAddresses is how many addresses in an inline script are looked at.
const maxAddresses = 20

// loadsKnown reports a script with the address of a known vendor's in it.
func (s Sources) loadsKnown(source string) bool {
	for range maxAddresses {
		_, after, found := strings.Cut(source, "//")
		if !found {
			return false
		}
		end := strings.IndexAny(after, "\"'` \t\r\n,;)<>")
		if end > 0 && strings.Contains(after[:end], ".") && s.isKnown("https://"+after[:end]) {
			return true
		}
		source = after
	}
	return false
}

func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// hostsOf maps hosts to how the path of what is known of them begins.
func hostsOf(groups ...string) map[string]string {
	hosts := map[string]string{}
	for _, group := range groups {
		for entry := range strings.FieldsSeq(group) {
			host, path, _ := strings.Cut(entry, "/")
			hosts[host] = "/" + path
		}
	}
	return hosts
}
