package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// signs are all that can be said of a page.
func signs(e Evidence, places []Place) []sign {
	s := e.Signals
	few, thin := s.TextWords < fewWords, s.TextWords >= fewWords && s.TextWords < someWords
	unread := e.Unread > 0
	sure, named := split(places)
	own, foreign := frameNames(e.Frames, false), frameNames(e.Frames, true)
	shell := s.EmptyMount != "" && (unread || e.Foreign > 0 || e.any(requests) || e.any(writesAnywhere) || len(places) > 0)
	return []sign{
		{"wall: " + s.Wall, s.Wall != "" && e.MainWords < 2*someWords, certainly + 5},
		{"meta refresh", s.MetaRefresh != "", certainly},
		{"a script leads to another address", e.any(leaves) && s.TextWords < someWords, certainly},
		{"scripts fill " + list(sure), len(sure) > 0, certainly},
		{"scripts add to " + list(namesOf(e.Added)), len(e.Added) > 0, certainly},
		{"content in " + counted(own, "frame"), len(own) > 0, certainly},
		{"few words, and " + counted(foreign, "frame") + " of another site", len(foreign) > 0, 12},
		{"scripts name empty places: " + list(named), len(sure) == 0 && len(named) > 0, 8},
		{"empty mount node #" + s.EmptyMount, shell, certainly},
		{"a script writes into the page as it loads", e.any(writesAtOnce), 14},
		{"few words, and a script adds some", few && e.any(writesAnywhere), certainly},
		{fmt.Sprintf("only %d words, and %s could not be read", s.TextWords, count(e.Unread, "script")), few && unread, 12},
		{fmt.Sprintf("thin: %d words, and %s could not be read", s.TextWords, count(e.Unread, "script")), thin && unread && len(e.Holes) > 0, 6},
		{"asks for JavaScript", s.NoscriptAsks && (few || thin && unread), 8},
		{s.Framework + " without server-rendered text", s.Framework != "" && !s.ServerRendered && (unread || e.any(requests)), 12},
		{"main content empty", e.MainWords == 0 && s.TextWords >= fewWords && unread, 6},
		{fmt.Sprintf("status %d", e.Status), guardedStatus(e.Status) && unread, 6},
	}
}

// split separates the places that are seen to be written to from those that are only named.
func split(places []Place) (sure, named []string) {
	for _, p := range places {
		if p.Sure {
			sure = append(sure, p.Name)
		} else {
			named = append(named, p.Name)
		}
	}
	return sure, named
}

// list names the first places.
func list(places []string) string {
	const shown = 3
	if len(places) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(places[:shown], ", "), len(places)-shown)
	}
	return strings.Join(places, ", ")
}

// Names says in words how many places there are, and names the first: "2 empty places (#a, #b) are"; "" for none.
func Names(places []Place) string { return verbed(namesOf(places), "empty place") }

// LateNames says in words which places scripts write to only after more than a time, less than 0 for all of them: "1 place (main) is"; ""
// for none.
func LateNames(places []Place, after time.Duration) string {
	late := slices.DeleteFunc(slices.Clone(places), func(p Place) bool { return p.After <= after })
	return verbed(namesOf(late), "place")
}

func verbed(names []string, what string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return counted(names, what) + " is"
	}
	return counted(names, what) + " are"
}

// counted is how many there are, with the names of the first.
func counted(names []string, what string) string {
	return fmt.Sprintf("%s (%s)", count(len(names), what), list(names))
}

// In names the places after what is said of them: ", in #a, #b"; "" for none.
func In(places []Place) string {
	if len(places) == 0 {
		return ""
	}
	return ", in " + list(namesOf(places))
}

func namesOf(places []Place) []string {
	names := make([]string, len(places))
	for i, p := range places {
		names[i] = p.Name
	}
	return names
}
