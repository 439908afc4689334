package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// SearXNGOptions say which server is queried.
type SearXNGOptions struct {
	// URL of the server, such as http://localhost:8888. Required.
	URL string
	// Header is added to each request, for servers that need authentication.
	Header http.Header
	// Engines that the server queries, by its own names. Empty: its default.
	Engines []string
	HTTP
}

// SearXNG queries a SearXNG server by its JSON API, which the server's settings must allow
// (search.formats has json). The server passes queries on to search engines on the internet, so the
// provider is never local, wherever the server runs. Make one with NewSearXNG.
type SearXNG struct {
	base    *url.URL
	header  http.Header
	engines string
	client  client
}

var _ Provider = (*SearXNG)(nil)

// NewSearXNG checks the options; it contacts nothing.
func NewSearXNG(o SearXNGOptions) (*SearXNG, error) {
	base, err := endpoint("URL", o.URL)
	if err != nil {
		return nil, err
	}
	base = base.JoinPath("search")
	return &SearXNG{base: base, header: o.Header.Clone(), engines: strings.Join(o.Engines, ","), client: newClient("SearXNG", o.HTTP)}, nil
}

// endpoint parses the address of a server.
func endpoint(field, raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, &OptionError{Field: field, Value: "(redacted)", Want: "an http or https URL"}
	}
	return u, nil
}

// Name implements Provider.
func (s *SearXNG) Name() string { return s.client.name }

// Local implements Provider.
func (s *SearXNG) Local() bool { return false }

// Can implements Provider.
func (s *SearXNG) Can() Capabilities {
	return Capabilities{
		Sources: []Source{Web, News, Images}, Categories: AllCategories, Domains: true,
		Past: []Period{Day, Week, Month, Year}, Language: true, Country: true, Safe: true,
	}
}

// searxPages bounds the pages that one query reads: each has about 20 results.
const searxPages = 15

// Search implements Provider. Without a language it requests English results.
func (s *SearXNG) Search(ctx context.Context, q Query) (Results, error) {
	q = q.WithDefaults()
	if err := s.Can().Check(s.Name(), q); err != nil {
		return Results{}, err
	}
	found := newCollect(q)
	var warning string
	for page := 1; page <= searxPages && !found.full(); page++ {
		answer, err := s.page(ctx, q, page)
		if err != nil {
			if page > 1 && ctx.Err() == nil { // some results are better than none
				return Results{found.list, "Further pages of results are unavailable."}, nil
			}
			return Results{}, err
		}
		if page == 1 {
			warning = answer.warning()
		}
		before := len(found.list)
		for _, r := range answer.Results {
			found.add(r.result())
		}
		if len(answer.Results) == 0 || len(found.list) == before && page > 1 {
			break
		}
	}
	return Results{found.list, warning}, nil
}

func (s *SearXNG) page(ctx context.Context, q Query, page int) (*searxAnswer, error) {
	u := *s.base
	u.RawQuery = s.parameters(q, page).Encode()
	body, err := s.client.ask(ctx, request{method: http.MethodGet, url: u.String(), header: s.header})
	if err != nil {
		return nil, searxHint(err)
	}
	answer := &searxAnswer{}
	if err := json.Unmarshal(body, answer); err != nil || answer.Results == nil {
		return nil, fmt.Errorf("%s: %w", s.Name(), ErrAnswer)
	}
	return answer, nil
}

// searxHint adds the usual reason to a refusal.
func searxHint(err error) error {
	if status, ok := errors.AsType[*StatusError](err); ok && status.Status == http.StatusForbidden {
		return &StatusError{Provider: status.Provider, Status: status.Status, Hint: "the server's settings must allow the format json (search.formats)"}
	}
	return err
}

func (s *SearXNG) parameters(q Query, page int) url.Values {
	v := url.Values{
		"q": {withOperators(q)}, "format": {"json"}, "pageno": {strconv.Itoa(page)},
		"categories": {map[Source]string{Web: "general", News: "news", Images: "images"}[q.Source]},
		"language":   {searxLanguage(q)},
	}
	for name, value := range map[string]string{
		"engines":    s.engines,
		"time_range": map[Period]string{Day: "day", Week: "week", Month: "month", Year: "year"}[q.Span.Past],
		"safesearch": map[Safe]string{SafeOff: "0", SafeModerate: "1", SafeStrict: "2"}[q.Safe],
	} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return v
}

func searxLanguage(q Query) string {
	language := q.Language
	if language == "" {
		language = "en"
	}
	if q.Country != "" && !strings.Contains(language, "-") {
		language += "-" + strings.ToUpper(q.Country)
	}
	return language
}

// searxAnswer has the fields of an answer that are used.
type searxAnswer struct {
	Results      []searxResult       `json:"results"`
	Unresponsive [][]json.RawMessage `json:"unresponsive_engines"`
}

type searxResult struct {
	URL        string  `json:"url"`
	Title      string  `json:"title"`
	Content    string  `json:"content"`
	Published  *string `json:"publishedDate"`
	Image      string  `json:"img_src"`
	Thumbnail  string  `json:"thumbnail"`
	Resolution string  `json:"resolution"`
}

// warning is empty unless no engine has answered.
func (a *searxAnswer) warning() string {
	if len(a.Results) > 0 || len(a.Unresponsive) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the server's search engines didn't answer.", len(a.Unresponsive))
}

func (r searxResult) result() Result {
	out := Result{URL: r.URL, Title: r.Title, Description: r.Content, ImageURL: r.Image}
	if out.ImageURL == "" {
		out.ImageURL = r.Thumbnail
	}
	if strings.HasPrefix(out.ImageURL, "//") {
		out.ImageURL = "https:" + out.ImageURL
	}
	if r.Published != nil {
		out.Date = parseDate(*r.Published)
	}
	width, height, _ := strings.Cut(strings.NewReplacer("×", "x", " ", "").Replace(r.Resolution), "x")
	out.ImageWidth, out.ImageHeight = pixels(width), pixels(height)
	return out
}

func pixels(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1<<20 {
		return 0
	}
	return n
}

// parseDate parses the date formats that services use; zero if none matches. A date without a
// zone is in UTC.
func parseDate(text string) time.Time {
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", time.DateOnly, "2006-01", "2006",
		time.RFC1123Z, time.RFC1123, "Jan 2, 2006", "January 2, 2006", "2 Jan 2006", "2 January 2006",
	} {
		if t, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
