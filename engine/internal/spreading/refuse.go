package spreading

import (
	"encoding/json"
	"fmt"

	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/internal/spread"
	"github.com/winnow-go/winnow/formats"
)

// maxParams bounds the parameters of a job that is spread, in bytes: each shard has them.
const maxParams = 128 << 10

// Check refuses a cluster that is none.
func Check(cluster any) error {
	if _, ok := cluster.(spread.Cluster); cluster != nil && !ok {
		return &option.Error{Field: "Cluster", Value: fmt.Sprintf("%T", cluster), Want: "what package engine/cluster makes"}
	}
	return nil
}

// pages are the options of a job's pages that may not be honoured.
type pages struct {
	Formats []formats.Format
	Profile *struct{ Name string }
}

// Refuse returns the error of the parameters of a job that engines of a cluster can't honour, as they are stored: what they have no common
// store for.
func (s *Spreading) Refuse(kind string, params []byte) error {
	if s == nil {
		return nil
	}
	var p struct {
		Options struct {
			Since, Record, Prompt, IdempotencyKey string
			Scrape                                pages
		} `json:"options"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	prefix := ""
	if kind != "batch_scrape" {
		prefix = "scrapeOptions."
	}
	const unset = "unset: the engines of a cluster share no "
	switch o := p.Options; {
	case o.Since != "":
		return &option.Error{Field: "since", Value: o.Since, Want: unset + "earlier crawl"}
	case o.Record != "":
		return &option.Error{Field: "record", Value: o.Record, Want: unset + "file"}
	case kind == "crawl" && o.Prompt != "" && o.IdempotencyKey != "":
		return &option.Error{Field: "idempotencyKey", Value: o.IdempotencyKey, Want: "unset beside prompt in a cluster: a model's answers differ"}
	case o.Scrape.Profile != nil:
		return &option.Error{Field: prefix + "profile", Value: o.Scrape.Profile.Name, Want: unset + "profiles"}
	case len(params) > maxParams:
		return &option.Error{Field: "options", Value: len(params), Want: fmt.Sprintf("at most %d bytes of JSON in a cluster", maxParams)}
	}
	for _, f := range p.Options.Scrape.Formats {
		if f.Type == formats.ChangeTracking {
			want := "others: the engines of a cluster share no history of a page"
			return &option.Error{Field: prefix + "formats", Value: string(f.Type), Want: want}
		}
	}
	return nil
}
