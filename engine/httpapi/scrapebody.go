package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
)

// Limits of the service that the engine leaves to its own types.
const (
	leastTimeout = 1000 // ms
	mostTimeout  = 300_000
	mostWaitFor  = 60_000
	mostTags     = 1000
	mostPDFPages = 10_000
)

// scrapeFields are the scrape options of every body that takes them, without the URL. What only the embedder may
// set (proxy addresses, folders, the way of rendering, token budgets) is no field.
func scrapeFields(o *engine.ScrapeOptions) fields {
	f := renderFields(o)
	maps.Copy(f, fields{
		"maxAge":              age(&o.MaxAge),
		"minAge":              age(&o.MinAge),
		"headers":             texted(&o.Headers),
		"waitFor":             span(&o.WaitFor, time.Millisecond, 0, mostWaitFor),
		"mobile":              flag(&o.Mobile),
		"skipTlsVerification": flagOr(&o.SkipTLSVerification),
		"actions":             actionList(&o.Actions),
		"location":            nested(&o.Location, locationFields),
		"blockAds":            flagOr(&o.BlockAds),
		"proxy":               word(&o.Proxy, engine.ProxyAuto, engine.ProxyBasic, engine.ProxyEnhanced, engine.ProxyStealth),
		"storeInCache":        flagOr(&o.StoreInCache),
		"lockdown":            flag(&o.Lockdown),
		"profile":             nested(&o.Profile, profileFields),
	})
	return f
}

// renderFields are those that mean something for a file too. Clients put their labels among the options of a job's pages as well;
// those of the body count.
func renderFields(o *engine.ScrapeOptions) fields {
	return fields{
		"formats":            list(&o.Formats, mostFormats, func(f *formats.Format) reader { return own(f, wantFormat, formatSchema) }),
		"onlyMainContent":    flagOr(&o.OnlyMainContent),
		"onlyCleanContent":   flag(&o.OnlyCleanContent),
		"includeTags":        texts(&o.IncludeTags, mostTags),
		"excludeTags":        texts(&o.ExcludeTags, mostTags),
		"timeout":            span(&o.Timeout, time.Millisecond, leastTimeout, mostTimeout),
		"parsers":            list(&o.Parsers, mostParsers, parserReader),
		"removeBase64Images": flagOr(&o.RemoveBase64Images),
		"winnow":             winnowOptions(o),
		"origin":             text(new(string), 0, longestLabel),
		"integration":        orNull(text(new(string), 0, longestLabel)),
		"fastMode":           unsupported,
		"redactPII":          unsupported,
		"threatProtection":   unsupported,
		"auditMetadata":      unsupported,
		"useMock":            unsupported,
		"domainTools":        unsupported,
		"toolDetail":         unsupported,
		"safeMode":           unsupported,
	}
}

// winnowOptions are options that the service hasn't, in an object of their own.
func winnowOptions(o *engine.ScrapeOptions) reader {
	f := fields{"leftOut": flag(&o.LeftOut), "cleanBelow": fraction(&o.CleanBelow)}
	return reader{func() schema { return f.shape().titled("WinnowOptions") }, f.read}
}

const (
	mostFormats = 50
	mostParsers = 10
)

func actionList(into *[]actions.Action) reader {
	return reader{actionsSchema, func(raw json.RawMessage) []issue {
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) == nil && len(items) > actions.MaxActions {
			return wrongType(fmt.Sprintf("a list of at most %d", actions.MaxActions))
		}
		found, err := actions.Decode(raw)
		if err != nil {
			return optionIssues(err, "actions")
		}
		*into = found
		return nil
	}}
}

func locationFields(l *engine.Location) fields {
	return fields{"country": text(&l.Country, 0, longestLabel), "languages": texts(&l.Languages, mostTags)}
}

func profileFields(p *engine.Profile) fields {
	return fields{"name": text(&p.Name, 1, 128), "saveChanges": flagOr(&p.SaveChanges)}
}

// parserReader reads a name or an object.
func parserReader(p *engine.Parser) reader {
	return nameOr("Parser", word(&p.Type, "pdf", "image"), fields{
		"mode":         word(&p.Mode, "fast", "auto", "ocr"),
		"maxPages":     whole(&p.MaxPages, 1, mostPDFPages),
		"pages":        flag(&p.Pages),
		"pageMarkdown": flag(&p.Pages), // the service's older name
		"blocks":       flag(&p.Blocks),
		"pageMarkers":  flag(&p.PageMarkers),
		"password":     text(&p.Password, 0, longestLabel),
	})
}

// retention reads whether nothing is to be kept, where the caller's limits allow it.
func (c *call) retention(into *bool) reader {
	given := flag(into)
	return reader{given.shape, func(raw json.RawMessage) []issue {
		issues := given.read(raw)
		if issues == nil && *into && !c.limits.ZeroDataRetention {
			return []issue{{Code: "unsupported", Path: []any{}, Message: "not enabled for this key"}}
		}
		return issues
	}}
}

// target reads the URL: what it must be like, the engine says.
func target(into *string) reader { return text(into, 1, longestURL) }

const (
	longestURL = 16 << 10
	wantURL    = "an http or https URL"
	wantFormat = "a format name or an object with a type"
)
