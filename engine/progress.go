package engine

import (
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
)

// Progress is how far a job has come. In JSON the rate is rounded to a thousandth, and the time left is leftMs, absent where it is unknown.
type Progress struct {
	// Done and Failed pages; Known are all that are accepted so far; Queued of them wait, and Active are worked on.
	Done, Failed, Known, Queued, Active int
	// Rate of the last minute, in pages per second.
	Rate float64
	// Left is an estimate of the time until all that is known is done: the pages that are queued and active at that rate. 0: nothing
	// is left; below 0: it is unknown.
	Left time.Duration
}

// MarshalJSON writes done, failed, known, queued, active, rate and leftMs.
func (p Progress) MarshalJSON() ([]byte, error) { return jobs.Progress(p).MarshalJSON() }

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Progress) UnmarshalJSON(data []byte) error { return (*jobs.Progress)(p).UnmarshalJSON(data) }
