package jobs

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/uuid"
)

// maxBody bounds a payload, in bytes.
const maxBody = 64 << 20

// payload is the body of a webhook, in the service's words.
type payload struct {
	Success   bool              `json:"success"`
	Type      string            `json:"type"`
	ID        string            `json:"id"`
	WebhookID string            `json:"webhookId"`
	Data      json.RawMessage   `json:"data"`
	Metadata  map[string]string `json:"metadata"`
	Error     string            `json:"error,omitempty"`
}

var errData = errors.New("the payload's data is no JSON array")

// body makes the payload of an event.
func (j *Jobs) body(ctx context.Context, d *delivery) ([]byte, error) {
	p := payload{
		Success: true, Type: d.record.Kind + "." + d.event.Type, ID: d.record.ID,
		WebhookID: webhookID(d.record.ID, d.event.Seq), Data: json.RawMessage("[]"), Metadata: d.record.Webhook.Metadata,
	}
	if p.Metadata == nil {
		p.Metadata = map[string]string{}
	}
	var err error
	switch d.event.Type {
	case EventPage, EventCorrected, EventChange, EventAction, EventChecked:
		err = j.fill(ctx, d, &p)
	case EventFailed, EventCancelled:
		p.Success, p.Error = false, d.record.Error
	}
	if err != nil {
		return nil, fmt.Errorf("make the payload: %w", err)
	}
	return encode(p)
}

// fill puts in what a page event is about.
func (j *Jobs) fill(ctx context.Context, d *delivery, p *payload) error {
	if j.o.Payload == nil {
		return nil
	}
	var data json.RawMessage
	err := j.safely(func() (err error) {
		data, p.Error, err = j.o.Payload(ctx, d.record, d.event)
		return err
	})
	if err != nil {
		return err
	}
	if data = bytes.TrimSpace(data); len(data) > 0 {
		p.Data = data
	}
	if p.Success = p.Error == ""; p.Data[0] != '[' {
		return errData
	}
	return nil
}

// encode leaves <, > and & as they are: the body is no HTML.
func encode(p payload) ([]byte, error) {
	if len(p.Data) > maxBody {
		return nil, fmt.Errorf("a payload of more than %d bytes", maxBody)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// webhookID is made from job and event, so that each attempt has the same, also one
// after a crash: by it a receiver knows what it has had already.
func webhookID(id string, seq uint64) string {
	space, err := uuid.Parse(id)
	if err != nil {
		space = uuid.Nil // no job has such an id
	}
	return uuid.NewSHA1(space, binary.BigEndian.AppendUint64(nil, seq)).String()
}

// header is that of a request with this body.
func (w *Webhook) header(body []byte) http.Header {
	h := http.Header{"Content-Type": {"application/json"}}
	for name, value := range w.Headers {
		h.Set(name, value)
	}
	if w.Secret != "" {
		mac := hmac.New(sha256.New, []byte(w.Secret))
		mac.Write(body)
		h.Set(SignatureHeader, "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	return h
}
