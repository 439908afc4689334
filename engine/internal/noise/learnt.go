package noise

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/winnow-go/winnow/engine/internal/tracking"
)

// Bounds of what is learnt.
const (
	maxSlots    = 512  // places; the one that varied longest ago gives way
	maxLeft     = 32   // blocks that a place remembers
	maxOff      = 1024 // rules that are taken back
	maxExample  = 160  // bytes
	maxAccepted = 1024
)

// How much evidence makes noise of what varies. See the package comment.
const (
	minVaried    = 4                // times that a value varied
	minShare     = 0.75             // of the comparisons in which its place was there
	minNamed     = 2                // times that a block varied below words that say that it rotates
	minReturns   = 2                // times that a block came that went before
	minQuick     = 2                // times that something varied between two checks in a row
	quickly      = 10 * time.Minute // between two checks in a row
	minWords     = 4                // of a block that rotates
	maxNeighbour = 4                // blocks to the nearest that stays
)

// ErrUnknownRule: there is no rule of that id.
var ErrUnknownRule = errors.New("no rule has this id")

// ErrFull: as many rules as can be kept were taken back, or accepted.
var ErrFull = errors.New("too many rules are taken back or accepted")

// Learnt is what is known of the noise of a page, or of the pages that one template makes. It is bounded: some hundred rules, some hundred
// kilobytes as JSON. Make one with [New], or [Load] it. It is safe for concurrent use.
type Learnt struct {
	mu       sync.Mutex
	clock    int64 // counts observations
	slots    map[uint64]*slot
	applied  map[string]*applied // built-in rules
	off      map[string]bool     // ids of rules that were taken back
	accepted map[string]string   // ids of places, with an example
}

// slot is a place that was seen to vary.
type slot struct {
	class   class // word: a block
	named   string
	example string
	varied  int
	present int // comparisons in which it was there, those in which it varied included
	quick   int
	returns int
	passed  int      // times that the rule applied
	last    int64    // when it varied
	left    []uint64 // hashes of blocks that went, of a spot words, of a list items
	back    uint64   // the last item that came back

	recent   uint16  // in which of the last comparisons it varied, the last one first
	habitual bool    // it varies again and again
	low      float64 // of the numbers that stood there; both 0: none is known
	high     float64
}

type applied struct {
	count   int
	example string
}

// New makes a Learnt that nothing is known of.
func New() *Learnt {
	return &Learnt{slots: map[uint64]*slot{}, applied: map[string]*applied{}, off: map[string]bool{}, accepted: map[string]string{}}
}

// Rule is a rule that took something for noise.
type Rule struct {
	// ID names it, for [Learnt.TakeBack].
	ID   string
	Kind Kind
	// Words say what it takes for noise.
	Words string
	// Example of what it took for noise last: before → after.
	Example string
	// Count of the differences that it took for noise.
	Count int
	// Learnt: it isn't built in. TakenBack: it doesn't apply any more.
	Learnt, TakenBack bool
}

// Observe compares two versions of a page, the earlier first, and learns from how they differ. Each pair of versions is to be observed
// once. Two checks within ten minutes say most: what differs between them is hardly a change.
func (l *Learnt) Observe(before, after Version) Result {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, _ := l.observe(before, after)
	return r
}

func (l *Learnt) observe(before, after Version) (Result, []difference) {
	l.clock++
	c := newComparison(before, after, l)
	l.learn(c, before, after)
	r := c.result(l)
	for _, p := range r.Passed {
		l.note(p)
	}
	return r, c.differences
}

// note counts what a rule has taken for noise.
func (l *Learnt) note(p Passed) {
	example := clipped(p.Before + " → " + p.After)
	if s := l.slots[slotOf(p.Rule)]; s != nil && strings.HasPrefix(p.Rule, learntPrefix) {
		s.passed++
		s.example = example
		return
	}
	if l.applied[p.Rule] == nil {
		if _, known := builtIn[p.Rule]; !known {
			return
		}
		l.applied[p.Rule] = &applied{}
	}
	l.applied[p.Rule].count++
	l.applied[p.Rule].example = example
}

func clipped(text string) string {
	text = strings.ToValidUTF8(text, "")
	if len(text) > maxExample {
		text = strings.ToValidUTF8(text[:maxExample-len("…")], "") + "…"
	}
	return text
}

const learntPrefix = "learnt/"

func slotID(key uint64) string { return learntPrefix + strconv.FormatUint(key, 16) }

func slotOf(id string) uint64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(id, learntPrefix), 16, 64)
	if err != nil {
		return 0
	}
	return n
}

