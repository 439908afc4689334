// Package hearing joins monitors with package noise, which knows what varies in a page without meaning.
package hearing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // screenshots are one of these
	_ "image/png"
	"strings"

	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/noise"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Noise implements [monitoring.Noise].
type Noise struct{}

var _ monitoring.Noise = Noise{}

// load reads what is known of a page; what can't be read is nothing.
func load(learnt json.RawMessage) *noise.Learnt {
	if len(learnt) > 0 {
		if l, err := noise.Load(learnt); err == nil {
			return l
		}
	}
	return noise.New()
}

// Compare implements [monitoring.Noise].
func (Noise) Compare(before, after monitoring.Text, learnt, held json.RawMessage, off []string) (c monitoring.Comparison, err error) {
	l := load(learnt)
	var pending noise.Pending
	if len(held) > 0 && json.Unmarshal(held, &pending) != nil {
		pending = noise.Pending{} // what can't be read holds nothing
	}
	for _, rule := range off {
		if err := l.TakeBack(rule); err != nil && !errors.Is(err, noise.ErrUnknownRule) {
			return c, err
		}
	}
	r, pending := l.Check(noise.Version{Text: before.Text, Seen: before.Seen}, noise.Version{Text: after.Text, Seen: after.Seen}, pending)
	c.Changed = r.Changed
	for _, b := range r.Blocks {
		c.Before, c.After = append(c.Before, b.Before), append(c.After, b.After)
	}
	for _, p := range r.Passed {
		c.Passed = append(c.Passed, fmt.Sprintf("%s: %s → %s (%s)", p.Kind, clipped(p.Before), clipped(p.After), p.Rule))
	}
	for _, h := range pending.Held {
		c.Passed = append(c.Passed, fmt.Sprintf("held back: %s → %s (%s)", clipped(h.Before), clipped(h.After), h.Rule))
	}
	if c.Learnt, err = json.Marshal(l); err != nil {
		return c, err
	}
	c.Held, err = json.Marshal(pending)
	return c, err
}

const maxPassed = 200 // bytes of each side of what was passed over

func clipped(s string) string {
	if len(s) > maxPassed {
		s = strings.ToValidUTF8(s[:maxPassed], "") + "…"
	}
	return s
}

// IsRule implements [monitoring.Noise].
func (Noise) IsRule(id string) bool { return noise.IsRule(id) }

// List implements [monitoring.Noise].
func (Noise) List(learnt json.RawMessage) (list []monitor.Noise) {
	for _, r := range load(learnt).List() {
		list = append(list, monitor.Noise{
			Rule: r.ID, Kind: string(r.Kind), Words: r.Words, Example: r.Example, Count: r.Count, Learnt: r.Learnt, TakenBack: r.TakenBack,
		})
	}
	return list
}

// maxBoxes bounds the boxes of a diff.
const maxBoxes = 100

// Pictures implements [monitoring.Pictures].
func Pictures(before, after []byte) (boxes []monitor.Box, share float64, err error) {
	a, err := decoded(before)
	if err != nil {
		return nil, 0, err
	}
	b, err := decoded(after)
	if err != nil {
		return nil, 0, err
	}
	r, err := noise.Pictures(a, b, noise.PictureOptions{})
	if err != nil || !r.Changed() {
		return nil, 0, err
	}
	for _, box := range r.Boxes[:min(len(r.Boxes), maxBoxes)] {
		b := boxOf(box.Rectangle)
		if box.Moved {
			b.From = new(boxOf(box.From))
		}
		boxes = append(boxes, b)
	}
	return boxes, r.Share, nil
}

func boxOf(r image.Rectangle) monitor.Box {
	return monitor.Box{X: r.Min.X, Y: r.Min.Y, Width: r.Dx(), Height: r.Dy()}
}

// decoded reads a picture whose size is bounded before it is.
func decoded(data []byte) (image.Image, error) {
	head, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if head.Width*head.Height > noise.MaxPixels/4 {
		return nil, noise.ErrTooLarge
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	return picture, err
}
