package noise

// The templates of the third held-back set: written before places were learnt by habit, and not looked at while that was made.
var sealed = []template{
	{"wetterhütte", "sentence heading paragraph row phone", "", func(v *view) {
		days := []string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"}
		v.line("Wir haben %s, den %d. Woche %d", days[v.at.Weekday()], v.at.Day(), 1+v.at.YearDay()/7)
		v.line("# %s", v.title)
		v.line("Messwert der Station: %d Einheiten um %s", 200+v.r.IntN(700), v.at.Format("15:04"))
		v.line("%s", joined(v.intro))
		for i, h := range v.headings {
			v.line("## %s", h)
			v.line("%s", v.paragraph[i])
		}
		for _, row := range v.rows {
			v.item("- %s: %s, %s", row[0], row[1], row[2])
		}
		v.line("\nHüttentelefon %s", v.phone)
		v.line("Sie sind Gast Nr. %d seit Eröffnung", 70_000+v.counter*11)
	}},
	{"subasta", "price sentence link status", "", func(v *view) {
		v.line("# %s", v.title)
		v.line("Precio de salida: %s €", v.priced())
		v.line("Estado: %s", v.status)
		v.line("%d pujas · %d siguiendo · Termina en %dd %dh %dm", 2+v.counter, 5+v.counter*2, 120-v.check, v.r.IntN(24), v.r.IntN(60))
		v.line("%s", joined(v.intro))
		for _, l := range shuffled(v.r, v.links) {
			v.item("- [%s](%s?from=%s)", l[0], l[1], v.hex(12))
		}
		v.line("\n### Contenido patrocinado")
		for _, l := range v.others(2) {
			v.line("[%s](https://promo%d.example%s)", l[0], v.r.IntN(3), l[1])
		}
		v.line("Visto %d veces hoy", 10+v.r.IntN(500))
	}},
	{"league", "row sentence heading paragraph date", "Mon 2 Jan 2006", func(v *view) {
		v.line("%s", v.at.Format("Mon 2 Jan"))
		v.line("# %s", v.title)
		v.line("Next match: %s", v.date.Format("Mon 2 Jan 2006"))
		v.line("| Team | Points | Form |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("\n%s", joined(v.intro))
		for i, h := range v.headings {
			v.line("### %s", h)
			v.line("%s", v.paragraph[i])
		}
		v.line("Fans here now: %d (peak %d)", 20+v.r.IntN(300), 900+v.counter*4)
		v.line("### Chatter (%d)", 40+v.counter*6)
		v.line("Refreshed %s", v.at.Format("Monday 15:04:05"))
	}},
	{"catalogue", "sentence stock row link version", "", func(v *view) {
		v.line("Bibliothèque ouverte · nous sommes %s", []string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"}[v.at.Weekday()])
		v.line("# %s", v.title)
		v.line("Édition %s · %s", v.versioned(), v.stock)
		v.line("%s", joined(v.intro))
		v.line("| Auteur | Cote | Salle |\n|---|---|---|")
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("")
		for _, l := range v.links {
			v.item("* [%s](%s)", l[0], l[1])
		}
		v.line("\nConsulté %d fois, emprunté %d fois", 500+v.counter*5, 20+v.counter)
		v.line("Notice générée le %s", v.at.Format("02/01/2006 15:04"))
		v.line("Suggestion du libraire : %s", pick(v.r, quotes))
	}},
	{"console", "status version sentence row", "", func(v *view) {
		v.line("# %s", v.title)
		v.line("Channel: stable %s", v.versioned())
		v.line("Health: %s", v.status)
		v.line("| Gauge | Reading | Note |\n|---|---|---|")
		v.item("| Uptime | %d d %d h | since restart |", 3+v.check, v.r.IntN(24))
		v.item("| Sessions | %d | open |", 100+v.r.IntN(800))
		for _, row := range v.rows {
			v.item("| %s | %s | %s |", row[0], row[1], row[2])
		}
		v.line("\n%s", joined(v.intro))
		v.line("Snapshot %s taken %s", v.hex(12), v.at.Format(time3339))
		v.line("%d events ingested, %d dropped", 1000+v.counter*97, v.r.IntN(30))
	}},
}

const time3339 = "2006-01-02T15:04:05Z"
