package since

import (
	"math"
	"time"
)

// Page is what is known of a page that a crawl has had.
type Page struct {
	URL string `json:"url"`
	// Key is that of the page's item, Final where its redirects led; empty: URL. Goal is the key of that, where it is another than Key.
	Key   string `json:"key,omitempty"`
	Final string `json:"final,omitempty"`
	Goal  string `json:"goal,omitempty"`
	// Hops, Sitemap, LastMod and Priority are those of the page's item.
	Hops     int       `json:"hops,omitempty"`
	Sitemap  bool      `json:"sitemap,omitempty"`
	Priority float64   `json:"priority,omitempty"`
	LastMod  time.Time `json:"lastMod,omitzero"`
	// ETag and Modified are the validators of the answer, where they vouch for all that the page shows.
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
	// Body is a digest of the answer, Sum one of what is compared, Folded what other addresses of the page are known by; empty: unknown.
	Body   string `json:"body,omitempty"`
	Sum    string `json:"sum,omitempty"`
	Folded string `json:"folded,omitempty"`
	// First is when the page was first had, Checked when it was compared last, Whole when it last came whole.
	First   time.Time `json:"first"`
	Checked time.Time `json:"checked"`
	Whole   time.Time `json:"whole"`
	// Checks is how often the page was compared, Changes how often it had changed.
	Checks  int `json:"checks,omitempty"`
	Changes int `json:"changes,omitempty"`
	// Vouched is the number of the run in which a validator spoke for the page, Dated of that in which its sitemap did; 0: it has come whole
	// since.
	Vouched int `json:"vouched,omitempty"`
	Dated   int `json:"dated,omitempty"`
}

// Vouchers reports whether the site can be asked for a change of the page alone.
func (p *Page) Vouchers() bool { return p.ETag != "" || p.Modified != "" }

// ordinary is the rate of a page of which nothing is known: a change in thirty days.
const ordinary = 1.0 / (30 * 24 * float64(time.Hour))

// Rate estimates how often the page changes, in changes a nanosecond: the changes are taken for a Poisson process that is looked at now and
// then, which misses the second of two changes between two looks. The estimator is the one of Cho and Garcia-Molina that has little bias
// with few looks ("Estimating Frequency of Change", ACM Transactions on Internet Technology 3(3), 2003, §4).
func (p *Page) Rate() float64 {
	lasted := p.Checked.Sub(p.First)
	if p.Checks <= 0 || lasted <= 0 {
		return ordinary
	}
	n, changes := float64(p.Checks), float64(min(p.Changes, p.Checks))
	return -math.Log((n-changes+.5)/(n+.5)) * n / float64(lasted)
}

// Chance is how likely the page has changed since it was compared last, above 0 and at most 1.
func (p *Page) Chance(now time.Time) float64 {
	return max(1-math.Exp(-p.expected(p.Checked, now)), math.SmallestNonzeroFloat64)
}

// expected is how many changes are to be expected since a time.
func (p *Page) expected(from, now time.Time) float64 {
	return p.Rate() * float64(max(now.Sub(from), 0))
}

// Same notes that the page was compared and is as it was.
func (p *Page) Same(now time.Time) {
	p.Checks++
	p.Checked = now
}

// Changed notes that the page was compared and is another.
func (p *Page) Changed(now time.Time) {
	p.Same(now)
	p.Changes++
}
