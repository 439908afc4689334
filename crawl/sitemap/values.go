package sitemap

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/fetch/weburl"
)

// give turns the texts of an entry into an item, or into the problem that it has no address.
func (s *stream) give(kind Kind, line int, raw [numFields]string, images []string) {
	if raw[fieldLoc] == "" && isWeb(raw[fieldGUID]) {
		raw[fieldLoc] = raw[fieldGUID]
	}
	if raw[fieldLastMod] == "" {
		raw[fieldLastMod] = raw[fieldPublished]
	}
	loc, ok := s.loc(line, raw[fieldLoc])
	if !ok {
		return
	}
	u := URL{
		Loc:        loc,
		LastMod:    s.lastMod(line, raw[fieldLastMod]),
		Priority:   s.priority(line, raw[fieldPriority]),
		ChangeFreq: s.changeFreq(line, raw[fieldChangeFreq]),
		Title:      strings.Join(strings.Fields(raw[fieldTitle]), " "),
		Images:     s.images(line, images),
	}
	if kind == URLSet {
		u.Published = s.lastMod(line, raw[fieldNews])
	}
	s.item(Item{Kind: kind, URL: u})
}

func (s *stream) loc(line int, text string) (string, bool) {
	if text == "" {
		s.problem(NoLoc, line, "", nil)
		return "", false
	}
	href, err := s.resolve(text)
	switch {
	case err != nil:
		s.problem(BadLoc, line, text, err)
		return "", false
	case !isWeb(href):
		s.problem(BadLoc, line, text, nil)
		return "", false
	case !isWeb(text):
		s.problem(RelativeLoc, line, text, nil)
	}
	return href, true
}

// resolve takes "www.site.example/page" on site.example, a common slip, for the host that it looks like.
func (s *stream) resolve(text string) (string, error) {
	if s.base == nil {
		return weburl.Parse(text)
	}
	host := strings.TrimPrefix(weburl.Host(s.base.String()), "www.")
	if first, _, _ := strings.Cut(text, "/"); host != "" && strings.TrimPrefix(strings.ToLower(first), "www.") == host {
		text = "//" + text
	}
	return s.base.Resolve(text)
}

// isWeb reports an absolute http or https URL.
func isWeb(s string) bool {
	return hasPrefixFold(s, "http://") || hasPrefixFold(s, "https://")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// images are the addresses of an entry's images; what is no address is a problem like that of a page.
func (s *stream) images(line int, texts []string) (list []string) {
	known := make(map[string]bool, len(texts))
	for _, text := range texts {
		href, err := s.resolve(text)
		switch {
		case err != nil || !isWeb(href):
			s.problem(BadImage, line, text, err)
		case !known[href]:
			known[href] = true
			list = append(list, href)
		}
	}
	return list
}

func (s *stream) lastMod(line int, text string) time.Time {
	if text == "" {
		return time.Time{}
	}
	t, ok := parseTime(text)
	if !ok {
		s.problem(BadLastMod, line, text, nil)
	}
	return t
}

func (s *stream) priority(line int, text string) float64 {
	if text == "" {
		return NoPriority
	}
	p, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || math.IsNaN(p) || math.IsInf(p, 0) {
		s.problem(BadPriority, line, text, nil)
		return NoPriority
	}
	if p < 0 || p > 1 {
		s.problem(BadPriority, line, fmt.Sprintf("%s is not between 0 and 1", text), nil)
	}
	return min(max(p, 0), 1)
}

func (s *stream) changeFreq(line int, text string) string {
	switch word := strings.ToLower(text); word {
	case "", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never":
		return word
	}
	s.problem(BadChangeFreq, line, text, nil)
	return ""
}
