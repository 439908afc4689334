package monitoring

import (
	"encoding/json"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/monitor"
)

// pagePayload is what a webhook carries of a page, in the service's words.
type pagePayload struct {
	MonitorID string             `json:"monitorId"`
	CheckID   string             `json:"checkId"`
	URL       string             `json:"url"`
	Status    monitor.PageStatus `json:"status"`
	Previous  *string            `json:"previousScrapeId"`
	Current   *string            `json:"currentScrapeId"`
	Error     *string            `json:"error"`
	Diff      *monitor.Diff      `json:"diff,omitempty"`
	// Meaningful is what the judgment says, absent without one.
	Meaningful *bool             `json:"isMeaningful,omitempty"`
	Judgment   *monitor.Judgment `json:"judgment,omitempty"`
	JSON       json.RawMessage   `json:"json,omitempty"`
}

// checkPayload is what a webhook carries of a check, in the service's words; the digest is winnow's.
type checkPayload struct {
	CheckID   string              `json:"checkId"`
	MonitorID string              `json:"monitorId"`
	Status    monitor.CheckStatus `json:"status"`
	Summary   monitor.Summary     `json:"summary"`
	Error     string              `json:"error,omitempty"`
	Winnow    digestPayload       `json:"winnow"`
}

type digestPayload struct {
	Digest string `json:"digest"`
}

// digestPages bounds the pages that a digest is made of.
const digestPages = 200

// Payload is what webhooks carry of an event of a check's job: a JSON array of one. failed is the error of a page, or of a check with
// pages that failed.
func (m *Monitors) Payload(monitorID, check string, e jobs.Event) (data json.RawMessage, failed string, err error) {
	if e.Type == jobs.EventChecked {
		return m.checkPayload(monitorID, e)
	}
	var p monitor.Page
	err = m.o.DB.View(func(tx jobs.Tx) error {
		found, err := get(tx, bucketPages, numbered(check, e.Ref), &p)
		if err == nil && !found {
			err = ErrNotFound
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	out := pagePayload{
		MonitorID: monitorID, CheckID: check, URL: p.URL, Status: p.Status, Previous: orNull(p.Previous), Current: orNull(p.Current),
		Error: orNull(p.Error), Diff: p.Diff, Judgment: p.Judgment, JSON: p.JSON,
	}
	if p.Judgment != nil {
		out.Meaningful = &p.Judgment.Meaningful
	}
	if p.Status == monitor.Error {
		failed = p.Error
	}
	data, err = json.Marshal([]any{out})
	return data, failed, err
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (m *Monitors) checkPayload(id string, e jobs.Event) (data json.RawMessage, failed string, err error) {
	var c monitor.Check
	if err := json.Unmarshal(e.Data, &c); err != nil {
		return nil, "", err
	}
	digest, err := m.Digest(id, &c)
	if err != nil {
		return nil, "", err
	}
	if c.Status != monitor.Completed {
		failed = c.Error
		if failed == "" {
			failed = "pages could not be compared"
		}
	}
	data, err = json.Marshal([]any{checkPayload{c.ID, c.MonitorID, c.Status, c.Summary, c.Error, digestPayload{digest}}})
	return data, failed, err
}

// Digest is a check in a few lines.
func (m *Monitors) Digest(id string, c *monitor.Check) (string, error) {
	var notable []monitor.Page
	name := ""
	err := m.o.DB.View(func(tx jobs.Tx) error {
		r, err := monitorOf(tx, id)
		if err != nil {
			return err
		}
		name = r.Name
		for _, data := range under(tx, bucketPages, c.ID, nil) {
			var p monitor.Page
			if err := unpack(data, &p); err != nil {
				return err
			}
			if p.Status != monitor.Same && len(notable) < digestPages {
				notable = append(notable, p)
			}
		}
		return nil
	})
	return monitor.Digest(name, c, notable), err
}
