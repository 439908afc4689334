package decode

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/formats/window"
)

// Limits of the service that the engine leaves to its own types.
const (
	minTimeout  = 1000 // ms
	maxTimeout  = 300_000
	maxWaitFor  = 60_000
	maxTags     = 1000
	maxPDFPages = 10_000
)

// ScrapeFields are the scrape options of every body that takes them, without the URL. What only the embedder may
// set (proxy addresses, folders, the way of rendering, token budgets) is no field.
func ScrapeFields(o *engine.ScrapeOptions) Fields {
	f := renderFields(o)
	maps.Copy(f, Fields{
		"maxAge":              age(&o.MaxAge),
		"minAge":              age(&o.MinAge),
		"headers":             texted(&o.Headers),
		"waitFor":             span(&o.WaitFor, time.Millisecond, 0, maxWaitFor),
		"mobile":              Flag(&o.Mobile),
		"skipTlsVerification": flagOr(&o.SkipTLSVerification),
		"actions":             actionList(&o.Actions),
		"location":            nested(&o.Location, locationFields),
		"blockAds":            flagOr(&o.BlockAds),
		"proxy":               Word(&o.Proxy, engine.ProxyAuto, engine.ProxyBasic, engine.ProxyEnhanced, engine.ProxyStealth),
		"storeInCache":        flagOr(&o.StoreInCache),
		"lockdown":            Flag(&o.Lockdown),
		"profile":             nested(&o.Profile, profileFields),
	})
	return f
}

// renderFields are those that mean something for a file too. Clients put their labels among the options of a job's pages as well;
// those of the body count.
func renderFields(o *engine.ScrapeOptions) Fields {
	return Fields{
		"formats":            List(&o.Formats, maxFormats, func(f *formats.Format) Reader { return own(f, wantFormat, FormatSchema) }),
		"onlyMainContent":    flagOr(&o.OnlyMainContent),
		"onlyCleanContent":   Flag(&o.OnlyCleanContent),
		"includeTags":        Texts(&o.IncludeTags, maxTags),
		"excludeTags":        Texts(&o.ExcludeTags, maxTags),
		"timeout":            span(&o.Timeout, time.Millisecond, minTimeout, maxTimeout),
		"parsers":            List(&o.Parsers, maxParsers, parserReader),
		"removeBase64Images": flagOr(&o.RemoveBase64Images),
		"winnow":             winnowOptions(o),
		"origin":             Text(new(string), 0, MaxLabel),
		"integration":        OrNull(Text(new(string), 0, MaxLabel)),
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

// winnowOptions are options that only this service has, in an object of their own.
func winnowOptions(o *engine.ScrapeOptions) Reader {
	f := Fields{
		"leftOut": Flag(&o.LeftOut), "cleanBelow": fraction(&o.CleanBelow),
		"render": Word(&o.Render, engine.RenderAuto, engine.RenderNever, engine.RenderAlways), "minConfidence": fraction(&o.MinConfidence),
		"revalidate": Flag(&o.Revalidate), "budget": budget(&o.Budget),
	}
	return Reader{func() Schema { return f.Shape().Titled("WinnowOptions") }, f.Read}
}

// budget reads how much of the markdown is wanted.
func budget(b *window.Budget) Reader {
	f := Fields{
		"tokens": Whole(&b.Tokens, window.MinTokens, window.MaxTokens), "query": Text(&b.Query, 0, window.MaxQuery),
		"from": Whole(&b.From, 0, maxFrom),
	}
	return Reader{func() Schema { return f.Shape().Titled("BudgetOptions") }, f.Read}
}

const (
	maxFrom    = 1 << 31
	maxFormats = 50
	maxParsers = 10
)

func actionList(into *[]actions.Action) Reader {
	return Reader{ActionsSchema, func(raw json.RawMessage) []Issue {
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

func locationFields(l *engine.Location) Fields {
	return Fields{"country": Text(&l.Country, 0, MaxLabel), "languages": Texts(&l.Languages, maxTags)}
}

func profileFields(p *engine.Profile) Fields {
	return Fields{"name": Text(&p.Name, 1, 128), "saveChanges": flagOr(&p.SaveChanges)}
}

// parserReader reads a name or an object.
func parserReader(p *engine.Parser) Reader {
	return nameOr("Parser", Word(&p.Type, "pdf", "image"), Fields{
		"mode":         Word(&p.Mode, "fast", "auto", "ocr"),
		"maxPages":     Whole(&p.MaxPages, 1, maxPDFPages),
		"pages":        Flag(&p.Pages),
		"pageMarkdown": Flag(&p.Pages), // the service's older name
		"blocks":       Flag(&p.Blocks),
		"pageMarkers":  Flag(&p.PageMarkers),
		"password":     Text(&p.Password, 0, MaxLabel),
	})
}

// URL reads the address of a page. The engine checks what it must be like.
func URL(into *string) Reader { return Text(into, 1, maxURL) }

const (
	maxURL     = 16 << 10
	WantURL    = "an http or https URL"
	wantFormat = "a format name or an object with a type"
)

// retention reads whether nothing is to be kept, where the caller's limits allow it.
func retention(into *bool, allowed bool) Reader {
	given := Flag(into)
	return Reader{given.Shape, func(raw json.RawMessage) []Issue {
		issues := given.Read(raw)
		if issues == nil && *into && !allowed {
			return []Issue{{Code: "unsupported", Path: []any{}, Message: "not enabled for this key"}}
		}
		return issues
	}}
}

// ParseFields are those of a file: all scrape options.
func ParseFields(o *engine.ScrapeOptions, zdr bool) Fields {
	f := ScrapeFields(o)
	f["zeroDataRetention"] = retention(&o.ZeroDataRetention, zdr)
	return f
}

// ParseFileFields are those of a file that mean something for one.
func ParseFileFields(o *engine.ScrapeOptions, zdr bool) Fields {
	f := renderFields(o)
	f["zeroDataRetention"] = retention(&o.ZeroDataRetention, zdr)
	return f
}

// ScrapePageFields are those of one page.
func ScrapePageFields(url *string, o *engine.ScrapeOptions, zdr bool) Fields {
	f := ParseFields(o, zdr)
	f["url"] = URL(url)
	return f
}
