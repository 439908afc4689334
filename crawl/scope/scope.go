package scope

import (
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Scope judges the links of one crawl. It never changes and is safe for concurrent use.
type Scope struct {
	options          Options
	include, exclude patterns
	seed             address
	site             string // the seed's registrable domain, "" if it has none
	area             area
	depth            int // segments of the seed's path
}

// New returns a scope. The error is an *OptionError.
func New(o Options) (*Scope, error) {
	include, exclude, err := o.validate()
	if err != nil {
		return nil, err
	}
	s := &Scope{options: o, include: include, exclude: exclude}
	if err := s.setSeed(o.Seed); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Scope) setSeed(seed string) error {
	a, err := readAddress(seed)
	if err != nil || !a.web() {
		return &OptionError{Field: "url", Value: seed, Want: "an absolute http or https URL", Err: err}
	}
	s.options.Seed, s.seed = seed, a
	s.site = weburl.Registrable(a.host)
	s.area = areaOf(a.path)
	s.depth = segments(a.path)
	return nil
}

// Link is a URL that a crawl found.
type Link struct {
	URL     string // absolute
	From    string // the page that it was found on; "" for the seed and for URLs of a sitemap
	Hops    int    // links from the seed or a sitemap page to here: 0 for these, 1 for the links on them
	Sitemap bool   // from a sitemap; counts as Hops 0
}

func (l Link) seed() bool { return l.From == "" && !l.Sitemap }

// Verdict is the decision about a URL.
type Verdict struct {
	URL    string // to be fetched: normalized, without fragment unless that is a route ("#/", "#!/"); "" if it can't be parsed
	Key    string // Scope.Key of an accepted URL; "" of a denied one
	Reason Reason // "": accepted
	Detail string // more on a denial for people: the pattern, the extension, the host …; may be ""
}

// Accepted reports whether the URL belongs to the crawl.
func (v Verdict) Accepted() bool { return v.Reason == "" }

// Judge decides whether a link belongs to the crawl. The rules are applied in the order of the reasons (reason.go). The seed
// is judged like every link, except that its fragment is dropped: a seed outside IncludePaths is denied, and
// the caller follows its links all the same.
//
// A SECTION_LINK has the page that it is a part of as its URL.
func (s *Scope) Judge(l Link) Verdict {
	a, v := s.read(l.URL)
	if !v.Accepted() {
		return v
	}
	if l.seed() {
		a.dropSection()
	}
	return s.verdict(&a, &l)
}

// read parses a URL and denies what a crawler can't fetch.
func (s *Scope) read(rawURL string) (address, Verdict) {
	a, err := readAddress(rawURL)
	if err != nil {
		return a, Verdict{Reason: URLParseError, Detail: err.Error()}
	}
	if !a.web() {
		return a, Verdict{URL: a.href, Reason: NonWebProtocol, Detail: a.scheme}
	}
	return a, Verdict{}
}

func (s *Scope) verdict(a *address, l *Link) Verdict {
	v := Verdict{URL: a.page()}
	v.Reason, v.Detail = s.deny(a, l)
	if v.Accepted() {
		v.Key = s.key(a, s.options.DeduplicateSimilarURLs)
	}
	return v
}
