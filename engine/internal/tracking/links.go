package tracking

import "strings"

// trackingNames are query parameters that say where a reader came from and nothing
// about what is read, in lower case.
var trackingNames = map[string]bool{
	"gclid": true, "gclsrc": true, "dclid": true, "gbraid": true, "wbraid": true, // Google Ads
	"gad_source": true, "gad_campaignid": true, "srsltid": true,
	"_ga": true, "_gl": true, // Google Analytics
	"fbclid": true, "igshid": true, "igsh": true, // Meta
	"msclkid": true, "li_fat_id": true, "twclid": true, "ttclid": true, // Microsoft, LinkedIn, X, TikTok
	"ref_src": true, "ref_url": true, // embedded posts
	"yclid": true, "ysclid": true, "ymclid": true, // Yandex
	"spm": true, "scm": true, // Alibaba
	"mc_cid": true, "mc_eid": true, // Mailchimp
	"_hsenc": true, "_hsmi": true, "__hstc": true, "__hssc": true, "__hsfp": true, "hsctatracking": true, // HubSpot
	"mkt_tok": true, "vero_id": true, "vero_conv": true, "wickedid": true, "_kx": true, // other mailers
	"oly_anon_id": true, "oly_enc_id": true, "rb_clickid": true, "irclickid": true, "cjevent": true, "epik": true,
}

// trackingPrefixes are the beginnings of whole families of them.
var trackingPrefixes = []string{"utm_", "mtm_", "pk_campaign", "pk_kwd", "pk_source", "pk_medium"}

// tracks reports whether a parameter of a query, "name=value", only tracks. The name may
// have Markdown's escapes, as in utm\_source.
func tracks(parameter string) bool {
	name, _, _ := strings.Cut(parameter, "=")
	name = strings.ToLower(strings.ReplaceAll(name, `\`, ""))
	if trackingNames[name] {
		return true
	}
	for _, prefix := range trackingPrefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// dropTracking drops the tracking parameters of all http and https URLs of a text that
// stand outside code: destinations of links and images, between < and >, and bare ones.
func dropTracking(text string) string {
	if !strings.Contains(text, "://") || !strings.Contains(text, "?") {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for part, code := range spans(text) {
		if code {
			out.WriteString(part)
		} else {
			writeURLs(&out, part)
		}
	}
	return out.String()
}

func writeURLs(out *strings.Builder, text string) {
	for {
		start := urlStart(text)
		if start < 0 {
			out.WriteString(text)
			return
		}
		linked := start > 0 && (text[start-1] == '(' || text[start-1] == '<')
		end := start + urlLength(text[start:], linked)
		out.WriteString(text[:start])
		out.WriteString(cleanURL(text[start:end]))
		text = text[end:]
	}
}

// urlStart is where the first http or https URL begins, or -1.
func urlStart(text string) int {
	for at := 0; ; {
		next := strings.Index(text[at:], "://")
		if next < 0 {
			return -1
		}
		colon := at + next
		for _, scheme := range []string{"https", "http"} {
			if start := colon - len(scheme); start >= 0 && strings.EqualFold(text[start:colon], scheme) {
				return start
			}
		}
		at = colon + len("://")
	}
}

// urlLength is how far the URL at the beginning of text reaches: to white space, a
// bracket that it hasn't opened, or a character that can't be in one. One that isn't
// the destination of a link also ends before a character beyond ASCII, as the text of
// languages that write without spaces goes on there, and before the punctuation of its
// sentence (GitHub Flavored Markdown, section 6.9).
func urlLength(text string, linked bool) int {
	end, round, square := 0, 0, 0
	for ; end < len(text); end++ {
		switch c := text[end]; c {
		case '(':
			round++
		case ')':
			round--
		case '[':
			square++
		case ']':
			square--
		case ' ', '<', '>', '"', '`', '|':
			round = -1
		default:
			if c >= 0x80 && !linked {
				round = -1
			}
		}
		if round < 0 || square < 0 {
			break
		}
	}
	if linked {
		return end
	}
	return len(strings.TrimRight(text[:end], `?!.,:;*_~'\`))
}

// cleanURL is url without its tracking parameters; as it was where there are none.
func cleanURL(url string) string {
	rest, fragment := url, ""
	if hash := strings.IndexByte(url, '#'); hash >= 0 {
		rest, fragment = url[:hash], url[hash:]
	}
	path, query, _ := strings.Cut(rest, "?")
	var kept []string
	all := 0
	for parameter := range strings.SplitSeq(query, "&") {
		all++
		if !tracks(parameter) {
			kept = append(kept, parameter)
		}
	}
	switch len(kept) {
	case all:
		return url
	case 0:
		return path + fragment
	}
	return path + "?" + strings.Join(kept, "&") + fragment
}

const frameStart = "[iframe]("

// dropFrames puts a space in the place of each link to a frame in a folded line and
// reports whether there was one. What a frame shows isn't part of the page, and its address
// often changes. An address with a space is none.
func dropFrames(line string) (string, bool) {
	if !strings.Contains(line, frameStart) {
		return line, false
	}
	var out strings.Builder
	for found := false; ; {
		before, after, ok := strings.Cut(line, frameStart)
		end := strings.IndexAny(after, ") ")
		if !ok || end < 0 {
			out.WriteString(line)
			return out.String(), found
		}
		out.WriteString(before)
		if after[end] == ')' {
			out.WriteByte(' ')
			found = true
		} else {
			out.WriteString(frameStart + after[:end+1])
		}
		line = after[end+1:]
	}
}
