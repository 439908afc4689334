package jobs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// hookFields is the object form of a webhook.
type hookFields struct {
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
	Events   []string          `json:"events,omitempty"`
	Secret   string            `json:"secret,omitempty"`
}

// StoredHook is a webhook as it is kept, with its secret.
type StoredHook Webhook

// MarshalJSON writes the secret too.
func (w StoredHook) MarshalJSON() ([]byte, error) { return json.Marshal(hookFields(w)) }

// UnmarshalJSON reads what MarshalJSON wrote.
func (w *StoredHook) UnmarshalJSON(data []byte) error { return (*Webhook)(w).UnmarshalJSON(data) }

var hookKeys = []string{"url", "headers", "metadata", "events", "secret"}

// MarshalJSON gives the object form, without the secret.
func (w Webhook) MarshalJSON() ([]byte, error) {
	w.Secret = ""
	return json.Marshal(hookFields(w))
}

// UnmarshalJSON accepts a string, which is the URL, or an object of url, headers,
// metadata, events and secret. An unknown key is an error, also one that differs in case. Nothing is validated.
func (w *Webhook) UnmarshalJSON(data []byte) error {
	var f hookFields
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '"' {
		if err := json.Unmarshal(data, &f.URL); err != nil {
			return err
		}
		*w = Webhook(f)
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("webhook: one string or object")
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return err
	}
	for name := range keys { // the decoder above takes "URL" for "url"
		if !slices.Contains(hookKeys, name) {
			return fmt.Errorf("webhook: unknown field %q", name)
		}
	}
	*w = Webhook(f)
	return nil
}

// webhook reads the hook of a job.
func webhook(tx Tx, n uint64) (*Webhook, error) {
	var w Webhook
	found, err := get(tx, bucketHooks, key(n), &w)
	if err == nil && !found {
		err = &DamagedError{bucketHooks}
	}
	if err != nil {
		return nil, err
	}
	return &w, nil
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
