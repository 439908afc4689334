package jobs

import (
	"context"
	"time"
)

// maxLost is how many lost deliveries are listed.
const maxLost = 1000

// Deliveries is what became of a job's webhook so far.
type Deliveries struct {
	// Delivered is the number of events that were answered with a 2xx.
	Delivered uint64
	// GivenUp is the number of those that never were. Failed lists them, oldest first; the
	// newest 1000 if there are more.
	GivenUp uint64
	Failed  []Delivery
	// Next is what is sent now or waits to be sent; nil: nothing at the moment.
	Next *Delivery
}

// Delivery is an event on its way to a webhook.
type Delivery struct {
	// Seq and Type of the event; Type with the kind, such as "crawl.page".
	Seq  uint64 `json:"seq"`
	Type string `json:"type"`
	// WebhookID as in the payload.
	WebhookID string `json:"webhookId"`
	// Attempts that failed; the last was at Tried and got Status (0: no answer) and Error.
	Attempts int       `json:"attempts"`
	Tried    time.Time `json:"tried,omitzero"`
	Status   int       `json:"status,omitempty"`
	Error    string    `json:"error,omitempty"`
	// Due is when it is tried next; zero: it was given up.
	Due time.Time `json:"due,omitzero"`
}

// delivery is the post's next event as it stands.
func (p *post) delivery(id, kind string, e Event) Delivery {
	d := Delivery{Seq: e.Seq, Type: kind + "." + e.Type, WebhookID: webhookID(id, e.Seq), Attempts: p.Attempts}
	if p.Attempts > 0 {
		d.Tried, d.Status, d.Error = p.Tried, p.Status, p.Error
	}
	return d
}

// Deliveries returns what became of a job's webhook so far; all zero for a job without. [ErrNotFound] as everywhere.
func (j *Jobs) Deliveries(ctx context.Context, id string) (d Deliveries, err error) {
	err = j.view(ctx, func(tx Tx) error {
		n, h, err := j.find(tx, id)
		if err != nil || !h.Hook {
			return err
		}
		var p post
		if found, err := get(tx, bucketPosts, key(n), &p); err != nil || !found {
			return err
		}
		d.Delivered, d.GivenUp = p.Delivered, p.GivenUp
		if d.Next, err = p.upcoming(tx, n, h); err != nil {
			return err
		}
		d.Failed, err = lost(tx, n)
		return err
	})
	if err != nil {
		return Deliveries{}, err
	}
	return d, nil
}

// upcoming finds the next event that the filter lets through; nil: none yet.
func (p *post) upcoming(tx Tx, n uint64, h head) (*Delivery, error) {
	if p.Due.IsZero() {
		return nil, nil
	}
	for k, row := range own(tx, bucketEvents, n, p.Next) {
		e, err := decodeEvent(k, row)
		if err != nil {
			return nil, err
		}
		if !matches(p.Events, h.Kind, e.Type) {
			continue
		}
		d := p.delivery(h.ID, h.Kind, e)
		d.Due = p.Due
		return &d, nil
	}
	return nil, nil
}

func lost(tx Tx, n uint64) (list []Delivery, err error) {
	for _, row := range own(tx, bucketLost, n, 0) {
		var d Delivery
		if err := decode(bucketLost, row, &d); err != nil {
			return nil, err
		}
		if list = append(list, d); len(list) > maxLost {
			list = list[1:]
		}
	}
	return list, nil
}
