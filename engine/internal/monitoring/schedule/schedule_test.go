package schedule

import (
	"testing"
	"time"

	"github.com/winnow-go/winnow/engine/monitor"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t.UTC()
}

func plan(t testing.TB, s monitor.Schedule, set time.Time) *Plan {
	t.Helper()
	p, _, err := Parse(s, set)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestParse_words(t *testing.T) {
	for text, want := range map[string]reading{
		"every 30 minutes":               {cron: "*/30 * * * *"},
		"every minute":                   {cron: "* * * * *"},
		"hourly":                         {cron: "0 * * * *"},
		"Every  2 Hours":                 {cron: "0 */2 * * *"},
		"every 45 minutes":               {every: 45 * time.Minute},
		"every 5 hours":                  {every: 5 * time.Hour},
		"every 3 days":                   {every: 72 * time.Hour},
		"every 2 weeks":                  {every: 14 * 24 * time.Hour},
		"daily":                          {cron: "0 0 * * *"},
		"daily at 9:00":                  {cron: "0 9 * * *"},
		"every day at noon":              {cron: "0 12 * * *"},
		"weekdays at 8:30":               {cron: "30 8 * * 1-5"},
		"every monday and friday at 6pm": {cron: "0 18 * * 1,5"},
		"weekly on tue at 12am":          {cron: "0 0 * * 2"},
		"weekly":                         {cron: "0 0 * * 1"},
		"monthly at 7:05":                {cron: "5 7 1 * *"},
		"every monday, wednesday and sunday at 7.": {cron: "0 7 * * 0,1,3"},
	} {
		if got, err := read(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
		p, s, err := Parse(monitor.Schedule{Text: text}, at("2026-01-01T00:00:00Z"))
		if err != nil || s.Cron != want.cron || s.Every != want.every {
			t.Errorf("%q: %+v, %v", text, s, err)
		} else if _, again, err := Parse(s, at("2026-01-01T00:00:00Z")); err != nil || again != s || p.Next(at("2026-01-01T00:00:00Z")).IsZero() {
			t.Errorf("%q is not read again as it was stored: %+v, %v", text, again, err)
		}
	}
}

func TestParse_refuses(t *testing.T) {
	for name, s := range map[string]monitor.Schedule{
		"nothing": {}, "two": {Cron: "0 * * * *", Every: time.Hour}, "words and another cron": {Text: "hourly", Cron: "5 * * * *"},
		"six fields": {Cron: "0 0 * * * *"}, "no field": {Cron: "99 * * * *"}, "a tag": {Cron: "@daily"}, "never": {Cron: "0 0 30 2 *"},
		"words": {Text: "whenever"}, "no hour": {Text: "daily at 25:00"}, "13pm": {Text: "daily at 13pm"}, "zero": {Text: "every 0 hours"},
		"zone": {Text: "hourly", Timezone: "Mars/Base"}, "local": {Text: "hourly", Timezone: "Local"},
		"too short": {Every: 59 * time.Second}, "too long": {Every: 9000 * time.Hour}, "more than counts": {Text: "every 30501 weeks"}, "days, too": {Text: "every 213504 days"},
		"backwards": {Every: -time.Hour},
		"jitter":    {Text: "hourly", Jitter: time.Hour}, "no jitter": {Text: "hourly", Jitter: -1}, "large jitter": {Text: "weekly", Jitter: 25 * time.Hour},
	} {
		if _, _, err := Parse(s, at("2026-01-01T00:00:00Z")); err == nil {
			t.Errorf("%s: %+v is accepted", name, s)
		}
	}
}

// Clocks in Berlin go from 2:00 to 3:00 on 2026-03-29, and from 3:00 to 2:00 on 2026-10-25.
func TestNext_whereClocksChange(t *testing.T) {
	for _, c := range []struct {
		name, cron, from string
		want             []string
	}{
		{"a time that is left out comes later", "30 2 * * *", "2026-03-28T12:00:00Z", []string{"2026-03-29T01:30:00Z", "2026-03-30T00:30:00Z"}},
		{"a time that comes twice counts once", "30 2 * * *", "2026-10-24T12:00:00Z", []string{"2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"}},
		{"from within the second hour", "30 2 * * *", "2026-10-25T01:10:00Z", []string{"2026-10-26T01:30:00Z"}},
		{"steps go on in both hours", "*/30 * * * *", "2026-10-25T00:00:00Z", []string{
			"2026-10-25T00:30:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z",
		}},
		{"steps go on over the gap", "0 * * * *", "2026-03-29T00:00:00Z", []string{"2026-03-29T01:00:00Z", "2026-03-29T02:00:00Z"}},
		{"the leap day", "0 0 29 2 *", "2026-01-01T00:00:00Z", []string{"2028-02-28T23:00:00Z", "2032-02-28T23:00:00Z"}},
	} {
		p := plan(t, monitor.Schedule{Cron: c.cron, Timezone: "Europe/Berlin"}, at(c.from))
		now := at(c.from)
		for i, want := range c.want {
			if now = p.Next(now); !now.Equal(at(want)) {
				t.Errorf("%s: time %d is %s, want %s", c.name, i, now, want)
			}
		}
	}
}

func TestNext_intervalsAreFromWhenTheyWereSet(t *testing.T) {
	set := at("2026-01-01T00:10:20Z")
	p := plan(t, monitor.Schedule{Every: 45 * time.Minute}, set)
	for _, c := range []struct{ from, want string }{
		{"2026-01-01T00:10:20Z", "2026-01-01T00:55:20Z"},
		{"2026-01-01T00:55:19Z", "2026-01-01T00:55:20Z"},
		{"2025-12-31T23:59:00Z", "2026-01-01T00:10:20Z"},
		{"2025-12-31T23:00:00Z", "2025-12-31T23:25:20Z"},
	} {
		if got := p.Next(at(c.from)); !got.Equal(at(c.want)) {
			t.Errorf("after %s: %s, want %s", c.from, got, c.want)
		}
	}
}

func TestLatest(t *testing.T) {
	for _, c := range []struct {
		s           monitor.Schedule
		from, until string
		want        string
		count       int
	}{
		{monitor.Schedule{Cron: "0 6 * * *"}, "2026-01-02T06:00:00Z", "2026-01-02T06:00:00Z", "2026-01-02T06:00:00Z", 0},
		{monitor.Schedule{Cron: "0 6 * * *"}, "2026-01-02T06:00:00Z", "2026-01-05T05:59:00Z", "2026-01-04T06:00:00Z", 2},
		{monitor.Schedule{Cron: "* * * * *"}, "2026-01-02T06:00:00Z", "2027-01-02T06:00:30Z", "2027-01-02T06:00:00Z", 1000},
		{monitor.Schedule{Cron: "0 0 1 1 *"}, "2027-01-01T00:00:00Z", "2030-06-01T00:00:00Z", "2030-01-01T00:00:00Z", 3},
		{monitor.Schedule{Cron: "0 6 * * *"}, "2026-01-02T06:00:00Z", "2026-01-01T00:00:00Z", "", 0},
	} {
		p := plan(t, c.s, at("2026-01-01T00:00:00Z"))
		got := p.Latest(at(c.from), at(c.until))
		if c.want == "" && got.IsZero() {
			continue
		}
		if !got.Equal(at(c.want)) || p.Count(at(c.from), got) != c.count {
			t.Errorf("%v from %s until %s: %s after %d; want %s after %d", c.s, c.from, c.until, got, p.Count(at(c.from), got), c.want, c.count)
		}
	}
}

func TestDelay_isOfTheRunAndSpread(t *testing.T) {
	p := plan(t, monitor.Schedule{Cron: "0 * * * *", Jitter: 10 * time.Minute}, at("2026-01-01T00:00:00Z"))
	seen := map[time.Duration]bool{}
	for i := range 100 {
		run := at("2026-01-01T00:00:00Z").Add(time.Duration(i) * time.Hour)
		d := p.Delay("monitor", run)
		if d < 0 || d >= 10*time.Minute || d != p.Delay("monitor", run) {
			t.Errorf("run %d is delayed by %s", i, d)
		}
		seen[d.Truncate(time.Minute)] = true
	}
	if len(seen) < 8 {
		t.Errorf("100 runs are delayed by %d of 10 different minutes", len(seen))
	}
}

func FuzzParse(f *testing.F) {
	f.Add("every 2 hours", "", "UTC")
	f.Add("", "30 2 29 2 1-5", "Europe/Berlin")
	f.Add("every monday and friday at 6pm", "", "Asia/Kathmandu")
	f.Fuzz(func(t *testing.T, text, cron, zone string) {
		now := at("2026-10-24T12:00:00Z")
		p, s, err := Parse(monitor.Schedule{Text: text, Cron: cron, Timezone: zone}, now)
		if err != nil {
			return
		}
		next := p.Next(now)
		if next.Sub(now) <= 0 || !p.Next(next).After(next) && !p.Next(next).IsZero() {
			t.Errorf("%+v: after %s comes %s, then %s", s, now, next, p.Next(next))
		}
	})
}
