package noise

// The templates that the rules were tuned on.
var templates = []template{
	{"news", "sentence heading paragraph link date", "2 January 2006", func(v *view) {
		v.line("[News](/) · [Sport](/sport) · %s", v.at.Format("Monday, 2 January 2006"))
		v.line("# %s", v.title)
		v.line("By Ann Lane · Published %s · %s", v.date.Format("2 January 2006"), v.ago(v.born))
		v.line("%s views · %s comments · %s shares", v.grown(1200, 17), v.grown(3, 2), v.grown(40, 1))
		v.line("%s", joined(v.intro))
		v.ad()
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
		}
		v.line("![Picture](https://img%d.news.example/p/%d.jpg?v=%s)", 1+v.r.IntN(4), v.number, v.hex(8))
		v.line("## Sources")
		for _, l := range v.links {
			v.item("- [%s](%s?sid=%s)", l[0], l[1], v.hex(16))
		}
		v.line("\n## Quote of the day")
		v.line("%s", pick(v.r, quotes))
		v.line("## You may also like")
		for _, l := range v.others(3) {
			v.item("- [%s](%s)", l[0], l[1])
		}
		v.line("\n© %d The Daily News", v.at.Year())
	}},
	{"shop", "price stock sentence link row", "", func(v *view) {
		v.line("[Home](/?session_id=%s) / [Tools](/tools)", v.hex(20))
		v.line("# %s", v.title)
		v.line("**€ %s** incl. VAT", v.priced())
		v.line("%s", v.stock)
		if v.r.IntN(3) > 0 {
			v.line("%d people are looking at this right now", 2+v.r.IntN(60))
		}
		v.line("%s reviews · %s sold", v.grown(80, 1), v.grown(300, 5))
		v.line("%s", joined(v.intro))
		v.line("| Part | Weight | Place |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("\n## Accessories")
		for _, l := range shuffled(v.r, v.links) {
			v.item("- [%s](%s)", l[0], l[1])
		}
		v.line("\n## Customers also bought")
		for _, l := range v.others(4) {
			v.line("[![%s](/img/%s.jpg)](%s)", l[0], v.hex(8), l[1])
			v.line("[%s](%s) € %d.99", l[0], l[1], v.r.IntN(400))
		}
		v.ad()
		v.line("[Add to cart](/cart?id=%d&csrf_token=%s)", v.number, v.hex(24))
	}},
	{"forum", "sentence row link status", "", func(v *view) {
		v.line("# %s", v.title)
		v.line("%s · %s replies · %s views · last reply %s", v.status, v.grown(4, 1), v.grown(900, 31), v.ago(v.at.Add(-v.minutes(3000))))
		v.line("%s", joined(v.intro))
		for i, row := range v.rows {
			v.line("**%s** wrote %s:", row[0], v.ago(v.born.Add(-v.hours(i))))
			v.line("%s number %s, %s.", row[0], row[1], row[2])
			v.line("👍 %s", v.grown(2, 1))
		}
		for _, l := range v.links {
			v.item("- [%s](%s;jsessionid=%s)", l[0], l[1], v.hex(20))
		}
		v.line("\nUsers online: %d · guests %d", v.r.IntN(300), v.r.IntN(300))
		v.line("All times are UTC. The time now is %s.", v.at.Format("15:04"))
	}},
	{"docs", "sentence heading paragraph version link", "", func(v *view) {
		v.line("# %s", v.title)
		v.line("Version %s", v.versioned())
		v.line("%s", joined(v.intro))
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
			v.line("```\ninstall --version %s --count %d\n```", v.versioned(), v.number)
		}
		for _, l := range v.links {
			v.item("- [%s](%s)", l[0], l[1])
		}
		v.line("\nLast updated: %s · %s stars · %s contributors online", v.at.Format("2 Jan 2006 15:04"), "12k", v.grown(3, 1))
		v.line("%s", pick(v.r, banners))
		v.line("Page generated in 0.%d seconds. Request ID: %s", 100+v.r.IntN(800), v.hex(16))
	}},
	{"jobs", "sentence row price phone date status", "2006-01-02", func(v *view) {
		v.line("# %s", v.title)
		v.line("Posted %s · %s applicants · Apply by %s", v.ago(v.born), v.grown(5, 2), v.date.Format("2006-01-02"))
		v.line("Salary: $%s per hour", v.priced())
		v.line("Applications: %s", v.status)
		v.line("%s", joined(v.intro))
		for _, row := range v.rows {
			v.item("- %s: %s, %s", row[0], row[1], row[2])
		}
		v.line("\nPhone %s", v.phone)
		v.ad()
		v.line("## Similar jobs")
		for _, l := range v.others(5) {
			v.item("- [%s](%s) · %s", l[0], l[1], v.ago(v.at.Add(-v.minutes(9000))))
		}
	}},
	{"events", "date sentence row heading paragraph price phone", "Monday, January 2, 2006", func(v *view) {
		v.line("Today is %s.", v.at.Format("Monday, January 2, 2006"))
		v.line("# %s", v.title)
		v.line("Date: %s, doors open at 19:30", v.date.Format("Monday, January 2, 2006"))
		v.line("Tickets from $%s", v.priced())
		v.line("%s people are going · %s interested", v.grown(20, 3), v.grown(90, 4))
		v.line("%s", joined(v.intro))
		for i, h := range v.headings {
			v.line("### %s", h)
			v.line("%s", v.paragraph[i])
		}
		v.line("| Who | Seats | Where |\n|---|---|---|")
		for _, row := range shuffled(v.r, v.rows) {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("\nBox office: %s", v.phone)
		v.line("**Featured**")
		v.line("%s", pick(v.r, banners))
	}},
	{"dashboard", "status version row sentence", "", func(v *view) {
		v.line("# %s", v.title)
		v.line("Status: %s", v.status)
		v.line("Release %s", v.versioned())
		v.line("Last checked: %s", v.at.Format("2006-01-02 15:04:05 UTC"))
		v.line("| Service | Limit | Region |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("\nRequests served since midnight %d", 10_000+v.r.IntN(90_000))
		v.line("Session: %s · 34 visitors · cache hit %d", v.hex(16), v.r.IntN(9000))
		v.line("%s", joined(v.intro))
		v.line("Next maintenance in %d days", 100-v.check)
	}},
}
