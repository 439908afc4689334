package learnt

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// Rates of audits: one page in twenty of a template that was compared once, and one in a hundred in the end.
const (
	firstRate = 0.05
	lastRate  = 0.01
	// siteWeight is how many agreeing comparisons of the whole site count as one of the template: both say how right the evidence is there.
	siteWeight = 5
)

// AuditRate is the share of a proven template's pages that are compared again, by how many of its comparisons agreed, and of its site's.
func AuditRate(c Counts, site int) float64 {
	evidence := max(c.Equal, float64(site)/siteWeight, 1)
	return max(lastRate, firstRate/evidence)
}

// Drawn reports whether a page is among a share of a job's pages: the answer is the same each time.
func Drawn(job, url string, share float64) bool {
	sum := sha256.Sum256([]byte(job + "\x00" + url))
	return float64(binary.BigEndian.Uint64(sum[:8])) < share*math.MaxUint64
}
