package engine

import (
	"context"
	"time"

	"github.com/winnow-go/winnow/engine/internal/auditing"
)

// RenderReport says how a job got its pages, and how sure it is that nothing is missing in those that plain HTTP gave.
type RenderReport struct {
	// HTTP, Browser and Cache are its documents by how they came.
	HTTP    int `json:"http"`
	Browser int `json:"browser"`
	Cache   int `json:"cache"`
	// Oldest is when the oldest of those from the cache was stored, or last vouched for by its site, in UTC. Zero without any.
	Oldest time.Time `json:"oldest,omitzero"`
	// Audits are the pages that were got both ways and compared, though HTTP seemed enough.
	Audits int `json:"audits"`
	// Overturned are the patterns of the paths of templates ("/blog/*") of which an audit showed more, at most 100.
	Overturned []string `json:"overturned,omitempty"`
	// Corrected documents have taken the place of others, which HTTP had given; each is a "page.corrected" event.
	Corrected int `json:"corrected"`
	// Kept are the URLs of pages that were to be got again, but failed, redirected or were denied, with the reason, at most 100.
	Kept map[string]string `json:"kept,omitempty"`
	// Missed is an estimate of the share, 0 to 1, of the text that is missing in what HTTP gave: what audits missed. It lies between MissedMin
	// and MissedMax with a probability of 95 %. Pages without scripts are not in it.
	Missed    float64 `json:"missed"`
	MissedMin float64 `json:"missedMin"`
	MissedMax float64 `json:"missedMax"`
}

// jobRendering is the method of the kinds of jobs that learn of their pages.
type jobRendering struct{ job *Job }

// Rendering reports how the job has got its pages so far.
func (j *jobRendering) Rendering(ctx context.Context) (RenderReport, error) {
	r, err := auditing.ReportOf(j.job.runner.DB(), j.job.id)
	if err != nil {
		return RenderReport{}, j.job.fail(ctx, err)
	}
	return RenderReport(r), nil
}
