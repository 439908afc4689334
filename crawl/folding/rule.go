package folding

import (
	"slices"
	"strings"
)

// Rule says that something in addresses makes no difference on a host: the order of a query's parameters, doubled slashes in the path, or
// one parameter, which the rule is named after, in lower case.
type Rule string

// The rules that aren't about one parameter.
const (
	Order   Rule = "&"  // the order of parameters of different names
	Slashes Rule = "//" // more slashes than one
)

// inPath is before the name of a parameter that stands in the path: ";jsessionid=1F3A".
const inPath = ";"

// Kind is what a rule is about, for people.
func (r Rule) Kind() string {
	switch {
	case r == Order:
		return "order of parameters"
	case r == Slashes:
		return "doubled slashes"
	case isSession(strings.TrimPrefix(string(r), inPath)):
		return "session id"
	}
	return "tracking parameter"
}

// maxName bounds the name of a parameter, in bytes.
const maxName = 40

// ofParameter is the rule about a parameter of the query; "" for one that is on no list.
func ofParameter(name string) Rule {
	name = strings.ToLower(name)
	if len(name) > maxName || !isSession(name) && !isTracking(name) {
		return ""
	}
	return Rule(name)
}

// ofPathParameter is the rule about a parameter of the path.
func ofPathParameter(name string) Rule {
	if name = strings.ToLower(name); len(name) > maxName || !isSession(name) {
		return ""
	}
	return Rule(inPath + name)
}

// isTracking reports the parameters that record where a visitor comes from, or who got a link. The sources are
//   - Google Analytics, "URL builders: collect campaign data with custom URLs": utm_*,
//   - Matomo, "Tracking campaigns": mtm_*, pk_*,
//   - Firefox, query parameter stripping, in its source documentation and the collection "query-stripping" of its remote settings,
//   - Brave, the list of its query filter, components/query_filter/utils.cc of brave-core.
//
// A parameter on the list is no more than a candidate.
func isTracking(name string) bool {
	for _, prefix := range []string{"utm_", "mtm_", "pk_"} {
		if strings.HasPrefix(name, prefix) && len(name) > len(prefix) {
			return true
		}
	}
	_, found := slices.BinarySearch(tracking, name)
	return found
}

// tracking are those of Firefox and Brave, in order.
var tracking = sorted(`__hsfp __hssc __hstc __s _bhlid _branch_match_id _branch_referrer _ga _gl _hsenc _hsmi _kx _openstat at_recipient_id
	at_recipient_list bbeml bsft_clkid bsft_uid dclid et_rid fb_action_ids fb_action_types fb_comment_id fb_ref fb_source fbclid gbraid gclid
	gclsrc guce_referrer guce_referrer_sig hsctatracking igsh igshid irclickid li_fat_id mc_cid mc_eid mkt_tok ml_subscriber
	ml_subscriber_hash msclkid oft_c oft_ck oft_d oft_id oft_ids oft_k oft_lk oft_sk oly_anon_id oly_enc_id rb_clickid s_cid sc_customer
	sc_eh sc_uid sfmc_activityid sfmc_id sms_click sms_source sms_uph srsltid ss_email_id syclid ttclid twclid unicorn_click_id vero_conv
	vero_id vgo_ee wbraid wickedid yclid ymclid ysclid`)

// isSession reports the parameters that carry a session where there are no cookies. The sources are OWASP's Session Management Cheat
// Sheet, "Session ID Name Fingerprinting" (PHP, J2EE, ColdFusion, ASP.NET), and phpBB (sid), osCommerce (osCsid) and Zen Cart (zenid).
func isSession(name string) bool {
	_, found := slices.BinarySearch(session, name)
	return found
}

var session = sorted(`asp.net_sessionid cfid cftoken jsessionid oscsid phpsessid sessid session_id sessionid sid zenid`)

func sorted(names string) []string {
	list := strings.Fields(names)
	slices.Sort(list)
	return list
}

// Volatile reports the names of parameters that record where a visitor comes from, or that hold a session; in any case. Those on the lists
// are candidates: whether one makes a difference on a host, its pages show.
func Volatile(name string) bool {
	name = strings.ToLower(name)
	return isSession(name) || isTracking(name)
}
