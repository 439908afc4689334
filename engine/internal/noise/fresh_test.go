package noise

// The templates that were written after the held-back ones had been seen: their figures were looked at once, when the rules were done.
var fresh = []template{
	{"recipe", "sentence row heading paragraph link", "", func(v *view) {
		v.line("[Recipes](/r) > [Soups](/r/soups)")
		v.line("# %s", v.title)
		v.line("4.6 stars · %d ratings · saved %d times · updated %s", 200+v.counter, 90+v.counter*2, v.ago(v.at.Add(-v.minutes(4000))))
		v.line("%s", joined(v.intro))
		v.line("## Ingredients")
		for _, row := range v.rows {
			v.item("- %s g %s, %s", row[1], row[0], row[2])
		}
		v.out.WriteString("\n")
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
		}
		v.line("Advertisement")
		v.line("[![%s](https://media.pans.example/%s.webp)](https://pans.example/go/%s)", pick(v.r, nouns), v.hex(10), v.hex(10))
		v.line("### More from this kitchen")
		for _, l := range v.others(3) {
			v.line("[%s](%s)", l[0], l[1])
		}
		for _, l := range v.links {
			v.item("1. [%s](%s)", l[0], l[1])
		}
		v.line("\nPrinted on %s", v.at.Format("Monday, January 2, 2006 at 3:04 PM"))
	}},
	{"gemeinde", "sentence row date phone heading paragraph", "2. January 2006", func(v *view) {
		v.line("Heute ist der %s", v.at.Format("2.1.2006"))
		v.line("# %s", v.title)
		v.line("Nächste Sitzung: %s, 18:30 Uhr im Rathaus", v.date.Format("2. January 2006"))
		v.line("%s", joined(v.intro))
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
		}
		v.line("| Amt | Zimmer | Hinweis |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("\nTelefon %s", v.phone)
		v.line("Besucher: %d · zuletzt aktualisiert am %s um %s", 4000+v.counter*3, v.at.Format("02.01.2006"), v.at.Format("15:04"))
	}},
	{"package", "version sentence row link status", "", func(v *view) {
		v.line("# %s %s", v.title, v.versioned())
		v.line("Published %s · %s downloads · %d dependents", v.ago(v.born), v.grown(30_000, 900), 12+v.counter)
		v.line("Maintenance: %s", v.status)
		v.line("%s", joined(v.intro))
		v.line("```\nget package@%s\n```", v.versioned())
		v.line("| Name | Size | Note |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| `%s` | %s | %s |", row[0], row[1], row[2])
		}
		v.out.WriteString("\n")
		for _, l := range shuffled(v.r, v.links) {
			v.item("- [%s](%s?nonce=%s)", l[0], l[1], v.hex(12))
		}
		v.line("\n![badge](https://badges.example/build.svg?t=%d)", v.at.Unix())
		v.line("%d weekly installs", 1000+v.r.IntN(3000))
	}},
	{"market", "price stock sentence link", "", func(v *view) {
		v.line("### Ad · [Buy %s online](https://ads.market.example/%s)", pick(v.r, nouns), v.hex(8))
		v.line("# %s", v.title)
		v.line("£%s · %s", v.priced(), v.stock)
		v.line("%d watchers · %d bids · Ends in %dd %dh", 3+v.counter, v.counter/4, 100-v.check, 5)
		v.line("%s", joined(v.intro))
		for _, l := range v.links {
			v.item("- [%s](%s?ref_src=%s)", l[0], l[1], v.hex(5))
		}
		v.line("\n## Sponsored items")
		for _, l := range v.others(3) {
			v.line("[%s](%s) £%d.00", l[0], l[1], 1+v.r.IntN(80))
		}
		v.line("Item viewed %d times in the last 24 hours", 10+v.r.IntN(400))
		v.line("Feedback (%d)", 800+v.counter)
	}},
}
