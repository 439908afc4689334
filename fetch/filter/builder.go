package filter

import (
	"errors"
	"io"
	"strings"
)

// builder fills a Set; nothing of it is left when the Set is ready.
type builder struct {
	set   *Set
	seen  map[string]struct{} // rules taken, as written
	bytes int64               // that may still be read
	rules int                 // that may still be taken
	line  int                 // bytes of one

	regexes    int // sizes of regular expressions that may still be taken
	conditions int // that the line is in

	unseen typeMask
}

func newBuilder(o Options) *builder {
	b := &builder{
		set: &Set{
			blocks: newIndex(), importantBlocks: newIndex(), exceptions: newIndex(), importantExcepts: newIndex(),
			pages: newIndex(), reach: newReach(), hiding: newHiding(), suspects: newSuspects(),
		},
		seen: map[string]struct{}{}, bytes: o.MaxBytes, rules: o.MaxRules, line: o.MaxLine, regexes: maxRegexes,
	}
	for _, t := range o.Unseen {
		b.unseen |= 1 << t
	}
	return b
}

// addList reads a list to its end or to the limit.
func (b *builder) addList(l List) error {
	report := Report{Name: l.Name, Skipped: map[Reason]int{}}
	b.conditions = 0
	lines := newLineReader(l.Source, b.bytes, b.line)
	for {
		line, tooLong, err := lines.next()
		if lines.cut() && lines.in.Buffered() == 0 { // the last line is not whole
			report.Truncated = true
			break
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		report.Lines++
		if report.Lines == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		b.addLine(&report, strings.TrimSpace(line), tooLong)
	}
	b.bytes = max(0, lines.limited.N-1)
	b.set.reports = append(b.set.reports, report)
	return nil
}

// addLine takes one line, or notes in the report why not.
func (b *builder) addLine(report *Report, line string, tooLong bool) {
	conditional := b.inCondition(line)
	if isComment(line) {
		return
	}
	why := Conditional
	if !conditional {
		why = b.takeLine(report, line, tooLong)
	}
	if why != "" {
		report.skip(report.Lines, line, why)
	}
}

// inCondition follows "!#if" and "!#endif". What stands between is for some
// blockers and not for others, so none of it is taken.
func (b *builder) inCondition(line string) bool {
	switch {
	case strings.HasPrefix(line, "!#if"):
		b.conditions++
	case strings.HasPrefix(line, "!#endif"):
		b.conditions = max(0, b.conditions-1)
	}
	return b.conditions > 0
}

func (b *builder) takeLine(report *Report, line string, tooLong bool) Reason {
	if tooLong {
		return LineTooLong
	}
	if b.rules == 0 {
		return OverLimit
	}
	if domains, body, except, foreign, ok := splitHiding(line); ok {
		if foreign != "" {
			return foreign
		}
		return b.takeElement(report, domains, body, except)
	}
	return b.takeRule(report, line)
}

func (b *builder) takeElement(report *Report, domains, body string, except bool) Reason {
	e, why := parseElement(domains, body, except)
	if why != "" {
		return why
	}
	if !b.isNew(strings.TrimSuffix(domains, "*") + hidingMark(except) + e.selector) {
		return Duplicate
	}
	b.set.hiding.add(e)
	b.took(e.domains)
	report.Hiding++
	return ""
}

func hidingMark(except bool) string {
	if except {
		return "#@#"
	}
	return "##"
}

func (b *builder) takeRule(report *Report, line string) Reason {
	r, why := parseRule(line)
	if why != "" {
		return why
	}
	if why = b.checkSeen(r); why != "" {
		return why
	}
	if !b.isNew(line) {
		return Duplicate
	}
	if r.size > b.regexes {
		return OverLimit
	}
	if why = b.place(r); why != "" {
		return why
	}
	b.regexes -= r.size
	b.took(r.domains)
	report.Rules++
	return ""
}

// checkSeen refuses a rule that is only about what the caller never sees. Exceptions for documents are about whole pages, those for others
// may keep a host from being blocked.
func (b *builder) checkSeen(r *rule) Reason {
	unseen := b.unseen
	if r.except {
		unseen &= 1 << Popup
	}
	switch {
	case r.types&^unseen != 0:
		return ""
	case r.types&(1<<Document) != 0:
		return unsupportedStart + "document"
	case r.types&(1<<Popup) != 0:
		return unsupportedStart + "popup"
	}
	return unsupportedStart + "websocket"
}

// place puts a rule where it is looked for.
func (b *builder) place(r *rule) Reason {
	if r.except && r.types&pageWide != 0 {
		if why := b.set.pages.add(r); why != "" {
			return why
		}
	}
	if r.types&everyType == 0 {
		return ""
	}
	if why := b.indexFor(r).add(r); why != "" {
		return why
	}
	b.set.suspects.add(r)
	if r.except {
		b.set.reach.add(r)
	} else if r.wideHost() != "" {
		b.set.wideHosts = append(b.set.wideHosts, r)
	}
	return ""
}

func (b *builder) indexFor(r *rule) *index {
	switch {
	case r.except && r.important:
		return b.set.importantExcepts
	case r.except:
		return b.set.exceptions
	case r.important:
		return b.set.importantBlocks
	}
	return b.set.blocks
}

// isNew reports whether a rule was not there before, and remembers it.
func (b *builder) isNew(rule string) bool {
	before := len(b.seen)
	b.seen[rule] = struct{}{}
	return len(b.seen) > before
}

func (b *builder) took(d domainList) {
	b.rules--
	b.set.entities = b.set.entities || d.hasEntity()
}
