package noise

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// storeVersion is that of the form in which a Learnt is kept.
const storeVersion = 1

// ErrNewer: the data is of a newer version of this package.
var ErrNewer = errors.New("what was learnt is in a newer form")

// maxStored bounds the data that Load reads, in bytes.
const maxStored = 4 << 20

type stored struct {
	Version  int                      `json:"version"`
	Clock    int64                    `json:"clock,omitempty"`
	Slots    map[string]storedSlot    `json:"slots,omitempty"`
	Applied  map[string]storedApplied `json:"applied,omitempty"`
	Off      []string                 `json:"takenBack,omitempty"`
	Accepted map[string]string        `json:"accepted,omitempty"`
}

type storedSlot struct {
	Class   class    `json:"class,omitempty"`
	Named   string   `json:"named,omitempty"`
	Example string   `json:"example,omitempty"`
	Varied  int      `json:"varied,omitempty"`
	Present int      `json:"present,omitempty"`
	Quick   int      `json:"quick,omitempty"`
	Returns int      `json:"returns,omitempty"`
	Passed  int      `json:"passed,omitempty"`
	Last    int64    `json:"last,omitempty"`
	Left    []uint64 `json:"left,omitempty"`
	Back    uint64   `json:"back,omitempty"`

	Recent   uint16  `json:"recent,omitempty"`
	Habitual bool    `json:"habitual,omitempty"`
	Low      float64 `json:"low,omitempty"`
	High     float64 `json:"high,omitempty"`
}

type storedApplied struct {
	Count   int    `json:"count"`
	Example string `json:"example,omitempty"`
}

// MarshalJSON writes all of it, for [Load].
func (l *Learnt) MarshalJSON() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := stored{storeVersion, l.clock, map[string]storedSlot{}, map[string]storedApplied{}, slices.Sorted(maps.Keys(l.off)), l.accepted}
	for key, one := range l.slots {
		s.Slots[slotID(key)] = storedSlot{
			one.class, one.named, one.example, one.varied, one.present, one.quick, one.returns, one.passed, one.last, one.left, one.back,
			one.recent, one.habitual, one.low, one.high,
		}
	}
	for id, a := range l.applied {
		s.Applied[id] = storedApplied{a.count, a.example}
	}
	return json.Marshal(s)
}

// UnmarshalJSON replaces all of it with the result of [Load]. After an error it is as it was.
func (l *Learnt) UnmarshalJSON(data []byte) error {
	read, err := Load(data)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.clock, l.slots, l.applied, l.off, l.accepted = read.clock, read.slots, read.applied, read.off, read.accepted
	return nil
}

// Load reads what MarshalJSON wrote; of no bytes, an empty Learnt. What isn't of that form in it is left out. The error is [ErrNewer] for a
// newer form, or that of data that can't be read; the caller then goes on with [New], and loses what was learnt and taken back.
func Load(data []byte) (*Learnt, error) {
	l := New()
	if len(data) == 0 {
		return l, nil
	}
	if len(data) > maxStored {
		return nil, fmt.Errorf("read what was learnt: %d bytes, more than %d", len(data), maxStored)
	}
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("read what was learnt: %w", err)
	}
	if s.Version > storeVersion {
		return nil, fmt.Errorf("%w: %d, this is %d", ErrNewer, s.Version, storeVersion)
	}
	l.take(s)
	return l, nil
}

// take keeps of stored data what is possible.
func (l *Learnt) take(s stored) {
	l.clock = natural64(s.Clock)
	for _, id := range slices.Sorted(maps.Keys(s.Slots)) {
		key, one := slotOf(id), s.Slots[id]
		if isSlotID(id) && len(l.slots) < maxSlots && slices.Contains(classes, one.Class) {
			l.slots[key] = one.slot()
		}
	}
	for id, a := range s.Applied {
		if _, known := builtIn[id]; known {
			l.applied[id] = &applied{natural(a.Count), clipped(a.Example)}
		}
	}
	for _, id := range s.Off {
		if IsRule(id) && len(l.off) < maxOff {
			l.off[id] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.Accepted)) {
		if isSlotID(id) && s.Accepted[id] != "" && len(l.accepted) < maxAccepted {
			l.accepted[id] = clipped(s.Accepted[id])
		}
	}
}

// IsRule reports whether an id is that of a built-in rule, or has the form of those that are learnt.
func IsRule(id string) bool {
	_, known := builtIn[id]
	return known || isSlotID(id)
}

func isSlotID(id string) bool {
	return strings.HasPrefix(id, learntPrefix) && slotOf(id) != 0 && slotID(slotOf(id)) == id && utf8.ValidString(id)
}

func (s storedSlot) slot() *slot {
	return &slot{
		class: s.Class, named: clipped(s.Named), example: clipped(s.Example), varied: natural(s.Varied), present: natural(s.Present),
		quick: natural(s.Quick), returns: natural(s.Returns), passed: natural(s.Passed), last: natural64(s.Last),
		left: s.Left[:min(len(s.Left), maxPool)], back: s.Back, recent: s.Recent, habitual: s.Habitual, low: s.Low, high: s.High,
	}
}

// maxCount keeps counts that come from outside from overflowing.
const maxCount = 1 << 40

func natural(n int) int { return int(natural64(int64(n))) }

func natural64(n int64) int64 { return min(max(n, 0), maxCount) }
