package monitoring

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/winnow-go/winnow/engine/internal/clip"
	"github.com/winnow-go/winnow/engine/internal/tracking"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Text is what a page said at a time, in the zone of the monitor.
type Text struct {
	Text string
	Seen time.Time
}

// Comparison is what a comparison beside noise comes to.
type Comparison struct {
	Changed       bool
	Before, After []string        // the blocks that differ; "" where there is none
	Passed        []string        // what was passed over, in words
	Learnt        json.RawMessage // takes the place of what was known
	Held          json.RawMessage // is to be given to the next comparison of the page
}

// Noise knows what varies in the texts of a page without meaning. Safe for concurrent use.
type Noise interface {
	// Compare compares two texts of a page and learns by them. learnt is what an earlier call returned for the page or one
	// of its kind; nil: nothing is known. held is what the call before returned for the page: it may hold back what is probably noise,
	// and return it as a change some checks later. Rules of the ids in off don't apply.
	Compare(before, after Text, learnt, held json.RawMessage, off []string) (Comparison, error)
	// List returns the rules that have passed something over, and those that were taken back.
	List(learnt json.RawMessage) []monitor.Noise
	// IsRule reports whether there can be a rule of an id.
	IsRule(id string) bool
}

// Pictures compares two pictures as a reader sees them, and returns the boxes that moved, in pixels of the second, and the share of it
// that they cover. None: they are the same.
type Pictures func(before, after []byte) (boxes []monitor.Box, share float64, err error)

// compare fills in the status of a page, what is different, and what is to be known of it from now on.
func (r *run) compare(ctx context.Context, t Target, before *snapshot, o Observation, v *verdict) {
	fail := func(why string) { v.page.Status, v.page.Error = monitor.Error, clip.Bytes(why, maxError) }
	switch known := before != nil && !before.Gone; {
	case o.Gone && known:
		v.page.Status, v.now = monitor.Removed, &snapshot{Scrape: o.ScrapeID, At: v.page.At, Title: before.Title, Gone: true}
	case o.Gone && before != nil && !before.Unseen:
		v.page.Status = monitor.Same
	case o.Gone:
		fail("the site says that there is no such page")
		v.now = &snapshot{At: v.page.At, Gone: true, Unseen: true, Awaited: true}
	case o.Failure != "":
		fail(o.Failure)
	case t.Type != monitor.Search && len(t.Watch.Parts) == 0 && o.showsError() != "":
		fail(fmt.Sprintf("the page shows an error: %q", o.showsError()))
	case t.Text && !hasWords(o.Text) && len(o.Picture) == 0:
		fail("the page came without text")
	case t.Text && len(o.Text) > maxText:
		fail(fmt.Sprintf("the page's text has %d bytes, more than the %d that are compared", len(o.Text), maxText))
	case t.Data && len(o.JSON) == 0:
		fail("no data was read from the page")
	case t.Text && r.doubtful(t, before, o, v):
	case !known:
		v.page.Status, v.now = monitor.New, snapshotOf(o, v)
		v.first = r.baseline[t.ID] || t.Type == monitor.Scrape && (before == nil || before.Unseen && !before.Awaited)
	default:
		if err := r.differ(ctx, t, before, o, v); err != nil {
			fail("the page can't be compared: " + err.Error())
			v.now = nil
		}
	}
}

func snapshotOf(o Observation, v *verdict) *snapshot {
	return &snapshot{Scrape: o.ScrapeID, At: v.page.At, Title: o.Title, Text: o.Text, JSON: o.JSON, Picture: o.Picture}
}

func hasWords(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// A text of fewer words than few, and than a tenth of what was known, is rather a page that failed than one that changed; so is a page
// that is new and has hardly a word.
const (
	fewWords  = 30
	fewInPart = 10
	newWords  = 8
)

// doubtful reports a page that came nearly empty: that is an error, unless the next check finds just that again.
func (r *run) doubtful(t Target, before *snapshot, o Observation, v *verdict) bool {
	now, was := len(strings.Fields(o.Text)), 0
	known := before != nil && !before.Gone
	if known {
		was = len(strings.Fields(before.Text))
	}
	if known && (now >= fewWords || now*fewInPart >= was) || !known && (now >= newWords || len(t.Watch.Parts) > 0 || len(o.Picture) > 0) {
		return false
	}
	digest := sha256.Sum256([]byte(o.Text))
	if before != nil && string(before.Doubt) == string(digest[:]) {
		return false
	}
	next := snapshot{Gone: true, Unseen: true, At: v.page.At}
	if before != nil {
		next = *before
	}
	next.Doubt, v.now = digest[:], &next
	v.page.Status = monitor.Error
	v.page.Error = fmt.Sprintf("the page came with %d words after %d: it counts if the next check finds the same", now, was)
	return true
}

// differ compares a page with what is known of it.
func (r *run) differ(ctx context.Context, t Target, before *snapshot, o Observation, v *verdict) error {
	v.page.Status, v.now = monitor.Same, snapshotOf(o, v)
	diff := &monitor.Diff{}
	if t.Text {
		if err := r.differText(ctx, t, before, o, v, diff); err != nil {
			return err
		}
	}
	if t.Data && len(before.JSON) > 0 && !equalJSON(before.JSON, o.JSON) {
		v.page.Status = monitor.Changed
		diff.JSON = fieldsBetween(before.JSON, o.JSON)
	}
	if t.Watch.Picture && r.o.Pictures != nil && len(before.Picture) > 0 && len(o.Picture) > 0 {
		var err error
		if diff.Boxes, diff.Share, err = r.o.Pictures(before.Picture, o.Picture); err != nil {
			return err
		}
		if len(diff.Boxes) > 0 {
			v.page.Status = monitor.Changed
		}
	}
	if v.page.Status == monitor.Changed {
		v.page.Diff = diff
	}
	return nil
}

func (r *run) differText(ctx context.Context, t Target, before *snapshot, o Observation, v *verdict, diff *monitor.Diff) (err error) {
	was, now := before.Text, o.Text
	if t.noise() && r.o.Noise != nil {
		zone := zoneOf(r.monitor)
		c, err := r.o.Noise.Compare(Text{was, before.At.In(zone)}, Text{now, v.page.At.In(zone)}, v.learnt, before.Held, r.monitor.Off)
		if err != nil {
			return err
		}
		v.page.Noise, v.next = c.Passed[:min(len(c.Passed), maxNoise)], c.Learnt
		v.now.Held = c.Held
		if !c.Changed {
			return nil
		}
		was, now = strings.Join(c.Before, "\n\n"), strings.Join(c.After, "\n\n")
	}
	if tracking.Same(was, now) {
		return nil
	}
	v.page.Status = monitor.Changed
	if diff.Text, err = tracking.Diff(ctx, was, now); err != nil {
		return err
	}
	if len(diff.Text) > maxDiff {
		diff.Text = clip.Bytes(diff.Text, maxDiff) + "\n(the diff is cut here)\n"
		return nil
	}
	parsed, err := tracking.Parse(diff.Text)
	if err != nil {
		return err
	}
	diff.JSON, err = json.Marshal(parsed)
	return err
}

// zoneOf is the time zone of a monitor, in which its pages are likely to be.
func zoneOf(r *Monitor) *time.Location {
	if zone, err := time.LoadLocation(r.Schedule.Timezone); err == nil {
		return zone
	}
	return time.UTC
}
