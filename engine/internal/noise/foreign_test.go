package noise

import (
	"fmt"
	"slices"
	"strings"
)

// A pool is what a place of a site alternates between, whatever its page.
var (
	songs    = strings.Fields("Meadow Lighthouse Paperboat Northwind Cinders Halfmoon Orchard Riverbed")
	skies    = []string{"cloudy", "sunny", "light rain", "overcast", "windy", "fog"}
	guests   = []string{"“The best stay of our lives, warmly recommended.” Greta, Bremen", "“Quiet rooms and a kind host all week.” Paul, Leeds", "“We came for two days and stayed for nine.” Irma, Turku", "“The breakfast alone is worth the journey.” Tomas, Brno", "“Clean, near the station, fair.” Ada, Porto"}
	heroes   = []string{"[Autumn has come to the workshop: see what is new](/hero/1)", "[Free engraving on every second order this month](/hero/2)", "[Meet the makers behind our bowls and spoons](/hero/3)", "[A gift card never gathers dust on a shelf](/hero/4)"}
	wordings = []string{"Start your free trial today and see for yourself", "Try it for free now and judge for yourself"}
)

// someOf are so many of a pool, in any order.
func someOf[T any](v *view, pool []T, n int) []T { return shuffled(v.r, pool)[:n] }

// The templates of the fourth set, half of which was written to tune on: noise of other kinds than before. The other half is vault.
var foreign = []template{
	{"radio", "sentence heading paragraph row link", "", func(v *view) {
		v.line("On air: %s by %s %s", pick(v.r, songs), pick(v.r, names), pick(v.r, nouns))
		v.line("# %s", v.title)
		v.line("%d are listening, song no. %d since midnight", 200+v.r.IntN(900), 10+v.r.IntN(300))
		v.line("%s", joined(v.intro))
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
		}
		v.line("### Played before")
		for _, s := range someOf(v, songs, 4) {
			v.item("- %s · %s", v.at.Add(-v.minutes(60)).Format("15:04"), s)
		}
		v.line("\n### Programme")
		for _, row := range v.rows {
			v.item("- %s: %s, %s", row[0], row[1], row[2])
		}
		for _, l := range v.links {
			v.item("- [%s](%s)", l[0], l[1])
		}
		v.line("\nStream has been up for %02d:%02d:%02d", v.r.IntN(99), v.r.IntN(60), v.r.IntN(60))
	}},
	{"pension", "price sentence link row phone", "", func(v *view) {
		v.line("%d° and %s at the lake", 3+v.r.IntN(20), pick(v.r, skies))
		v.line("# %s", v.title)
		v.line("From € %s a night", v.priced())
		v.line("Booked %d times in the last %d hours, most recently %d minutes ago", 1+v.r.IntN(9), 6+v.r.IntN(18), 1+v.r.IntN(59))
		v.line("%s", joined(v.intro))
		v.line("> %s", pick(v.r, guests))
		for _, row := range v.rows {
			v.item("- %s (%s): %s", row[0], row[1], row[2])
		}
		v.line("\nReception %s", v.phone)
		for _, l := range v.links {
			v.line("[%s](%s?lang=en&visit=%s)", l[0], l[1], v.hex(10))
		}
		v.line("Local time %s", v.at.Format("15:04"))
	}},
	{"forum", "sentence status row version link", "", func(v *view) {
		v.line("# %s", v.title)
		v.line("%s · last post %s · %d replies, %d views", v.status, v.ago(v.at.Add(-v.minutes(3000))), 4+v.counter, 90+v.counter*7)
		v.line("%s", joined(v.intro))
		v.line("For version %s", v.versioned())
		for _, row := range v.rows {
			v.line("**%s** wrote: %s %s", row[0], row[2], row[1])
		}
		for _, l := range v.links {
			v.item("* [%s](%s)", l[0], l[1])
		}
		v.line("\nWho is online: %s", strings.Join(someOf(v, names, 3+v.r.IntN(3)), ", "))
		v.line("Newest member %s%d", pick(v.r, names), v.r.IntN(90))
		v.line("Page generated in 0.%03d seconds with %d queries", v.r.IntN(999), 8+v.r.IntN(20))
		v.line("Poll: yes %d %%, no %d %%", 40+v.counter%20, 60-v.counter%20)
	}},
	{"workshop", "price stock sentence row link", "", func(v *view) {
		v.line("%s", pick(v.r, heroes))
		v.line("# %s", v.title)
		v.line("€ %s · %s", v.priced(), v.stock)
		v.line("%s", joined(v.intro))
		v.line("| Part | Size | Kind |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		for _, l := range v.links {
			v.item("- [%s](%s)", l[0], l[1])
		}
		v.line("\nTags: %s", strings.Join(shuffled(v.r, nouns[:8]), " "))
		v.line("%s", pick(v.r, wordings))
		v.line("Basket (%d) · Wish list (%d)", v.r.IntN(2), v.r.IntN(3))
		if v.r.IntN(3) == 0 {
			v.line("We use cookies to make this shop work. Accept or decline them below.")
		}
		v.line("Workshop camera, frame %d", 1000+v.check*37+v.r.IntN(30))
	}},
}

