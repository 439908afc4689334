package noise

import (
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/crawl/folding"
)

// tokenNames are parameters that hold nonces, signatures and the like, beside the sessions and campaigns of package folding. The sources
// are OWASP's cheat sheets on CSRF and sessions, the signed addresses of Amazon S3, CloudFront and Google Cloud Storage, and the names that
// web frameworks give (Rails, Django, Laravel, ASP.NET, WordPress).
var tokenNames = strings.Fields(`_csrf _nonce _token _wpnonce __requestverificationtoken authenticity_token awsaccesskeyid csrf csrf_token csrfmiddlewaretoken
	csrftoken expires googleaccessid key-pair-id nonce request_id requestid sig signature token trace_id traceid visitor_id visitorid x-amz-algorithm
	x-amz-credential x-amz-date x-amz-expires x-amz-security-token x-amz-signature x-amz-signedheaders x-goog-algorithm x-goog-credential
	x-goog-date x-goog-expires x-goog-signature x-goog-signedheaders xsrf`)

// busterNames are parameters that only make an address new.
var busterNames = strings.Fields(`_ _dc _t _ts _v bust cachebust cachebuster cache_buster cb nocache no_cache rand random rnd timestamp ts`)

// assetNames are parameters that say so of pictures and files alone: of a page they may be its version.
var assetNames = strings.Fields(`d h hash m mtime q rev t v ver version`)

var (
	linked      = regexp.MustCompile(`(!?\[[^\[\]]*\]|\))?\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)`)
	bareAddress = regexp.MustCompile(`https?://[^\s<>"()|]+`)
	asset       = regexp.MustCompile(`(?i)\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|css|m?js|woff2?|mp4|webm|mp3)$`)
	fingerprint = regexp.MustCompile(`([./_-])([0-9a-f]{8,64})(\.\w{2,5})$`)
	shard       = regexp.MustCompile(`(?i)^((?:https?:)?//)([a-z]+-?\d{1,2})(\.)`)
	epoch       = regexp.MustCompile(`^1\d{9}(?:\d{3})?$`)
	requestID   = regexp.MustCompile(`(?i)(?:request|ray|trace|session|correlation|csrf|visit|visitor|build|instance)[\s-]?(?:id|token|nonce)?\s*[:#=]?\s*[*_` + "`" + `]*` +
		`([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\da-z]*\d[\da-z]{6,}[\da-z_+/=-]*)`)
	build = regexp.MustCompile(`(?i)^build`)
)

// addresses masks what is volatile in the addresses of a text.
func (m *masker) addresses(text string) string {
	if !strings.ContainsAny(text, "(/") {
		return text
	}
	text = linked.ReplaceAllStringFunc(text, func(found string) string {
		at := linked.FindStringSubmatchIndex(found)
		if at[2] < 0 {
			return found
		}
		return found[:at[4]] + m.address(found[at[4]:at[5]], strings.HasPrefix(found, "!"))
	})
	return bareAddress.ReplaceAllStringFunc(text, func(found string) string { return m.address(found, false) })
}

// address masks what is volatile in an address.
func (m *masker) address(href string, picture bool) string {
	rest, fragment, hasFragment := strings.Cut(href, "#")
	path, query, hasQuery := strings.Cut(rest, "?")
	picture = picture || asset.MatchString(path)
	path = m.path(path, picture)
	if hasQuery {
		path += m.query(query, picture)
	}
	if hasFragment {
		path += "#" + fragment
	}
	return path
}

func (m *masker) path(path string, picture bool) string {
	if before, value, ok := strings.Cut(path, ";"); ok && folding.Volatile(strings.SplitN(value, "=", 2)[0]) && !m.off("token/parameter") {
		path = before
		m.put(mark{rule: "token/parameter", text: value})
	}
	if !picture {
		return path
	}
	at := fingerprint.FindStringSubmatchIndex(path)
	if at != nil && strings.ContainsAny(path[at[4]:at[5]], "0123456789") && !m.off("token/buster") {
		path = path[:at[4]] + m.put(mark{rule: "token/buster", text: path[at[4]:at[5]]}) + path[at[5]:]
	}
	if at := shard.FindStringSubmatchIndex(path); at != nil && !m.off("token/host") {
		path = path[:at[4]] + m.put(mark{rule: "token/host", text: path[at[4]:at[5]]}) + path[at[5]:]
	}
	return path
}

// query drops the volatile parameters: one that comes or goes makes no difference either. The order of the others counts.
func (m *masker) query(query string, picture bool) string {
	var kept []string
	for pair := range strings.SplitSeq(strings.ReplaceAll(query, "&amp;", "&"), "&") {
		name, value, _ := strings.Cut(pair, "=")
		rule := parameterRule(strings.ToLower(strings.ReplaceAll(name, `\`, "")), value, picture)
		if rule == "" || m.off(rule) {
			kept = append(kept, pair)
			continue
		}
		m.put(mark{rule: rule, text: pair})
	}
	if len(kept) == 0 {
		return ""
	}
	return "?" + strings.Join(kept, "&")
}

func parameterRule(name, value string, picture bool) string {
	switch {
	case folding.Volatile(name), slices.Contains(tokenNames, name):
		return "token/parameter"
	case slices.Contains(busterNames, name), picture && slices.Contains(assetNames, name), value == "" && epoch.MatchString(name),
		epoch.MatchString(value) && len(name) <= 2:
		return "token/buster"
	}
	return ""
}

// requests masks ids of requests and sessions, by the word before them.
func (m *masker) requests(text string) string {
	if !m.digits || m.open&requestGate == 0 {
		return text
	}
	return m.each(text, requestID, func(part string, at []int) (mark, bool) {
		return mark{rule: "token/request"}, !build.MatchString(part[at[0]:at[1]])
	})
}
