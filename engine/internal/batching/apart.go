package batching

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/winnow-go/winnow/crawl"
	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/work"
	"github.com/winnow-go/winnow/fetch/weburl"
)

// Of a batch that is spread over machines, each page has its places in the batch in its key: so they come to whatever machine gets it, and
// with its end to those that keep a mirror.

// maxPlaces bounds the places of one address, in bytes of JSON.
const maxPlaces = 128 << 10

// place is where a URL was given.
type place struct {
	Number uint64 `json:"n"`
	URL    string `json:"url"`
}

// Seeds are the pages of a spread batch. All URLs are web addresses.
func Seeds(urls []string) (seeds []crawl.Found, err error) {
	order, by := []string{}, map[string][]place{}
	for i, u := range urls {
		href, err := weburl.Target(u)
		if err != nil {
			return nil, err
		}
		if by[href] == nil {
			order = append(order, href)
		}
		by[href] = append(by[href], place{uint64(i + 1), u})
	}
	for _, href := range order {
		places, err := json.Marshal(by[href])
		if err != nil {
			return nil, err
		}
		if len(places) > maxPlaces {
			want := fmt.Sprintf("one address fewer times than its places take %d bytes in a cluster", maxPlaces)
			return nil, &option.Error{Field: "urls", Value: href, Want: want}
		}
		seeds = append(seeds, crawl.Found{URL: href, Key: href + keyEnd + string(places)})
	}
	return seeds, nil
}

// keyEnd parts the address from its places.
const keyEnd = "\n"

func placesIn(item crawl.Item) (list []place, err error) {
	_, places, _ := strings.Cut(item.Key, keyEnd)
	if err := json.Unmarshal([]byte(places), &list); err != nil || len(list) == 0 {
		return nil, errors.Join(err, errors.New("the page has no place in the batch"))
	}
	return list, nil
}

// visitApart is Visit of a spread batch.
func (b *batch) visitApart(ctx context.Context, item crawl.Item) work.Outcome {
	places, err := placesIn(item)
	if err != nil {
		return work.Outcome{Failed: err}
	}
	visit, err := b.pages.Visit(ctx, places[0].URL, item)
	if err != nil {
		out := b.line.Again(item, visit.Tried, err)
		out.Note = places
		return out
	}
	out := work.Outcome{Credits: visit.Credits, InTx: visit.InTx, Note: places}
	b.line.PushedBack(&out, item, visit.Tried)
	for _, p := range places {
		out.Documents = append(out.Documents, visit.Document(p.URL))
	}
	return out
}

// KeepGiven is [work.Kind].Keep of a batch.
func KeepGiven(tx jobs.Tx, job string, data json.RawMessage) error {
	var places []place
	if err := json.Unmarshal(data, &places); err != nil {
		return err
	}
	for _, p := range places {
		if err := keepOne(tx, job, p.Number, p.URL); err != nil {
			return err
		}
	}
	return nil
}
