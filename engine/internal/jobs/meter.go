package jobs

import (
	"encoding/json"
	"math"
	"sync"
	"time"
)

// Progress is how far a job has come.
type Progress struct {
	// Done and Failed pages; Known are all that are accepted so far; Queued of them wait
	// and Active are worked on.
	Done, Failed, Known, Queued, Active int
	// Rate of the last minute, in pages per second.
	Rate float64
	// Left is an estimate of the time until all that is known is done: the pages that are queued and active at that
	// rate. 0: nothing is left; below 0: it is unknown.
	Left time.Duration
}

// progressFields is the JSON of a Progress: the time left in milliseconds, absent when it is unknown.
type progressFields struct {
	Done   int     `json:"done"`
	Failed int     `json:"failed"`
	Known  int     `json:"known"`
	Queued int     `json:"queued"`
	Active int     `json:"active"`
	Rate   float64 `json:"rate"`
	Left   *int64  `json:"leftMs,omitempty"`
}

// MarshalJSON gives done, failed, known, queued, active, rate (to a thousandth) and leftMs, which is absent when it
// is unknown.
func (p Progress) MarshalJSON() ([]byte, error) {
	f := progressFields{p.Done, p.Failed, p.Known, p.Queued, p.Active, math.Round(p.Rate*1000) / 1000, nil}
	if p.Left >= 0 {
		f.Left = new(p.Left.Milliseconds())
	}
	return json.Marshal(f)
}

// UnmarshalJSON reads what MarshalJSON gives.
func (p *Progress) UnmarshalJSON(data []byte) error {
	var f progressFields
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*p = Progress{f.Done, f.Failed, f.Known, f.Queued, f.Active, f.Rate, -1}
	if f.Left != nil {
		p.Left = fromMillis(*f.Left)
	}
	return nil
}

// fromMillis keeps within what a Duration holds, about 292 years.
func fromMillis(ms int64) time.Duration {
	const most = math.MaxInt64 / int64(time.Millisecond)
	return time.Duration(min(max(ms, 0), most)) * time.Millisecond
}

// window is what a Meter looks back on, second by second.
const window = 60

// Meter measures how fast pages are done. Made by [NewMeter]. Safe for concurrent use.
type Meter struct {
	now func() time.Time

	mu      sync.Mutex
	began   time.Time
	seconds [window]struct {
		second int64
		pages  int
	}
}

// NewMeter begins to measure. Nil is time.Now.
func NewMeter(now func() time.Time) *Meter {
	if now == nil {
		now = time.Now
	}
	return &Meter{now: now, began: now()}
}

// Note says that pages are done or have failed, just now. A number below 1 changes
// nothing.
func (m *Meter) Note(pages int) {
	if pages < 1 {
		return
	}
	second := m.now().Unix()
	m.mu.Lock()
	defer m.mu.Unlock()
	s := &m.seconds[((second%window)+window)%window]
	if s.second != second {
		s.second, s.pages = second, 0
	}
	s.pages += pages
}

// Progress completes p, whose counts are the caller's, with rate and time left.
func (m *Meter) Progress(p Progress) Progress {
	p.Rate = m.rate()
	left := float64(p.Queued + p.Active)
	switch d := left / p.Rate * float64(time.Second); {
	case left <= 0:
		p.Left = 0
	case p.Rate <= 0:
		p.Left = -1
	case d >= math.MaxInt64:
		p.Left = math.MaxInt64
	default:
		p.Left = time.Duration(d)
	}
	return p
}

// rate is of the last minute, or of the time since the beginning if that is shorter, but
// of at least a second: the first page is no measure.
func (m *Meter) rate() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	now, pages := m.now(), 0
	for _, s := range m.seconds {
		if age := now.Unix() - s.second; age >= 0 && age < window {
			pages += s.pages
		}
	}
	over := min(max(now.Sub(m.began), time.Second), window*time.Second)
	return float64(pages) / over.Seconds()
}
