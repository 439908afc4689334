package scope

// Reason is why a URL isn't crawled. "" is no denial. The texts are part of the contract.
type Reason string

// The reasons, in the order in which the rules are applied; the first that denies counts.
const (
	URLParseError    Reason = "URL_PARSE_ERROR"   // no URL by the WHATWG standard, or longer than weburl.MaxLength
	NonWebProtocol   Reason = "NON_WEB_PROTOCOL"  // neither http nor https
	DepthLimit       Reason = "DEPTH_LIMIT"       // MaxDepth: too many path segments below the seed's path
	FileType         Reason = "FILE_TYPE"         // the path ends like a picture, script, archive, font, recording …
	SectionLink      Reason = "SECTION_LINK"      // on the seed's host: a part of a page; a fragment with a slash is none
	BackwardCrawling Reason = "BACKWARD_CRAWLING" // on the seed's host, but not below the seed's path
	SocialMedia      Reason = "SOCIAL_MEDIA"      // on another host: Facebook, GitHub and the like
	ExcludePattern   Reason = "EXCLUDE_PATTERN"   // an exclude pattern matches
	IncludePattern   Reason = "INCLUDE_PATTERN"   // there are include patterns and none matches
	ExternalLink     Reason = "EXTERNAL_LINK"     // on another host that the options don't admit
	DiscoveryLimit   Reason = "DISCOVERY_LIMIT"   // MaxDiscoveryDepth: too many links away from the seed and the sitemap

	RobotsTxt Reason = "ROBOTS_TXT" // robots.txt forbids it: set by the caller, for URLs that Judge accepts
	Limit     Reason = "LIMIT"      // the crawl has as many URLs as it may: set by the caller
	Trap      Reason = "TRAP"       // pages of such addresses held nothing new: set by the caller, see package traps
	Redirect  Reason = "REDIRECT"   // the page led to a URL that is denied; the detail begins with that reason
	// Duplicate is a URL that is another of a page which the crawl has: see package folding. Set by the caller.
	Duplicate Reason = "DUPLICATE_URL"
)