// The half that was held back: its figures were looked at once, when the rules were done.
var (
	winds   = strings.Fields("north northeast east southeast south southwest west northwest")
	praise  = []string{"“It saved us a week in the first month.” Head of Sales, Alpaca", "“Our teams would riot without it.” Founder, Birchworks", "“Finally a tool that gets out of the way.” Designer, Cobalt & Sons", "“Set up before lunch, loved by dinner.” Engineer, Dunes", "“Support answers faster than my colleagues.” Buyer, Elmtree"}
	greets  = []string{"Good morning, glad you are here", "Good afternoon, glad you are here", "Good evening, glad you are here"}
	books   = []string{"The Salt Road", "Winter Bees", "A Clock for Ida", "Letters to the Tide", "Small Gods of Lead", "The Ninth Ferry", "Glass Hours", "On Mending", "Harvest Moonlight", "The Cartographer's Aunt"}
	rooms   = []string{"Reading room: quiet", "Reading room: busy", "Reading room: nearly full"}
	moods   = strings.Fields("dawn harbour fog granite moss copper linen dusk salt willow ember frost")
	caption = []string{"The old crane at low water, seen from the pier", "Two swans below the second bridge in March", "A tram in the rain at the last stop", "The baker's window before six in the morning"}
)

var vault = []template{
	{"ferry", "sentence status row date phone", "2 January 2006", func(v *view) {
		v.line("Next departure %s from quay %d", v.at.Add(v.minutes(90)).Format("15:04"), 1+v.r.IntN(4))
		v.line("# %s", v.title)
		v.line("Line: %s", v.status)
		v.line("Waves %d.%d m, wind %d kn from the %s", v.r.IntN(3), v.r.IntN(10), 2+v.r.IntN(20), pick(v.r, winds))
		v.line("%s", joined(v.intro))
		v.line("The timetable changes on %s", v.date.Format("2 January 2006"))
		v.line("| Stop | Minutes | Deck |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("\nTide is %s", pick(v.r, []string{"rising", "falling"}))
		v.line("![Quay](https://cam.ferry.example/still/%s.jpg)", v.at.Format("20060102-1504"))
		v.line("Harbour office %s", v.phone)
		v.line("%d passengers so far today", 100+v.r.IntN(2000))
	}},
	{"startup", "sentence heading paragraph link version", "", func(v *view) {
		v.line("%s", pick(v.r, greets))
		v.line("# %s", v.title)
		v.line("%s", joined(v.intro))
		v.line("Trusted by %s teams in %d countries", v.grown(12_000, 9), 40+v.counter/9)
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
		}
		var logos []string
		for _, n := range shuffled(v.r, nouns[:6]) {
			logos = append(logos, fmt.Sprintf("![%s](/logos/%s.svg)", n, n))
		}
		v.line("%s", strings.Join(logos, " "))
		v.line("> %s", pick(v.r, praise))
		for _, l := range v.links {
			v.item("- [%s](%s)", l[0], l[1])
		}
		v.line("\nRelease %s", v.versioned())
		v.line("Served by web-%d in %d ms, trace %s", 1+v.r.IntN(9), 5+v.r.IntN(200), v.hex(16))
	}},
	{"reading", "sentence row link heading paragraph", "", func(v *view) {
		v.line("# %s", v.title)
		v.line("%s", pick(v.r, rooms))
		v.line("Seats free: %d of 120, printers in use: %d", v.r.IntN(120), v.r.IntN(6))
		v.line("%s", joined(v.intro))
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
		}
		v.line("### Just returned")
		for _, b := range someOf(v, books, 4) {
			v.item("- %s", b)
		}
		v.line("\n### Desks")
		for _, row := range v.rows {
			v.item("- %s, %s (%s)", row[0], row[2], row[1])
		}
		for _, l := range v.links {
			v.item("- [%s](%s)", l[0], l[1])
		}
		_, week := v.at.ISOWeek()
		v.line("\nWeek %d · %s", week, v.at.Format("Monday"))
		v.line("%d loans today, %d since January", v.r.IntN(300), 20_000+v.check*150+v.r.IntN(100))
	}},
	{"pictures", "price stock sentence link row", "", func(v *view) {
		v.line("*%s*", pick(v.r, caption))
		v.line("# %s", v.title)
		v.line("Print € %s · %s", v.priced(), v.stock)
		v.line("Photo %d of %d · ♥ %d.%dk · 閲覧数 %d回", 1+v.r.IntN(240), 240+v.counter, 1+v.counter/40, v.counter%10, 1000+v.counter*31)
		v.line("%s", joined(v.intro))
		v.line("Moods: %s", strings.Join(someOf(v, moods, 5), ", "))
		for _, row := range v.rows {
			v.item("* %s / %s / %s", row[0], row[1], row[2])
		}
		v.line("")
		for _, l := range slices.Backward(v.links) {
			v.line("[%s](%s?k=%s)", l[0], l[1], v.hex(14))
		}
		v.line("Uploaded %s, edited %s", v.ago(v.born), v.ago(v.at.Add(-v.minutes(5000))))
		v.line("Exposure %d/%d s, %d looks this hour", 1, 30+v.r.IntN(200), v.r.IntN(400))
	}},
}
