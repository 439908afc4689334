package work

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/packed"
)

// payload is a webhook's data of a page event, an agent's action or a change: a JSON array of one.
func (r *Runner) payload(ctx context.Context, record jobs.Record, e jobs.Event) (data json.RawMessage, failed string, err error) {
	if own := r.o.Kinds[record.Kind].Payload; own != nil {
		return own(ctx, record, e)
	}
	switch {
	case e.Type == jobs.EventAction, e.Type == jobs.EventChange:
		return list(e.Data), "", nil
	case e.Ref == 0:
		return r.failedPayload(e)
	}
	f, err := r.Frontier(record.ID)
	if err != nil {
		return nil, "", err
	}
	results, err := f.Results(ctx, e.Ref-1, 1)
	if err != nil {
		return nil, "", err
	}
	if len(results) == 0 {
		return nil, "", errors.New("the event's document is gone")
	}
	doc, err := packed.Decode(results[0].Data)
	return list(doc), "", err
}

func (r *Runner) failedPayload(e jobs.Event) (data json.RawMessage, failed string, err error) {
	var page pageEvent
	if err := json.Unmarshal(e.Data, &page); err != nil {
		return nil, "", err
	}
	data, err = json.Marshal([]any{r.o.Failed(page.URL)})
	return data, page.Error, err
}

func list(one []byte) json.RawMessage { return slices.Concat([]byte("["), one, []byte("]")) }
