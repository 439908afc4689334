package scraping

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/render"
	"github.com/winnow-go/winnow/fetch"
	"github.com/winnow-go/winnow/fetch/weburl"
	"github.com/winnow-go/winnow/formats"
)

// maxFeeds bounds how many of a page's feeds are read for its audio.
const maxFeeds = 3

// Media are the addresses of what was asked for; "" for what was not.
type Media struct{ Audio, Video string }

// media finds the asked media of the page. Of none the error is a [*NoMediaError].
func (s *Scrape) media(ctx context.Context, got Acquired, out *render.Output) (m Media, err error) {
	if s.Request.Wants(formats.Audio) {
		if m.Audio, err = s.medium(ctx, got, out, formats.Audio, out.Audio); err != nil {
			return m, err
		}
	}
	if s.Request.Wants(formats.Video) {
		m.Video, err = s.medium(ctx, got, out, formats.Video, out.Video)
	}
	return m, err
}

// medium returns the address of the best medium of the page itself, else of one elsewhere.
func (s *Scrape) medium(
	ctx context.Context, got Acquired, out *render.Output, t formats.Type, own []formats.Medium,
) (address string, err error) {
	best := formats.Best(own)
	if best == nil {
		best = s.mediumElsewhere(ctx, got, out, t)
	}
	switch {
	case best != nil:
		return best.URL, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	return "", &NoMediaError{Format: t}
}

// mediumElsewhere is what the URL itself leads to, or what the page's feeds hand out; nil too when ctx has ended.
func (s *Scrape) mediumElsewhere(ctx context.Context, got Acquired, out *render.Output, t formats.Type) *formats.Medium {
	address := got.Address(s.Request.URL)
	if page.MediaKind(got.Page.MediaType) == t {
		return &formats.Medium{URL: address, MimeType: got.Page.MediaType}
	}
	if isFeedType(got.Page.MediaType) {
		_ = s.load(ctx, got)                                       // without a body it has no media
		list, _ := formats.Enclosures(ctx, address, got.Page.Body) // the caller looks at ctx
		return firstOf(list, t, "")
	}
	if s.Request.Caching.Only {
		return nil
	}
	for i, feed := range out.Metadata.Feeds {
		if i == maxFeeds {
			break
		}
		if found := s.mediumOfFeed(ctx, feed, t, address); found != nil {
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

// firstOf returns the first medium of a feed that belongs to a page: to an entry's, or to the feed's home, whose newest
// entry is the first. Without a page it is the first of all.
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

// mediumOfFeed reads one feed of the page at an address. One that is unavailable counts as none.
func (s *Scrape) mediumOfFeed(ctx context.Context, feed string, t formats.Type, address string) (found *formats.Medium) {
	_ = s.step("feed", func() (string, error) {
		body, err := s.feed(ctx, feed)
		var list []formats.Enclosure
		if err == nil {
			list, err = formats.Enclosures(ctx, feed, body)
		}
		found = firstOf(list, t, address)
		return fmt.Sprintf("%d bytes", len(body)), err
	})
	return found
}

func (s *Scrape) feed(ctx context.Context, feed string) ([]byte, error) {
	r := s.Request
	if s.Client.Strange(r.URL, feed) {
		return nil, errors.New("a virtual host or an intranet can't be reached from elsewhere")
	}
	if err := s.Obey(ctx, feed); err != nil {
		return nil, err
	}
	res, err := s.Client.Do(ctx, fetch.Request{
		URL: feed, Page: r.URL, UserAgent: s.Getter.Agent(), AcceptLanguage: r.Location.AcceptLanguage(),
		Accept:        "application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5",
		SkipTLSVerify: r.SkipTLS, Proxy: r.Proxy,
	})
	if err != nil {
		return nil, err
	}
	if res.Status != http.StatusOK {
		return nil, fmt.Errorf("status %d", res.Status)
	}
	return res.Body, nil
}
