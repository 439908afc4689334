package archives

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/winnow-go/winnow/engine/internal/page"
	"github.com/winnow-go/winnow/engine/internal/pagestore"
	"github.com/winnow-go/winnow/engine/internal/stores"
	"github.com/winnow-go/winnow/fetch/archive"
	"github.com/winnow-go/winnow/fetch/archive/recording"
)

// Export writes the pages of a folder's cache to an archive: of each the newest version, as of the time when it was stored. include says
// which addresses are wanted, such as those of a crawl's documents; nil is all. What a browser has rendered is written as it was then,
// with its scripts: to have those run again from an archive, record a site instead. It returns how many pages are in the archive. No
// engine may have the folder open.
func Export(ctx context.Context, dir string, o recording.Options, include func(url string) bool) (pages int, err error) {
	if dir == "" {
		return 0, errors.New("archives: dir is empty: want the folder of the cache")
	}
	s, err := stores.Open(stores.Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if err != nil {
		return 0, fmt.Errorf("archives: %w", err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	to, err := recording.Create(o)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	return export(ctx, s, to, include)
}

func export(ctx context.Context, s *stores.Stores, to *recording.Recorder, include func(url string) bool) (pages int, err error) {
	last := ""
	store := &pagestore.Store{Pages: s.Pages, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	visit := func(v pagestore.Version) {
		if v.Facts == nil || v.Key == last || include != nil && !include(v.URL) && !include(v.Source) || err != nil {
			return
		}
		last = v.Key // the newest comes first
		src, failed := pagestore.Read(ctx, s.Pages, v.Version)
		if failed != nil {
			err = fmt.Errorf("archives: %s: %w", v.URL, failed)
			return
		}
		record(to, v, src)
		pages++
	}
	return pages, errors.Join(store.EachVersion(ctx, "", visit), err)
}

// record writes a page, and the redirect that led to it.
func record(to *recording.Recorder, v pagestore.Version, src *page.Page) {
	header := archive.Header{}
	contentType := src.ContentType
	if src.FromTree {
		contentType = "text/html; charset=utf-8"
	}
	for _, f := range []archive.Field{{Name: "Content-Type", Value: contentType}, {Name: "Content-Language", Value: src.Language},
		{Name: "ETag", Value: src.ETag}, {Name: "Last-Modified", Value: src.LastModified}} {
		if f.Value != "" {
			header = append(header, f)
		}
	}
	to.Record(exchange(src.URL, v.Stored, src.Status, header, src.Body))
	if v.Source != src.URL && v.Source != "" {
		to.Record(exchange(v.Source, v.Stored, http.StatusFound, archive.Header{{Name: "Location", Value: src.URL}}, nil))
	}
}

func exchange(address string, at time.Time, status int, header archive.Header, body []byte) archive.Exchange {
	return archive.Exchange{URL: address, Time: at,
		Request:  &archive.Message{Line: "GET / HTTP/1.1"},
		Response: &archive.Message{Line: fmt.Sprintf("HTTP/1.1 %d %s", status, http.StatusText(status)), Header: header, Body: bytes.NewReader(body)}}
}
