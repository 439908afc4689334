package noise

import (
	"encoding/json"
	"fmt"
	"testing"
)

// checked checks a page that shows the texts one after the other, and returns what was reported at each check.
func checked(t *testing.T, l *Learnt, p Pending, texts ...string) (reported []string) {
	t.Helper()
	for n := range len(texts) - 1 {
		data, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var read Pending
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatal(err)
		}
		var r Result
		r, p = l.Check(seen(n, "%s", "# Page\n\n"+texts[n]), seen(n+1, "%s", "# Page\n\n"+texts[n+1]), read)
		out := ""
		for _, b := range r.Blocks {
			out += b.Before + " → " + b.After + ";"
		}
		reported = append(reported, out)
	}
	return reported
}

func repeated(texts ...any) (list []string) {
	for i := 0; i+1 < len(texts); i += 2 {
		for range texts[i+1].(int) {
			list = append(list, texts[i].(string))
		}
	}
	return list
}

func TestCheck_holdsBackWhatMayBeNoiseOnAYoungPage(t *testing.T) {
	const was, is = "The hall has room for 300 seats", "The hall has room for 450 seats"
	for name, c := range map[string]struct {
		known int
		texts []string
		want  []string
	}{
		"it stays: three checks late":   {0, repeated(was, 1, is, 5), []string{"", "", "", was + " → " + is + ";", ""}},
		"a known page: at once":         {10, repeated(was, 1, is, 2), []string{was + " → " + is + ";", ""}},
		"it comes and goes":             {0, repeated(was, 1, is, 1, was, 5), []string{"", "", "", "", was + " → " + is + ";", ""}},
		"words: at once":                {0, []string{was, "The hall has been closed"}, []string{was + " → The hall has been closed;"}},
		"money: at once":                {0, []string{"Costs € 300", "Costs € 450"}, []string{"Costs € 300 → Costs € 450;"}},
		"another magnitude: at once":    {0, []string{"Seats 300", "Seats 30000"}, []string{"Seats 300 → Seats 30000;"}},
		"the date of an event: at once": {0, []string{"Deadline: 3 May 2027", "Deadline: 4 May 2027"}, []string{"Deadline: 3 May 2027 → Deadline: 4 May 2027;"}},
	} {
		if got := checked(t, New(), Pending{Checks: c.known}, c.texts...); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// What varies again and again is learnt without a word, by the form that its place has, and a change of that form counts.
func TestCheck_learnsHabits(t *testing.T) {
	days := []string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}
	for name, show := range map[string]func(n int) string{
		"a day of the week": func(n int) string { return "Hier ist " + days[n%7] },
		"a countdown":       func(n int) string { return fmt.Sprintf("Endet %dd %dh", 40-n, n*7%24) },
		"other words":       func(n int) string { return fmt.Sprintf("%d Fans und Besucher Nr. %d", n+1, 500+n*11) },
		"in brackets":       func(n int) string { return fmt.Sprintf("## Feedback (%d)", 80+n) },
		"below such a title": func(n int) string {
			return fmt.Sprintf("## Chatter (%d)\n\nRefreshed %s at 10:%02d", 80+n, days[n%7], n)
		},
		"in a table": func(n int) string { return fmt.Sprintf("| Gauge | Reading |\n|---|---|\n| Load | %d |", 100+n*n%77) },
	} {
		var texts []string
		for n := range 20 {
			texts = append(texts, show(n))
		}
		l := New()
		for n, got := range checked(t, l, Pending{}, append(texts, "Closed for good today", "Closed for good today")...) {
			if (got != "") != (n == 19) {
				t.Errorf("%s, check %d: reported %q", name, n, got)
			}
		}
		rules := 0
		for _, r := range l.List() {
			if r.Learnt && r.Count > 0 {
				rules++
			}
		}
		if rules == 0 {
			t.Errorf("%s: no rule is listed", name)
		}
	}
}

// A rule that is taken back holds nothing back.
func TestCheck_whatIsTakenBackCountsAtOnce(t *testing.T) {
	l := New()
	var texts []string
	for n := range 10 {
		texts = append(texts, fmt.Sprintf("Fans here %d", 100+n))
	}
	checked(t, l, Pending{}, texts...)
	rules := l.List()
	if len(rules) != 1 {
		t.Fatalf("got %+v", rules)
	}
	if err := l.TakeBack(rules[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := checked(t, l, Pending{}, "Fans here 5", "Fans here 6")[0]; got == "" {
		t.Error("passed over though it was taken back")
	}
}
