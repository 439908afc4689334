package records

import (
	"time"

	"github.com/winnow-go/winnow/actions"
)

// Record is what is kept of a scrape beside its document. Its JSON stands in files: a field may be added, never changed.
type Record struct {
	ID        string    `json:"id"`
	Endpoint  string    `json:"endpoint,omitempty"` // the operation
	Owner     string    `json:"owner,omitempty"`
	URL       string    `json:"url"` // as it was requested
	CreatedAt time.Time `json:"createdAt"`
	Credits   int       `json:"credits"`
	Code      string    `json:"code,omitempty"` // why it failed; empty when it didn't
	Error     string    `json:"error,omitempty"`
	Labels    Labels    `json:"labels,omitzero"`
	Replay    Replay    `json:"replay"`
	Job       string    `json:"job,omitempty"` // that it was part of; empty for none
	Page      string    `json:"page"`          // the key of the URL, see weburl.Key
}

// HasDocument reports whether a document is kept with the record: not of a scrape that failed, nor of one that was part of
// a job, which has it.
func (r Record) HasDocument() bool { return r.Code == "" && r.Job == "" }

// Labels are what a client says of itself.
type Labels struct {
	Origin      string `json:"origin,omitempty"`
	Integration string `json:"integration,omitempty"`
	Version     string `json:"version,omitempty"`
}

// Replay is what leads to the state in which a scrape left its page; the zero value where nothing does.
type Replay struct {
	URL     string           `json:"url"`
	WaitFor time.Duration    `json:"waitFor,omitempty"`
	Actions []actions.Action `json:"actions,omitempty"`
	Profile *Profile         `json:"profile,omitempty"`
}

// Profile names the browser state that a scrape used.
type Profile struct {
	Name        string `json:"name"`
	SaveChanges *bool  `json:"saveChanges,omitempty"` // nil is true
}
