package decode

import (
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/monitor"
)

// Limits of monitors.
const (
	maxMonitorName  = 256
	maxTargets      = 50
	maxTargetURLs   = 1000
	maxQueries      = 50
	maxParts        = 50
	maxRetention    = 365                    // days
	maxInterval     = 366 * 24 * 3600 * 1000 // ms
	minInterval     = 60 * 1000
	maxJitter       = 24 * 3600 * 1000
	maxScheduleText = 200
)

// MonitorPatch is what a body gives of a monitor; nil: it doesn't.
type MonitorPatch struct {
	Name             *string
	Status           *monitor.Status
	Schedule         *monitor.Schedule // without interval and jitter
	Interval, Jitter *time.Duration
	Webhook          **engine.Webhook
	Targets          *[]engine.MonitorTarget
	Days             *int
	Goal             *string
	Judge            *bool
}

// MonitorFields are those of a monitor. Of one that is created only some are accepted; see [MonitorUpdateFields].
func MonitorFields(p *MonitorPatch) Fields {
	return Fields{
		"name":          maybe(&p.Name, func(s *string) Reader { return Text(s, 1, maxMonitorName) }),
		"schedule":      nested(&p.Schedule, scheduleFields),
		"webhook":       orNone(&p.Webhook, webhook),
		"notification":  noMail,
		"targets":       maybe(&p.Targets, func(l *[]engine.MonitorTarget) Reader { return List(l, maxTargets, targetReader) }),
		"retentionDays": maybe(&p.Days, func(n *int) Reader { return Whole(n, 1, maxRetention) }),
		"goal":          orEmpty(&p.Goal, MaxPrompt),
		"judgeEnabled":  flagOr(&p.Judge),
		"winnow":        winnowMonitor(p),
	}
}

// MonitorUpdateFields are those of a change of a monitor.
func MonitorUpdateFields(p *MonitorPatch) Fields {
	f := MonitorFields(p)
	f["status"] = maybe(&p.Status, func(s *monitor.Status) Reader { return Word(s, monitor.Active, monitor.Paused) })
	return f
}

func scheduleFields(s *monitor.Schedule) Fields {
	return Fields{"cron": Text(&s.Cron, 1, maxScheduleText), "text": Text(&s.Text, 1, maxScheduleText), "timezone": Text(&s.Timezone, 0, MaxLabel)}
}

// winnowMonitor are the options of a monitor that only this service has.
func winnowMonitor(p *MonitorPatch) Reader {
	ms := func(lowest, highest int) func(*time.Duration) Reader {
		return func(d *time.Duration) Reader { return span(d, time.Millisecond, lowest, highest) }
	}
	f := Fields{"interval": maybe(&p.Interval, ms(minInterval, maxInterval)), "jitter": maybe(&p.Jitter, ms(0, maxJitter))}
	return Reader{func() Schema { return f.Shape().Titled("WinnowMonitorOptions") }, f.Read}
}

func targetReader(t *engine.MonitorTarget) Reader {
	watch := Fields{
		"parts": Texts(&t.Watch.Parts, maxParts), "picture": Flag(&t.Watch.Picture), "ignoreNoise": flagOr(&t.Watch.IgnoreNoise),
	}
	var seed string
	crawl := CrawlFields(&seed, &t.Crawl, false)
	for _, name := range []string{"url", "prompt", "webhook", "scrapeOptions", "zeroDataRetention"} { // the target's, or the monitor's
		delete(crawl, name)
	}
	f := Fields{
		"id":             Text(&t.ID, 1, maxMonitorName),
		"type":           Word(&t.Type, monitor.Scrape, monitor.Crawl, monitor.Search),
		"urls":           Texts(&t.URLs, maxTargetURLs),
		"url":            URL(&t.URL),
		"queries":        Texts(&t.Queries, maxQueries),
		"searchWindow":   Word(&t.Window, "5m", "15m", "1h", "6h", "24h", "7d"),
		"includeDomains": Texts(&t.IncludeDomains, maxDomains),
		"excludeDomains": Texts(&t.ExcludeDomains, maxDomains),
		"maxResults":     Whole(&t.MaxResults, 1, maxResults),
		"scrapeOptions":  inlaid(&t.Scrape, ScrapeFields),
		"crawlOptions":   Reader{func() Schema { return crawl.Shape().Titled("MonitorCrawlOptions") }, crawl.Read},
		"winnow":         Reader{func() Schema { return watch.Shape().Titled("WinnowWatchOptions") }, watch.Read},
	}
	return Reader{func() Schema { return f.Shape().Titled("MonitorTarget") }, f.Read}
}

// noMail accepts a notification that sends nothing, as clients give it by habit.
var noMail = Reader{
	func() Schema {
		off := Fields{"enabled": {func() Schema { return Schema{"const": false} }, nil}, "recipients": Texts(new([]string), 0),
			"includeDiffs": Flag(new(bool))}
		mail := Fields{"email": {func() Schema { return off.Shape() }, nil}}
		return Schema{"oneOf": []Schema{{"type": "null"}, mail.Shape()}}
	},
	func(raw json.RawMessage) []Issue {
		var enabled, diffs bool
		var to []string
		mail := Fields{"enabled": Flag(&enabled), "recipients": Texts(&to, maxTargetURLs), "includeDiffs": Flag(&diffs)}
		issues := Fields{"email": {nil, mail.Read}}.Read(raw)
		if null(raw) {
			return nil
		}
		if issues == nil && (enabled || len(to) > 0) {
			return []Issue{{Code: "unsupported", Path: []any{"email"}, Message: "e-mail is not sent: use webhook, or the monitor's feed"}}
		}
		return issues
	},
}

// orNone reads a value, or null for none.
func orNone[T any](into ***T, by func(**T) Reader) Reader {
	value := new(*T)
	r := by(value)
	shape := func() Schema { return Schema{"oneOf": []Schema{{"type": "null"}, r.Shape()}} }
	return Reader{shape, func(raw json.RawMessage) []Issue {
		*into = value
		if null(raw) {
			return nil
		}
		return r.Read(raw)
	}}
}

// orEmpty reads a text, or null for none.
func orEmpty(into **string, highest int) Reader {
	value := new(string)
	r := OrNull(Text(value, 0, highest))
	return Reader{r.Shape, func(raw json.RawMessage) []Issue {
		*into = value
		return r.Read(raw)
	}}
}

// Apply changes options to what a body gives.
func (p *MonitorPatch) Apply(o *engine.MonitorOptions) {
	set(&o.Name, p.Name)
	set(&o.Status, p.Status)
	set(&o.Webhook, p.Webhook)
	set(&o.Targets, p.Targets)
	set(&o.RetentionDays, p.Days)
	set(&o.Goal, p.Goal)
	if p.Judge != nil {
		o.Judge = p.Judge
	}
	if p.Schedule != nil {
		jitter := o.Schedule.Jitter
		o.Schedule = *p.Schedule
		o.Schedule.Jitter = jitter
	}
	if p.Interval != nil {
		if p.Schedule == nil {
			o.Schedule.Cron, o.Schedule.Text = "", ""
		}
		o.Schedule.Every = *p.Interval
	}
	set(&o.Schedule.Jitter, p.Jitter)
}

func set[T any](into *T, value *T) {
	if value != nil {
		*into = *value
	}
}
