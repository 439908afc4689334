package monitoring

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Bounds of noise.
const (
	maxListed = 10_000 // rules in a list
	maxOff    = 1000   // rules of a monitor that are taken back
)

// learntKey is where what is known of noise is kept: pages of one host whose addresses have one form are mostly made by one template, and
// what varies on some of them varies on all.
func learntKey(id, target, url string) []byte { return key(id, target, formOf(url)) }

// maxForm bounds the form of an address, in segments.
const maxForm = 8

// formOf is the form of an address: its host and the first segments of its path, those with digits, or that are long, as one.
func formOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	segments := strings.Split(strings.Trim(u.Path, "/"), "/")
	for i, s := range segments {
		if len(s) > 24 || strings.ContainsAny(s, "0123456789") || i == len(segments)-1 && i > 0 {
			segments[i] = "*"
		}
	}
	return strings.ToLower(u.Host) + "/" + strings.Join(segments[:min(len(segments), maxForm)], "/")
}

// Noise lists what the monitor takes for noise, by forms of addresses; at most 10,000 rules.
func (m *Monitors) Noise(id string) (list []monitor.Noise, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		if _, err := monitorOf(tx, id); err != nil || m.o.Noise == nil {
			return err
		}
		for k, data := range under(tx, bucketLearnt, id, nil) {
			var learnt json.RawMessage
			if err := unpack(data, &learnt); err != nil {
				return err
			}
			target, form, _ := bytes.Cut(k[len(id)+1:], []byte{0})
			for _, n := range m.o.Noise.List(learnt) {
				n.TargetID, n.Pages = string(target), string(form)
				if list = append(list, n); len(list) == maxListed {
					return nil
				}
			}
		}
		return nil
	})
	return list, err
}

// TakeBack makes what a rule of noise passes over count, on all pages of a monitor, from the next check on.
func (m *Monitors) TakeBack(id, rule string) error {
	return m.o.DB.Update(func(tx jobs.Tx) error {
		r, err := monitorOf(tx, id)
		if err != nil || slices.Contains(r.Off, rule) {
			return err
		}
		if m.o.Noise == nil || len(r.Off) >= maxOff || !m.o.Noise.IsRule(rule) {
			return &option.Error{Field: "noise", Value: rule, Want: "a rule of the list, at most 1000 of them"}
		}
		r.Off = append(r.Off, rule)
		r.Revision++
		return putMonitor(tx, r)
	})
}
