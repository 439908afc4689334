package noise

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// seen is a version some days after noon.
func seen(days int, format string, args ...any) Version {
	return Version{fmt.Sprintf(format, args...), noon.AddDate(0, 0, days)}
}

func TestObserve_aNumberIsLearntOnceItVariesAlone(t *testing.T) {
	l := New()
	page := func(n, jobs int) Version { return seen(n, "# A\n\nJobs in the queue %d\n\nOther text.", jobs) }
	var changed []bool
	for n := range 6 {
		changed = append(changed, l.Observe(page(n, 100+n*7), page(n+1, 107+n*7)).Changed)
	}
	if want := []bool{true, true, false, false, false, false}; !reflect.DeepEqual(changed, want) {
		t.Fatalf("got %v, want %v", changed, want)
	}
	rules := l.List()
	if len(rules) != 1 || rules[0].Kind != Counter || !rules[0].Learnt || rules[0].Count != 4 || rules[0].Example != "135 → 142" {
		t.Fatalf("got %+v", rules)
	}
	if err := l.TakeBack(rules[0].ID); err != nil {
		t.Fatal(err)
	}
	for n := range 6 {
		if !l.Observe(page(n, 100+n*7), page(n+1, 107+n*7)).Changed {
			t.Fatalf("round %d: passed over though it was taken back", n)
		}
	}
	if rules := l.List(); len(rules) != 1 || !rules[0].TakenBack {
		t.Errorf("got %+v", rules)
	}
}

func TestObserve_whatVariesSeldomIsNotLearnt(t *testing.T) {
	l := New()
	count := 0
	for n := range 60 {
		before, after := seen(n, "Open seats %d", n/5), seen(n+1, "Open seats %d", (n+1)/5)
		if got := l.Observe(before, after).Changed; got != (before.Text != after.Text) {
			t.Fatalf("check %d: changed %t", n, got)
		} else if got {
			count++
		}
	}
	if count != 12 {
		t.Errorf("%d changes", count)
	}
}

func TestObserve_whatMeansSomethingIsNeverLearnt(t *testing.T) {
	for _, format := range []string{
		"Costs %d € now", "$%d", "Price: %d", "Uptime %d %%", "Version %d", "Release v1.%d", "## Jobs %d", "Phone +49 30 12345%02d", "Only %d left",
		"In stock: %d", "`jobs %d`", "| Name | Price |\n|---|---|\n| A | %d |", "Distance %d km", "Deadline: %d May 2027", "Starts at %d:15",
	} {
		l := New()
		for n := range 12 {
			if !l.Observe(seen(n, format, 10+n), seen(n+1, format, 11+n)).Changed {
				t.Errorf("%q: passed over in round %d: %+v", format, n, l.List())
				break
			}
		}
	}
}

// What changes beside a number that varies at each check still counts.
func TestObserve_whatChangesBesideAHabitCounts(t *testing.T) {
	l := New()
	for n := range 10 {
		r := l.Observe(seen(n, "Jobs in the queue %d\n\n## Heading %s", n, strings.Repeat("x", n)), seen(n+1, "Jobs in the queue %d\n\n## Heading %s", n+1, strings.Repeat("x", n+1)))
		if want := 1 + max(0, min(1, 2-n)); len(r.Blocks) != want || !strings.HasPrefix(r.Blocks[len(r.Blocks)-1].Before, "## Heading") {
			t.Fatalf("round %d: %+v", n, r)
		}
	}
}

func TestObserve_namedBlocksRotateOnceTheyWereReplacedTwice(t *testing.T) {
	l := New()
	texts := []string{"Well begun is half done.", "The sea is everything to me.", "Know thyself, said the temple.", "Fortune favours the bold."}
	for n := range 3 {
		got := l.Observe(seen(n, "## Quote of the day\n\n%s", texts[n]), seen(n+1, "## Quote of the day\n\n%s", texts[n+1])).Changed
		if got != (n == 0) {
			t.Errorf("round %d: %t", n, got)
		}
	}
	// The same with a change counts, and so does a price of a card that stays.
	if !l.Observe(seen(4, "## Quote of the day\n\nFortune favours the bold."), seen(5, "## Quote of the day\n\nFortune favours the brave.")).Changed {
		t.Error("a block that was changed is passed over")
	}
}

func TestObserve_aNamedBlockHoldsItsName(t *testing.T) {
	l := New()
	tips := []string{"Clean it weekly.", "Use cold water.", "Store dry goods high."}
	for n := range 2 {
		if got := l.Observe(seen(n, "Tip of the day: %s", tips[n]), seen(n+1, "Tip of the day: %s", tips[n+1])).Changed; got != (n == 0) {
			t.Errorf("round %d: %t", n, got)
		}
	}
}

