package noise

import "strings"

// Kind is what a difference is that was passed over.
type Kind string

// The kinds of noise.
const (
	RelativeDate Kind = "relative date" // "2 days ago", and the day it becomes: "24 November"
	Clock        Kind = "clock"         // times and dates that move with the time of the check, and countdowns
	Counter      Kind = "counter"       // views, likes, comments; numbers that were learnt to vary alone
	Ad           Kind = "ad"            // blocks that are labelled so, or that only link to networks for ads
	Order        Kind = "order"         // the same items, rows or cards in another order
	Token        Kind = "token"         // session ids, nonces, cache-busters
	Rotating     Kind = "rotating"      // a block in whose place several alternate: learnt only
	Accepted     Kind = "accepted"      // what the caller accepted
)

// builtIn are the rules that apply without having been learnt, by id. The part before the slash names the kind.
var builtIn = map[string]string{
	"relative/past":     "times that are relative to the check: 2 days ago, yesterday, just now",
	"relative/future":   "times to come that are relative to the check, while the moment they mean stays: in 3 days, 2 days left",
	"clock/time":        "the time of day of the check, beside words such as “current time” or “updated”, or alone in a paragraph",
	"clock/date":        "the date of the check, beside words such as “today is” or “updated”, or alone in a paragraph",
	"clock/countdown":   "a countdown in hours, minutes and seconds, while the moment it means stays",
	"clock/year":        "the current year in a copyright notice",
	"clock/duration":    "how long a page took to be made",
	"counter/views":     "numbers of views, plays and reads",
	"counter/likes":     "numbers of likes, votes and reactions",
	"counter/comments":  "numbers of comments, replies and reviews",
	"counter/shares":    "numbers of shares, downloads and sales",
	"counter/followers": "numbers of followers, members and participants",
	"counter/present":   "numbers of people who look at the page just now",
	"ad/label":          "blocks that are labelled as advertisements",
	"ad/network":        "blocks that only link to networks for advertisements",
	"order/blocks":      "the same items, rows or cards in another order",
	"token/parameter":   "parameters of addresses that hold sessions, nonces, signatures or campaigns",
	"token/buster":      "parameters and parts of the addresses of pictures and files that only defeat caches",
	"token/host":        "numbers of the hosts that pictures are spread over",
	"token/request":     "ids of requests, traces and sessions in texts",
}

// kindOf is the kind of a built-in rule.
func kindOf(rule string) Kind {
	before, _, _ := strings.Cut(rule, "/")
	if before == "relative" {
		return RelativeDate
	}
	return Kind(before)
}
