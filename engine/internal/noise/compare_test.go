package noise

import (
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

// nextDay compares two texts that were seen a day apart.
func nextDay(before, after string) Result {
	return Compare(Version{before, noon}, Version{after, noon.AddDate(0, 0, 1)}, nil)
}

func TestCompare_whatIsEvidentIsPassedOver(t *testing.T) {
	for _, c := range []struct{ before, after, rule string }{
		{"Posted 2 days ago by Ann", "Posted 3 days ago by Ann", "relative/past"},
		{"Posted 23 hours ago", "Posted yesterday", "relative/past"},
		{"Posted just now", "Posted 1 day ago", "relative/past"},
		{"Posted 6 days ago", "Posted 19 November 2026", "relative/past"},
		{"Posted 6 days ago", "Posted on Nov 19, 2026", "relative/past"},
		{"Event in 3 days", "Event in 2 days", "relative/future"},
		{"Event tomorrow", "Event today", "relative/past"},
		{"3 days left to apply", "2 days left to apply", "relative/future"},
		{"vor 2 Tagen", "vor 3 Tagen", "relative/past"},
		{"Il y a 2 heures", "il y a 3 jours", "relative/past"},
		{"hace 2 días", "hace una semana", "relative/past"},
		{"2 giorni fa", "3 giorni fa", "relative/past"},
		{"há 2 dias", "há 3 dias", "relative/past"},
		{"2 dagen geleden", "3 dagen geleden", "relative/past"},
		{"2 дня назад", "5 дней назад", "relative/past"},
		{"2 dni temu", "3 dni temu", "relative/past"},
		{"för 2 dagar sedan", "för 3 dagar sedan", "relative/past"},
		{"2 gün önce", "3 gün önce", "relative/past"},
		{"2日前", "3日前", "relative/past"},
		{"2天前", "3天前", "relative/past"},
		{"2일 전", "3일 전", "relative/past"},
		{"Ann · 3h", "Ann · 1d", "relative/past"},
		{"Last updated: 25 November 2026", "Last updated: 26 November 2026", "clock/date"},
		{"Today is Wednesday, November 25, 2026", "Today is Thursday, November 26, 2026", "clock/date"},
		{"Wednesday, 25 November 2026", "Thursday, 26 November 2026", "clock/date"},
		{"Stand: 25.11.2026", "Stand: 26.11.2026", "clock/date"},
		{"Updated 25 Nov 2026, 11:58", "Updated 26 Nov 2026, 12:01", "clock/time"},
		{"As of 12:00:05 UTC, 25 November 2026", "As of 12:01:09 UTC, 26 November 2026", "clock/time"},
		{"Current time: 12:00:03 UTC", "Current time: 12:00:09 UTC", "clock/time"},
		{"Ends in 2d 03:04:05", "Ends in 1d 03:04:02", "clock/countdown"},
		{"Page generated in 0.213 seconds", "Page generated in 0.19 seconds", "clock/duration"},
		{"1,234 views", "1,301 views", "counter/views"},
		{"Views: 1,234", "Views: 1,301", "counter/views"},
		{"**12** comments", "**13** comments", "counter/comments"},
		{"1 comment", "2 comments", "counter/comments"},
		{"## Comments (34)", "## Comments (35)", "counter/comments"},
		{"No comments", "3 comments", "counter/comments"},
		{"👍 12", "👍 14", "counter/likes"},
		{"1,234 people are looking at this right now", "17 people are looking at this right now", "counter/present"},
		{"Users online: 34", "Users online: 31", "counter/present"},
		{"2.345 Aufrufe · 12 Kommentare", "2.399 Aufrufe · 12 Kommentare", "counter/views"},
		{"1,2 k vues", "1,3 k vues", "counter/views"},
		{"1,234 sold", "1,240 sold", "counter/shares"},
		{"[a](/x?sid=abc123)", "[a](/x?sid=zyx987)", "token/parameter"},
		{"[a](/x;jsessionid=AB12)", "[a](/x;jsessionid=CD34)", "token/parameter"},
		{"[a](/x?id=3&csrf_token=abc)", "[a](/x?id=3&csrf_token=abd)", "token/parameter"},
		{"![a](/x.png?v=12)", "![a](/x.png?v=13)", "token/buster"},
		{"![a](/x.3f2a9c1b.png)", "![a](/x.77aa9c1b.png)", "token/buster"},
		{"[a](/x?_=1764072000)", "[a](/x?_=1764158400)", "token/buster"},
		{"![a](https://img1.shop.example/x.png)", "![a](https://img3.shop.example/x.png)", "token/host"},
		{"Request ID: 8f3a9c1b77", "Request ID: 77aa9c1b8f", "token/request"},
		{"Advertisement\n\n[Buy shoes](https://shoes.example/a)\n\nText.", "Advertisement\n\n[Buy hats](https://hats.example/b)\n\nText.", "ad/label"},
		{"Sponsored: [Buy shoes](https://shoes.example/a) today\n\nText.", "Sponsored: [Buy hats](https://hats.example/b)\n\nText.", "ad/label"},
		{"Text.\n\n[![x](https://ads.example/1.png)](https://ad.doubleclick.net/x)", "Text.", "ad/network"},
		{"- a\n- b\n- c", "- c\n- a\n- b", "order/blocks"},
		{"### A\n\n5 €\n\n### B\n\n7 €", "### B\n\n7 €\n\n### A\n\n5 €", "order/blocks"},
		{"© 2025 Acme", "© 2026 Acme", "clock/year"},
		{"Text.\n\n17 people are looking at this", "Text.", "counter/present"},
	} {
		r := nextDay(c.before, c.after)
		if r.Changed || len(r.Passed) == 0 {
			t.Errorf("%q → %q: %+v", c.before, c.after, r)
			continue
		}
		if last := r.Passed[len(r.Passed)-1]; last.Rule != c.rule {
			t.Errorf("%q → %q: passed as %+v, want %s", c.before, c.after, r.Passed, c.rule)
		}
	}
}

func TestCompare_whatCountsIsReported(t *testing.T) {
	for _, c := range []struct{ before, after string }{
		{"Price: 12.99 €", "Price: 13.99 €"},
		{"€ 12 · 34 sold", "€ 13 · 34 sold"},
		{"Only 3 left in stock", "Only 2 left in stock"},
		{"In stock", "Out of stock"},
		{"Version 1.2.3", "Version 1.2.4"},
		{"# Title", "# Other title"},
		{"Published 20 November 2026", "Published 21 November 2026"},
		{"Deadline: 25 November 2026", "Deadline: 26 November 2026"},
		{"Event: tomorrow", "Event: tomorrow at 9"},
		{"Starts tomorrow", "Starts in 9 days"},
		{"Event in 3 days", "Event in 9 days"},
		{"Ships in 3 days", "Ships in 2 days"},
		{"Opens at 09:00", "Opens at 09:30"},
		{"Open 09:00 – 17:00", "Open 10:00 – 17:00"},
		{"Phone: +49 30 1234567", "Phone: +49 30 1234568"},
		{"Call 555-1234", "Call 555-1235"},
		{"[a](/x)", "[a](/y)"},
		{"[a](/x?id=3)", "[a](/x?id=4)"},
		{"[a](/x?state=CA)", "[a](/x?state=NY)"},
		{"![a](/x.png)", "![a](/y.png)"},
		{"Rating 4.5 of 5 stars", "Rating 4.4 of 5 stars"},
		{"Uptime 99.98 %", "Uptime 99.12 %"},
		{"- 1. a\n- b", "- 1. a\n- c"},
		{"1. a\n2. b", "1. b\n2. a"},
		{"### A\n\n5 €\n\n### B\n\n7 €", "### A\n\n7 €\n\n### B\n\n5 €"},
		{"[A](/a)\n\n5 €\n\n[B](/b)\n\n7 €", "[A](/a)\n\n7 €\n\n[B](/b)\n\n5 €"},
		{"## Present\n\n- Ann\n- Bob\n\n## Absent\n\n- Cid", "## Present\n\n- Ann\n\n## Absent\n\n- Bob\n- Cid"},
		{"Present:\n\n- Ann\n- Bob\n\nAbsent:\n\n- Cid", "Present:\n\n- Ann\n\nAbsent:\n\n- Bob\n- Cid"},
		{"First sentence. Second one.", "First sentence."},
		{"| a | 1 |\n|---|---|\n| b | 2 |", "| a | 1 |\n|---|---|\n| b | 2 |\n| c | 3 |"},
		{"`2 days ago`", "`3 days ago`"},
		{"```\n2 views\n```", "```\n3 views\n```"},
		{"Last updated: 12 November 2026", "Last updated: 26 November 2026"},
		{"Advertisement\n\nThe council has met.", "Advertisement\n\nThe council hasn't met."},
		{"The plan drew 1,234 comments during the consultation, which the council held last spring in the old town hall, and most of them were against the new road through the park.",
			"The plan drew 1,235 comments during the consultation, which the council held last spring in the old town hall, and most of them were against the new road through the park."},
		{"SHA-256: 8f3a9c1b77aa9c1b", "SHA-256: 8f3a9c1b77aa9c1c"},
		{"", "Text."},
		{"12:00", "13:30"},
		{"Speed: 12 reads per second", "Speed: 13 reads per second"},
		{"Members only: 3 seats", "Members only: 4 seats"},
		{"2 members required", "3 members required"},
	} {
		if r := nextDay(c.before, c.after); !r.Changed {
			t.Errorf("%q → %q: passed as %+v", c.before, c.after, r.Passed)
		}
	}
}

func TestCompare_theSameIsNoChange(t *testing.T) {
	for _, text := range []string{"", "a", "# a\n\n- b\n- c\n", "2 days ago"} {
		if r := nextDay(text, text+"\n\n"); r.Changed || len(r.Passed) > 0 {
			t.Errorf("%q: %+v", text, r)
		}
	}
}

func TestCompare_whatCountsIsNamed(t *testing.T) {
	r := nextDay("# A\n\n2 views\n\nOne.\n\nTwo three four.", "# A\n\n3 views\n\nOne.\n\nTwo three five.\n\nSix.")
	var all []string
	for _, b := range r.Blocks {
		all = append(all, b.Before+">"+b.After)
	}
	if got, want := strings.Join(all, "; "), "Two three four.>Two three five.; >Six."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
