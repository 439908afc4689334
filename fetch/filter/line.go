package filter

import "strings"

// isComment reports whether a line is not meant as a rule: a comment, header or empty line.
func isComment(line string) bool {
	switch {
	case line == "" || line[0] == '!' || line == "#":
		return true
	case line[0] == '[':
		return line[len(line)-1] == ']' && !strings.HasPrefix(line, "[$")
	}
	return strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "####")
}

// hidingMarks are what stands between domains and body of a hiding rule and its
// kin, with the reason why a kind is not supported.
var hidingMarks = []struct {
	mark   string
	except bool
	why    Reason
}{
	{"##", false, ""},
	{"#@#", true, ""},
	{"#?#", false, ExtendedHiding},
	{"#@?#", true, ExtendedHiding},
	{"#$?#", false, ExtendedHiding},
	{"#@$?#", true, ExtendedHiding},
	{"#$#", false, StyleRule},
	{"#@$#", true, StyleRule},
	{"#%#", false, Scriptlet},
	{"#@%#", true, Scriptlet},
	{"$$", false, MarkupRule},
	{"$@$", true, MarkupRule},
}

// splitHiding cuts a hiding rule at its mark. Other lines have none: a mark counts
// only behind what can be a list of domains.
func splitHiding(line string) (domains, body string, except bool, why Reason, ok bool) {
	at := strings.IndexAny(line, "#$")
	if at < 0 || !isDomainText(line[:at]) {
		return "", "", false, "", false
	}
	for _, m := range hidingMarks {
		if rest, found := strings.CutPrefix(line[at:], m.mark); found {
			return line[:at], rest, m.except, m.why, true
		}
	}
	return "", "", false, "", false
}

// isDomainText is generous: bytes beyond ASCII are names not in ASCII, which are
// counted as such and not as request rules.
func isDomainText(s string) bool {
	for i := range len(s) {
		if !isHostByte(s[i]) && s[i] < 0x80 && strings.IndexByte(",~* ", s[i]) < 0 {
			return false
		}
	}
	return true
}