// Words that come back again and again in one place are noise there, and items of a list that come back; a word or an item that is new is none.
func TestObserve_wordsAndItemsThatComeBack(t *testing.T) {
	songs := []string{"Meadow", "Cinders", "Halfmoon", "Orchard", "Riverbed"}
	for name, page := range map[string]func(song, next string) string{
		"words": func(song, _ string) string {
			return "# Radio\n\nOn air: " + song + " by the band\n\nThe mast stands on the hill."
		},
		"items": func(song, next string) string {
			return "# Radio\n\n## Played\n\n- " + song + "\n- " + next + "\n\n## Talks\n\n- Tides\n"
		},
	} {
		l, last := New(), page(songs[0], songs[1])
		observe := func(n int, song, next string) bool {
			now := page(song, next)
			defer func() { last = now }()
			return l.Observe(seen(n, "%s", last), seen(n+1, "%s", now)).Changed
		}
		late := 0
		for n := 1; n < 40; n++ {
			if observe(n, songs[n*2%5], songs[(n*2+1)%5]) && n > 15 {
				late++
			}
		}
		if late > 0 {
			t.Errorf("%s: %d changes after fifteen checks", name, late)
		}
		if !observe(40, "Silence", songs[0]) {
			t.Errorf("%s: what is new there is passed over", name)
		}
	}
}

func TestObserve_whatNeverComesBackCounts(t *testing.T) {
	l := New()
	for n := range 20 {
		before, after := strings.Repeat(string(rune('a'+n)), 4), strings.Repeat(string(rune('b'+n)), 4)
		four := func(w string) string { return w + "1 " + w + " " + w + "x " + w + "y" }
		if !l.Observe(seen(n, "First.\n\n%s\n\nLast.", four(before)), seen(n+1, "First.\n\n%s\n\nLast.", four(after))).Changed {
			t.Fatalf("round %d is passed over", n)
		}
	}
}

// A site that puts one notice in the place of another on all its pages has changed them all.
func TestObserve_aNoticeOnAllPagesIsNoRotation(t *testing.T) {
	l := New()
	for page := range 20 {
		before := seen(0, "# Page %d\n\nWe are open on all days.\n\nImprint", page)
		after := seen(1, "# Page %d\n\nClosed between the years because of works.\n\nImprint", page)
		if !l.Observe(before, after).Changed {
			t.Fatalf("page %d is passed over", page)
		}
	}
}

func TestObserve_checksInARowSayMost(t *testing.T) {
	l := New()
	at := func(minutes int, text string) Version {
		return Version{"First.\n\n" + text + "\n\nLast.", noon.Add(time.Duration(minutes) * time.Minute)}
	}
	texts := []string{"Subscribe to our newsletter today.", "Follow us on every network.", "Win tickets for the concert tonight.", "Our new app is finally here."}
	first := at(-1440, texts[0])
	if !l.Observe(first, at(0, texts[1])).Changed {
		t.Fatal("passed over at once")
	}
	l.Observe(at(0, texts[1]), at(1, texts[2]))
	l.Observe(at(1, texts[2]), at(2, texts[3]))
	if r := Compare(first, at(0, texts[1]), l); r.Changed || len(r.Passed) != 1 || r.Passed[0].Kind != Rotating {
		t.Errorf("got %+v", r)
	}
}

