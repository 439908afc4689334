package sessions

import "time"

// Statuses of a session.
const (
	StatusActive    = "active"
	StatusDestroyed = "destroyed"
)

// What a session costs, in credits for each minute that has begun.
const (
	CodeMinute   = 2
	PromptMinute = 7 // once a model has driven it
)

// Info says how a session stands.
type Info struct {
	ID string
	// Status is "active" or "destroyed".
	Status string
	Owner  string
	// Scrape that the session went on with; empty for none.
	Scrape string
	// CreatedAt, LastActivity, ExpiresAt (by its TTL) and EndedAt, which is zero while it is active.
	CreatedAt    time.Time
	LastActivity time.Time
	ExpiresAt    time.Time
	EndedAt      time.Time
	// Reason why it ended.
	Reason string
	// Duration so far, or in all.
	Duration time.Duration
	// Credits that it has cost so far, or in all.
	Credits int
	// LiveViewURL and InteractiveLiveViewURL are empty without a live view, and after the end.
	LiveViewURL            string
	InteractiveLiveViewURL string
}

// Record is what is stored of a session.
type Record struct {
	ID       string        `json:"id"`
	Owner    string        `json:"owner,omitempty"`
	Scrape   string        `json:"scrape,omitempty"`
	Created  time.Time     `json:"created"`
	TTL      time.Duration `json:"ttl"`
	Idle     time.Duration `json:"idle"`
	Prompted bool          `json:"prompted,omitempty"`
	Used     time.Time     `json:"used"`
	Ended    time.Time     `json:"ended,omitzero"`
	Reason   string        `json:"reason,omitempty"`
	Credits  int           `json:"credits,omitempty"`
}

// price is what the session has cost by a time; at least a minute.
func (r *Record) price(now time.Time) int {
	minutes := max(1, int((now.Sub(r.Created)+time.Minute-1)/time.Minute))
	if r.Prompted {
		return minutes * PromptMinute
	}
	return minutes * CodeMinute
}

func (r *Record) info(now time.Time) Info {
	i := Info{
		ID: r.ID, Status: StatusActive, Owner: r.Owner, Scrape: r.Scrape, CreatedAt: r.Created.UTC(), LastActivity: r.Used.UTC(),
		ExpiresAt: r.Created.Add(r.TTL).UTC(), Duration: now.Sub(r.Created), Credits: r.price(now),
	}
	if !r.Ended.IsZero() {
		i.Status, i.EndedAt, i.Reason, i.Duration, i.Credits = StatusDestroyed, r.Ended.UTC(), r.Reason, r.Ended.Sub(r.Created), r.Credits
	}
	return i
}

// expired reports whether a session ended so long ago that it is forgotten.
func (r *Record) expired(now time.Time, keepFor time.Duration) bool {
	return !r.Ended.IsZero() && now.Sub(r.Ended) > keepFor
}
