package robots

// groups are the rules of a file by the robots they are for. A group begins with user-agent lines and goes on to the
// next user-agent line that follows a rule; no other line ends it (RFC 9309 section 2.2.1).
type groups struct {
	rules  [][]rule         // by group, in the order of the file
	byName map[string][]int // product token → its groups, in the order of the file: they count as one
	open   bool             // user-agent lines follow each other
}

// add takes the next directive. Rules before the first user-agent line belong to no group.
func (g *groups) add(d directive) {
	switch d.kind {
	case userAgent:
		g.name(tokenOfLine(d.value))
	case allow, disallow:
		g.open = false
		if last := len(g.rules) - 1; last >= 0 {
			g.rules[last] = appendRules(g.rules[last], d)
		}
	}
}

func (g *groups) name(token string) {
	if !g.open {
		g.open = true
		g.rules = append(g.rules, nil)
	}
	if token == "" {
		return // no robot's name: the rules that follow belong to no group
	}
	if g.byName == nil {
		g.byName = map[string][]int{}
	}
	// Named twice in one group is named once, or the rules would count twice.
	last, mine := len(g.rules)-1, g.byName[token]
	if len(mine) == 0 || mine[len(mine)-1] != last {
		g.byName[token] = append(mine, last)
	}
}

// decide finds the rule that counts for a robot: of all that match, the longest, and of equally long ones
// one that allows (RFC 9309 section 2.2.2). nil: none matches.
func (g *groups) decide(token string, t target) *rule {
	mine, ok := g.byName[token]
	if !ok {
		mine = g.byName[anyone]
	}
	search := search{target: t}
	for _, n := range mine {
		for i := range g.rules[n] {
			search.look(&g.rules[n][i])
		}
	}
	return search.best
}

// maxWork bounds what one question costs: octets of the path times wildcard rules that are looked at. Only a file made for it
// reaches that, with 8000 such rules for a path of 2000 octets.
const maxWork = 16 << 20

// search is one question's way through the rules.
type search struct {
	target target
	best   *rule
	work   int
}

// look takes r if it counts for more than the best so far. When the bound is reached, wildcard rules are no longer
// compared: those that forbid count, those that allow don't, so in doubt the page isn't fetched.
func (s *search) look(r *rule) {
	if !r.beats(s.best) {
		return
	}
	if r.wild {
		s.work += len(s.target.disallow)
	}
	tooMuch := r.wild && s.work > maxWork
	if tooMuch && !r.allow || !tooMuch && r.matches(s.target) {
		s.best = r
	}
}