// List returns the rules that took something for noise, and those that were taken back, in the order of their ids.
func (l *Learnt) List() (rules []Rule) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id, a := range l.applied {
		rules = append(rules, Rule{id, kindOf(id), builtIn[id], a.example, a.count, false, l.off[id]})
	}
	for key, s := range l.slots {
		if id := slotID(key); l.accepted[id] == "" && (s.passed > 0 || l.off[id]) {
			rules = append(rules, Rule{id, s.kind(), s.words(), s.example, s.passed, true, l.off[id]})
		}
	}
	for id, example := range l.accepted {
		count := 0
		if s := l.slots[slotOf(id)]; s != nil {
			count = s.passed
		}
		rules = append(rules, Rule{id, Accepted, "differences in a place that was accepted", example, count, true, l.off[id]})
	}
	for id := range l.off {
		if !slices.ContainsFunc(rules, func(r Rule) bool { return r.ID == id }) {
			rules = append(rules, Rule{ID: id, Kind: kindOfID(id), Words: builtIn[id], Learnt: builtIn[id] == "", TakenBack: true})
		}
	}
	slices.SortFunc(rules, func(a, b Rule) int { return cmp.Compare(a.ID, b.ID) })
	return rules
}

func kindOfID(id string) Kind {
	if builtIn[id] == "" {
		return Rotating
	}
	return kindOf(id)
}

func (s *slot) kind() Kind {
	switch s.class {
	case numeral:
		return Counter
	case hourly, daily, dayName:
		return Clock
	case opaque, argument:
		return Token
	}
	return Rotating
}

func (s *slot) words() string {
	switch s.class {
	case word:
		if s.named != "" {
			return "blocks below “" + s.named + "”, which alternate"
		}
		return "a block in whose place several alternate"
	}
	return "a " + string(s.class) + " that varied in " + strconv.Itoa(s.varied) + " comparisons"
}

// TakeBack makes what a rule took for noise count, from now on and for good. The id is that of a [Rule], a [Passed], or a built-in rule
// that hasn't applied yet. The error is [ErrUnknownRule] or [ErrFull].
func (l *Learnt) TakeBack(id string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, isBuiltIn := builtIn[id]
	if !isBuiltIn && l.slots[slotOf(id)] == nil && l.accepted[id] == "" {
		return ErrUnknownRule
	}
	if len(l.off) >= maxOff && !l.off[id] {
		return ErrFull
	}
	delete(l.accepted, id)
	l.off[id] = true
	return nil
}

// Accept makes differences noise in the place of a block that counted, also such as are never noise otherwise: prices, versions, headings.
// It undoes a TakeBack of the same rule. The error is [ErrUnknownRule] for a block without a rule, or [ErrFull].
func (l *Learnt) Accept(b Block) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, isBuiltIn := builtIn[b.Rule]; isBuiltIn {
		delete(l.off, b.Rule)
		return nil
	}
	if !strings.HasPrefix(b.Rule, learntPrefix) || slotOf(b.Rule) == 0 {
		return ErrUnknownRule
	}
	if len(l.accepted) >= maxAccepted && l.accepted[b.Rule] == "" {
		return ErrFull
	}
	delete(l.off, b.Rule)
	l.accepted[b.Rule] = clipped(b.Before + " → " + b.After)
	return nil
}

func (l *Learnt) isOff(id string) bool { return l.off[id] }

// rotates are words above blocks that alternate.
var rotates = regexp.MustCompile(`(?i)(?:of\sthe\s(?:day|week|hour|moment)|related|recommend|you\s(?:may|might|could)|people\salso|customers\s(?:also|who)|also\s(?:like|viewed|bought|read|see)|more\s(?:from|like|stories|posts|articles|to\sread)|` +
	`similar|suggest|trending|popular|most\s(?:read|viewed|shared|popular)|don['’]t\smiss|did\syou\sknow|random|featured|discover|spotlight|editor['’]?s['’]?\s(?:picks?|choice)|top\spicks|` +
	`read\s(?:next|more)|up\snext|des\stages|ähnlich|empfohlen|empfehl|auch\sinteress|passend|beliebt|meistgelesen|weitere|du\sjour|similaires|recommand|à\slire|populaires|del\sd[ií]a|relacionad|` +
	`recomendad|te\spuede|del\sgiorno|correlat|consigliat|potrebbe|do\sdia|gerelateerd|aanbevolen|дня|похожие|рекоменд|关联|相关|推荐|おすすめ|関連)`)

// maxName bounds what says that blocks alternate, in bytes.
const maxName = 100

// nameOf is what a block stands below, or begins with, where that says that it rotates.
func nameOf(b *block) string {
	if b.kind == tracking.Code {
		return ""
	}
	before, _, ok := strings.Cut(b.masked, ":")
	if ok && b.kind != tracking.Heading && len(before) < maxName && strings.Contains(strings.ToLower(before), "of the ") && rotates.MatchString(before) {
		return before
	}
	return strings.Trim(b.named, "#*: ")
}
