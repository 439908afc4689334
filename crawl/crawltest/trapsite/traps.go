package trapsite

// trap is one way to lead a crawler astray. Its file says what a naive one does wrong.
type trap struct {
	name string
	set  func(builder)
}

// traps in the order of their links on the root page: what takes long comes first, so that it doesn't come alone at the end.
func traps() []trap {
	return []trap{
		{"slow", slow},
		{"huge", huge},
		{"shortcut", shortcut},
		{"docs", docs},
		{"calendar", calendar},
		{"spiral", spiral},
		{"session", session},
		{"query", query},
		{"similar", similar},
		{"redirects", redirects},
		{"moved", moved},
		{"canonical", canonical},
		{"nofollow", nofollow},
		{"soft404", soft404},
		{"statuses", statuses},
		{"broken", broken},
		{"busy", busy},
		{"many", many},
		{"files", files},
		{"pdf", pdf},
		{"schemes", schemes},
		{"fragments", fragments},
		{"sections", sections},
		{"routes", routes},
		{"base", base},
		{"relative", relative},
		{"spelling", spelling},
		{"unicode", unicode},
		{"encoded", encoded},
		{"chrome", chrome},
		{"decoys", decoys},
		{"frames", frames},
		{"refresh", refresh},
		{"scripts", scripts},
		{"robots", robots},
		{"sitemaps", sitemaps},
		{"foreign", foreign},
		{"subdomains", subdomains},
		{"slowhosts", slowHosts},
		{"failinghosts", failingHosts},
		{"norobots", noRobots},
		{"dead", dead},
	}
}

// Names lists the traps, for Options.Only and Options.Without.
func Names() (list []string) {
	for _, t := range traps() {
		list = append(list, t.name)
	}
	return list
}

// Endless lists the traps without an end. A crawl into them needs a bound:
//
//   - "calendar", months that lead to months: MaxDiscoveryDepth, Limit, ExcludePaths, or a MaxDepth of less than 3.
//   - "spiral", a path that grows: MaxDepth, MaxDiscoveryDepth, Limit, or ExcludePaths.
//   - "session", new session ids in every link: IgnoreQueryParameters, MaxDiscoveryDepth, Limit, ExcludePaths, or a MaxDepth of 0.
func Endless() []string { return []string{"calendar", "spiral", "session"} }
