package engine

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/cache"
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

// recordHead is a record beside its document, as it is stored.
type recordHead struct {
	ScrapeRecord
	Page string `json:"page"` // pageKey of the URL
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
	head := recordHead{Page: s.plan.Caching.Name, ScrapeRecord: ScrapeRecord{
		ID: s.ID, Endpoint: s.endpoint, Job: s.job, Owner: s.plan.Owner, URL: s.plan.source, CreatedAt: s.began, Credits: s.cost,
		Labels: labelsOf(ctx),
		Replay: Replay{URL: s.plan.URL, WaitFor: s.plan.WaitFor, Actions: s.plan.Actions, Profile: s.plan.replay},
	}}
	if s.ofSession {
		head.Replay = Replay{}
	}
	var value []byte
	var err error
	switch {
	case failed != nil:
		head.Code, head.Error = failed.Code, failed.Error()
	case s.job != "": // the job keeps it
	default:
		if value, err = json.Marshal(doc); err != nil {
			return err
		}
	}
	meta, err := json.Marshal(head)
	if err != nil {
		return err
	}
	return s.engine.stores.records.Put(context.WithoutCancel(ctx), cache.Entry{Key: s.ID, Stored: s.began, Meta: meta, Value: value}, nil)
}

// errNoRecord is the cause of CodeNotFound.
var errNoRecord = errors.New("no scrape of the last 24 hours has this id")

// ScrapeByID gives the record of a scrape of the last 24 hours. An id that isn't
// known, or whose scrape kept nothing, is a [CodeNotFound] error. The owner is not
// checked: a caller who serves several does that.
func (e *Engine) ScrapeByID(ctx context.Context, id string) (*ScrapeRecord, error) {
	var record *ScrapeRecord
	err := e.manage(ctx, "scrape by id", "", func(ctx context.Context) error {
		head, version, err := e.recordHead(ctx, id)
		if err != nil {
			return err
		}
		record = &head.ScrapeRecord
		if record.Code != "" || record.Job != "" {
			return nil
		}
		data, err := e.stores.records.Get(ctx, version)
		if errors.Is(err, cache.ErrNotFound) {
			return &Error{Code: CodeNotFound, Err: errNoRecord}
		}
		if err != nil {
			return err
		}
		record.Document = &Document{}
		return json.Unmarshal(data, record.Document)
	})
	if err != nil {
		return nil, err
	}
	return record, nil
}

func (e *Engine) recordHead(ctx context.Context, id string) (recordHead, cache.Version, error) {
	var head recordHead
	if id == "" {
		return head, cache.Version{}, &Error{Code: CodeNotFound, Err: errNoRecord}
	}
	versions, err := e.stores.records.Versions(ctx, id)
	if err != nil {
		return head, cache.Version{}, err
	}
	if len(versions) == 0 || e.now().Sub(versions[0].Stored) > recordAge {
		return head, cache.Version{}, &Error{Code: CodeNotFound, Err: errNoRecord}
	}
	return head, versions[0], json.Unmarshal(versions[0].Meta, &head)
}
