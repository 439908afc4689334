package monitoring

import (
	"bytes"
	"slices"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Bounds of noise.
const (
	maxListed = 10_000 // rules in a list
	maxOff    = 1000   // rules of a monitor that are taken back
)

// Noise lists what the monitor takes for noise, by page; at most 10,000 rules.
func (m *Monitors) Noise(id string) (list []monitor.Noise, err error) {
	err = m.o.DB.View(func(tx jobs.Tx) error {
		if _, err := monitorOf(tx, id); err != nil || m.o.Noise == nil {
			return err
		}
		for k, data := range under(tx, bucketSnapshots, id, nil) {
			var s snapshot
			if err := unpack(data, &s); err != nil {
				return err
			}
			target, url, _ := bytes.Cut(k[len(id)+1:], []byte{0})
			for _, n := range m.o.Noise.List(s.Learnt) {
				n.TargetID, n.URL = string(target), string(url)
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
		if m.o.Noise == nil || len(r.Off) >= maxOff || rule == "" || len(rule) > maxName {
			return &option.Error{Field: "noise", Value: rule, Want: "a rule of the list, of at most 1000"}
		}
		r.Off = append(r.Off, rule)
		r.Revision++
		return put(tx, bucketMonitors, []byte(id), r)
	})
}
