package engine

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// mostFeeds bounds how many of a page's feeds are read for its sound.
const mostFeeds = 3

// media takes the sound and the moving picture that were asked for.
func (s *scrape) media(ctx context.Context) error {
	for _, want := range []struct {
		format formats.Type
		code   Code
		list   []formats.Medium
		take   func(formats.Medium)
	}{
		{formats.Audio, CodeAudioUnsupported, s.output.Audio, func(m formats.Medium) { s.audio = m.URL }},
		{formats.Video, CodeVideoUnsupported, s.output.Video, func(m formats.Medium) { s.video = m.URL }},
	} {
		if !s.plan.Wants(want.format) {
			continue
		}
		best := formats.Best(want.list)
		if best == nil {
			best = s.mediumElsewhere(ctx, want.format)
		}
		if best == nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &Error{Code: want.code, Err: fmt.Errorf("the page has no %s", want.format)}
		}
		want.take(*best)
	}
	return nil
}

// mediumElsewhere is what the URL itself leads to, or what the page's feeds hand out; nil too when ctx has ended.
func (s *scrape) mediumElsewhere(ctx context.Context, t formats.Type) *formats.Medium {
	if page.MediaKind(s.source.MediaType) == t {
		return &formats.Medium{URL: s.address(), MimeType: s.source.MediaType}
	}
	if isFeedType(s.source.MediaType) {
		list, _ := formats.Enclosures(ctx, s.address(), s.bytes(ctx)) // the caller looks at ctx
		return firstOf(list, t, "")
	}
	if s.plan.caching.Only {
		return nil
	}
	for i, feed := range s.output.Metadata.Feeds {
		if i == mostFeeds {
			break
		}
		if found := s.mediumOfFeed(ctx, feed, t); found != nil {
			return found
		}
	}
	return nil
}

func isFeedType(mediaType string) bool {
	switch mediaType {
	case "application/rss+xml", "application/atom+xml", "application/feed+json", "application/xml", "text/xml", "application/json":
		return true
	}
	return false
}

// bytes of the page. One that was served by its kept output is read for that.
func (s *scrape) bytes(ctx context.Context) []byte {
	if s.served != nil && s.source.Body == nil {
		s.engine.pageStore.Load(ctx, *s.served, s.source)
	}
	return s.source.Body
}

// firstOf gives the first of a feed that belongs to a page: to an entry's, or to the feed's home, whose
// newest entry is the first. Without a page it is the first of all.
func firstOf(list []formats.Enclosure, t formats.Type, href string) *formats.Medium {
	own := weburl.Key(href)
	for _, match := range []func(formats.Enclosure) bool{
		func(e formats.Enclosure) bool { return href == "" || e.Page != "" && weburl.Key(e.Page) == own },
		func(e formats.Enclosure) bool { return e.Home != "" && weburl.Key(e.Home) == own },
	} {
		for _, e := range list {
			if page.MediaKind(e.MimeType) == t && match(e) {
				return &e.Medium
			}
		}
	}
	return nil
}

// mediumOfFeed reads one feed. One that is unavailable is as good as none.
func (s *scrape) mediumOfFeed(ctx context.Context, feed string, t formats.Type) (found *formats.Medium) {
	_ = s.step("feed", func() (string, error) {
		body, err := s.feed(ctx, feed)
		var list []formats.Enclosure
		if err == nil {
			list, err = formats.Enclosures(ctx, feed, body)
		}
		found = firstOf(list, t, s.address())
		return fmt.Sprintf("%d bytes", len(body)), err
	})
	return found
}

func (s *scrape) feed(ctx context.Context, feed string) ([]byte, error) {
	if virtual := s.engine.client.Virtual(); virtual.Has(weburl.Hostname(feed)) && !virtual.Has(weburl.Hostname(s.plan.URL)) {
		return nil, errors.New("a virtual host can't be reached from a real one")
	}
	if err := s.obey(ctx, feed); err != nil {
		return nil, err
	}
	res, err := s.engine.client.Do(ctx, fetch.Request{
		URL: feed, UserAgent: s.engine.pages.Agent(), AcceptLanguage: s.plan.Location.AcceptLanguage(),
		Accept: "application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5", SkipTLSVerify: s.plan.SkipTLS, Proxy: s.plan.Proxy,
	})
	if err != nil {
		return nil, err
	}
	if res.Status != http.StatusOK {
		return nil, fmt.Errorf("status %d", res.Status)
	}
	return res.Body, nil
}
