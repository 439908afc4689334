package engine

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine/internal/records"
)

// ScrapeRecord is what is kept of a scrape for a day. Under lockdown and zero data
// retention there is none.
type ScrapeRecord struct {
	// ID is the document's metadata.scrapeId.
	ID string `json:"id"`
	// Endpoint is the operation: "scrape" or "parse". Empty in records of older versions.
	Endpoint string `json:"endpoint,omitempty"`
	// Owner is the scrape's own; the caller that asks for a record checks it.
	Owner string `json:"owner,omitempty"`
	// URL is as it was asked for.
	URL string `json:"url"`
	// CreatedAt is when the scrape began.
	CreatedAt time.Time `json:"createdAt"`
	// Credits that it cost.
	Credits int `json:"credits"`
	// Code and Error say why it failed; both are empty when it didn't.
	Code  Code   `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
	// Labels of the request; those of a job's pages are the job's own.
	Labels Labels `json:"labels,omitzero"`
	// Replay is what leads to the state of the page again; empty for a session's page.
	Replay Replay `json:"replay"`
	// Job is the id of the job that the scrape was part of; empty for none.
	Job string `json:"job,omitempty"`
	// Document is nil when the scrape failed, and when it was part of a job, which has it.
	Document *Document `json:"-"`
}

// Replay is what has to be done again to get to the state in which a scrape left
// its page.
type Replay struct {
	URL     string           `json:"url"`
	WaitFor time.Duration    `json:"waitFor,omitempty"`
	Actions []actions.Action `json:"actions,omitempty"`
	Profile *Profile         `json:"profile,omitempty"`
}

// record keeps the scrape, written behind the answer.
func (s *scrape) record(ctx context.Context, doc *Document, failed *Error) {
	if s.plan.private() {
		return
	}
	if err := s.putRecord(ctx, doc, failed); err != nil {
		s.engine.log.Warn("a scrape can't be recorded", "scrape", s.ID, "error", err)
	}
	if s.job == "" && !s.part {
		s.engine.note(ctx, Activity{ID: s.ID, Endpoint: s.endpoint, Owner: s.plan.Owner, Target: s.plan.source, CreatedAt: s.began})
	}
}

func (s *scrape) putRecord(ctx context.Context, doc *Document, failed *Error) error {
	r := records.Record{
		ID: s.ID, Endpoint: s.endpoint, Job: s.job, Owner: s.plan.Owner, URL: s.plan.source, CreatedAt: s.began, Credits: s.cost,
		Labels: records.Labels(labelsOf(ctx)), Page: s.plan.Caching.Name,
	}
	if !s.ofSession {
		profile := (*records.Profile)(s.plan.replay)
		r.Replay = records.Replay{URL: s.plan.URL, WaitFor: s.plan.WaitFor, Actions: s.plan.Actions, Profile: profile}
	}
	if failed != nil {
		r.Code, r.Error = string(failed.Code), failed.Error()
	}
	return s.engine.stores.Records.Put(context.WithoutCancel(ctx), r, doc)
}

// ScrapeByID gives the record of a scrape of the last 24 hours. An id that isn't
// known, or whose scrape kept nothing, is a [CodeNotFound] error. The owner is not
// checked: a caller who serves several does that.
func (e *Engine) ScrapeByID(ctx context.Context, id string) (*ScrapeRecord, error) {
	var record *ScrapeRecord
	err := e.manage(ctx, "scrape by id", "", func(ctx context.Context) error {
		doc := &Document{}
		r, err := e.stores.Records.Get(ctx, id, doc)
		record = recordOf(r)
		if r.HasDocument() {
			record.Document = doc
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return record, nil
}

func recordOf(r records.Record) *ScrapeRecord {
	profile := (*Profile)(r.Replay.Profile)
	return &ScrapeRecord{
		ID: r.ID, Endpoint: r.Endpoint, Owner: r.Owner, URL: r.URL, CreatedAt: r.CreatedAt, Credits: r.Credits,
		Code: Code(r.Code), Error: r.Error, Labels: Labels(r.Labels), Job: r.Job,
		Replay: Replay{URL: r.Replay.URL, WaitFor: r.Replay.WaitFor, Actions: r.Replay.Actions, Profile: profile},
	}
}