func TestTakeBack_builtInRules(t *testing.T) {
	for id := range builtIn {
		l := New()
		if err := l.TakeBack(id); err != nil {
			t.Fatal(err)
		}
		if rules := l.List(); len(rules) != 1 || rules[0].ID != id || !rules[0].TakenBack || rules[0].Learnt || rules[0].Words == "" {
			t.Errorf("%s: %+v", id, rules)
		}
	}
	l := New()
	before, after := Version{"- a\n- b\n\n3 views · 4 comments", noon}, Version{"- b\n- a\n\n4 views · 5 comments", noon.AddDate(0, 0, 1)}
	if l.Observe(before, after).Changed {
		t.Fatal("changed")
	}
	for i, id := range []string{"counter/views", "order/blocks"} {
		if err := l.TakeBack(id); err != nil {
			t.Fatal(err)
		}
		if r := l.Observe(before, after); len(r.Blocks) != i+1 {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if err := l.TakeBack("learnt/1"); !errors.Is(err, ErrUnknownRule) {
		t.Errorf("got %v", err)
	}
}

func TestAccept_makesWhatCountsNoise(t *testing.T) {
	l := New()
	for _, format := range []string{"Price: %d.99 €", "## Heading %d", "Text with the word %d and 3%[1]d more"} {
		before, after := seen(0, format, 1), seen(1, format, 2)
		r := l.Observe(before, after)
		if len(r.Blocks) != 1 {
			t.Fatalf("%q: %+v", format, r)
		}
		if err := l.Accept(r.Blocks[0]); err != nil {
			t.Fatal(err)
		}
		if r := l.Observe(after, seen(2, format, 7)); r.Changed || len(r.Passed) != 1 || r.Passed[0].Kind != Accepted {
			t.Errorf("%q: %+v", format, r)
		}
		if err := l.TakeBack(r.Blocks[0].Rule); err != nil {
			t.Fatal(err)
		}
		if !l.Observe(before, after).Changed {
			t.Errorf("%q: passed over though it was taken back", format)
		}
	}
	if err := l.Accept(Block{}); !errors.Is(err, ErrUnknownRule) {
		t.Errorf("got %v", err)
	}
}

func TestLearnt_isKept(t *testing.T) {
	l := simulated(t)
	data, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	read, err := Load(data)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := read.List(), l.List(); !reflect.DeepEqual(got, want) || len(got) < 5 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	again, err := json.Marshal(read)
	if err != nil || string(again) != string(data) {
		t.Errorf("written otherwise: %v\n%s\n%s", err, again, data)
	}
	var into Learnt
	if err := json.Unmarshal(data, &into); err != nil || !reflect.DeepEqual(into.List(), l.List()) {
		t.Errorf("unmarshalled: %v", err)
	}
}

// simulated is what some pages have taught, with a rule that is taken back.
func simulated(t testing.TB) *Learnt {
	t.Helper()
	l := New()
	quotes := []string{"Well begun is half done.", "The sea is everything to me.", "Know thyself, said the temple.", "Fortune favours the bold."}
	for n := range 8 {
		page := func(n int) Version {
			return seen(n, "Posted %d days ago\n\n%d views\n\nJobs in the queue %d\n\n[a](/x?sid=a%d)\n\n## Quote of the day\n\n%s", n+2, 5+n, n*3, n, quotes[n%4])
		}
		l.Observe(page(n), page(n+1))
	}
	if err := l.TakeBack("counter/likes"); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLoad_refusesWhatItCannotRead(t *testing.T) {
	if _, err := Load([]byte(`{"version":2}`)); !errors.Is(err, ErrNewer) {
		t.Errorf("got %v", err)
	}
	for _, data := range []string{"{", "[]", `{"slots":3}`, strings.Repeat(" ", maxStored+1)} {
		if _, err := Load([]byte(data)); err == nil {
			t.Errorf("%.20q is read", data)
		}
	}
	for _, data := range []string{"", "{}", "null", `{"slots":{"x":{}},"takenBack":["y","learnt/0"],"accepted":{"z":"1"},"applied":{"u":{"count":-1}}}`} {
		l, err := Load([]byte(data))
		if err != nil || len(l.List()) > 0 {
			t.Errorf("%q: %v, %+v", data, err, l.List())
		}
	}
}

func TestLearnt_isBounded(t *testing.T) {
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
	l := New()
	for n := range maxSlots + maxSlots/4 {
		word := strings.Repeat("a", 1+n%50) + " " + strings.Repeat("b", n/50)
		l.Observe(seen(n, "%s jobs queue %d", word, n), seen(n+1, "%s jobs queue %d", word, n+1))
	}
	if len(l.slots) > maxSlots {
		t.Errorf("%d slots", len(l.slots))
	}
	data, err := json.Marshal(l)
	if err != nil || len(data) > maxStored/4 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	for n := 1; ; n++ {
		err := l.Accept(Block{Before: "a", Rule: slotID(uint64(n))})
		if errors.Is(err, ErrFull) && n == maxAccepted+1 {
			break
		}
		if err != nil || n > maxAccepted {
			t.Fatalf("%d: %v", n, err)
		}
	}
}

// Rules that have come of places outlive places that vary once.
func TestLearnt_forgetsWhatIsNoRuleFirst(t *testing.T) {
	if raced {
		t.Skip("-race: one goroutine is at work")
	}
	l := simulated(t)
	for n := range maxSlots + maxSlots/4 {
		word := strings.Repeat("a", 1+n%50) + " " + strings.Repeat("b", n/50)
		l.Observe(seen(n, "%s jobs queue %d", word, n), seen(n+1, "%s jobs queue %d", word, n+1))
	}
	if l.Observe(seen(1, "Jobs in the queue 1"), seen(2, "Jobs in the queue 2")).Changed {
		t.Error("the rule is gone")
	}
}

func TestCompare_learnsNothing(t *testing.T) {
	l := simulated(t)
	before, _ := json.Marshal(l)
	Compare(seen(0, "Jobs queue 1\n\n3 views"), seen(1, "Jobs queue 2\n\n4 views"), l)
	if after, _ := json.Marshal(l); string(after) != string(before) {
		t.Errorf("got %s, want %s", after, before)
	}
}
