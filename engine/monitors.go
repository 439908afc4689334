package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/winnow-go/winnow/engine/internal/jobs"
	"github.com/winnow-go/winnow/engine/internal/ledger"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/monitoring/carrying"
	"github.com/winnow-go/winnow/engine/monitor"
)

// MonitorOptions describe a monitor: pages, sites and searches that are looked at again and again for changes.
type MonitorOptions struct {
	// Name, 1 to 256 characters.
	Name string
	// Schedule says when it runs. Runs that were missed, while no engine was open or a check was running, are one run; none is done twice,
	// also where the clock is set. With [Options.ResumeJobs] false no monitor runs by itself.
	Schedule monitor.Schedule
	// Targets, 1 to 50.
	Targets []MonitorTarget
	// Webhook receives monitor.page (a page that is new, changed, removed or failed) and monitor.check.completed. Nil: none is sent.
	Webhook *Webhook
	// RetentionDays is how long checks and changes are kept, 1 to 365; at most 10,000 of each. Zero is 30. What is known of a page is kept
	// as long as the target has it.
	RetentionDays int
	// Goal says in words which changes matter, at most 10,000 characters: [Options.Model] judges each change by it, and says why. Those that
	// don't matter are neither sent nor in the log. Without a model it is refused. Empty: every change counts.
	Goal string
	// Judge is whether the Goal is used. Nil is true.
	Judge *bool
	// Status is [monitor.Active] or [monitor.Paused]. Empty is active.
	Status monitor.Status
	// Owner is the tenant that owns the monitor and pays for its pages. It can't be changed.
	Owner string
}

// MonitorTarget is what a monitor watches. Its pages are fetched as those of batches and crawls are: at the pace of their hosts, and
// within the engine's limits. They are fetched again each time, or vouched for by their site, unless Scrape says something else of the
// cache.
type MonitorTarget struct {
	monitor.Target
	// Scrape are the options of each page. With a format json, deterministicJson or changeTracking in json mode the data that is read
	// counts, by field, and the text only beside markdown or git-diff. Owner and ZeroDataRetention must be unset, as Lockdown must. A search
	// has none: its pages aren't fetched.
	Scrape ScrapeOptions
	// Crawl are the options of a crawl. Scrape, Webhook, Owner, ZeroDataRetention, Prompt, Since and IdempotencyKey must be unset.
	Crawl CrawlOptions
}

// Monitor is a monitor that the engine keeps.
type Monitor struct {
	// MonitorOptions with the defaults filled in.
	MonitorOptions
	// ID is a UUIDv7.
	ID string
	// NextRunAt is when it runs next, LastRunAt when the last check ended; zero: there is none.
	NextRunAt, LastRunAt time.Time
	// CurrentCheckID is the check that is running; empty for none.
	CurrentCheckID string
	// LastSummary is that of the last check; nil for none.
	LastSummary *monitor.Summary
	// CreatedAt and UpdatedAt are of the options.
	CreatedAt, UpdatedAt time.Time
}

// CreateMonitor keeps a monitor in [Options.Dir], whose next engine goes on with it. Its first check, at the next time of the schedule,
// finds what later ones are compared with. At most 10,000 are kept.
func (e *Engine) CreateMonitor(ctx context.Context, o MonitorOptions) (*Monitor, error) {
	return managed(ctx, e, "create monitor", func(context.Context) (*Monitor, error) {
		s, err := e.monitorSpec(o)
		if err != nil {
			return nil, err
		}
		return monitorOf(e.monitors.Create(s))
	})
}

// Monitors lists those of all owners, the newest first.
func (e *Engine) Monitors(ctx context.Context) ([]*Monitor, error) {
	return managed(ctx, e, "monitors", func(context.Context) (list []*Monitor, err error) {
		kept, err := e.monitors.List()
		for _, r := range kept {
			m, failed := monitorOf(r, err)
			if list, err = append(list, m), failed; err != nil {
				break
			}
		}
		return list, err
	})
}

// Monitor returns a monitor; an unknown id is a [CodeNotFound] error, here as in the other calls. The owner is not checked: a caller
// that serves several tenants does that.
func (e *Engine) Monitor(ctx context.Context, id string) (*Monitor, error) {
	return managed(ctx, e, "monitor", func(context.Context) (*Monitor, error) { return monitorOf(e.monitors.Get(id)) })
}

// UpdateMonitor changes a monitor. edit gets its options and changes them; it may be called more than once, and its error is returned.
// What is known of pages stays, for targets that keep their ID. A check that is running ends as it began.
func (e *Engine) UpdateMonitor(ctx context.Context, id string, edit func(*MonitorOptions) error) (*Monitor, error) {
	return managed(ctx, e, "update monitor", func(context.Context) (*Monitor, error) {
		return monitorOf(e.monitors.Update(id, func(was monitoring.Spec) (monitoring.Spec, error) {
			o, err := monitorOptions(was)
			if err != nil {
				return was, err
			}
			if err := edit(&o); err != nil {
				return was, err
			}
			o.Owner = was.Owner
			return e.monitorSpec(o)
		}))
	})
}

// DeleteMonitor removes a monitor with its checks. One that is running ends with its next page.
func (e *Engine) DeleteMonitor(ctx context.Context, id string) error {
	return e.manage(ctx, "delete monitor", "", func(ctx context.Context) error { return e.monitors.Delete(ctx, id) })
}

// RunMonitor starts a check at once, of a paused monitor too, and returns it as it begins. [CodeMonitorBusy] where a check is running.
func (e *Engine) RunMonitor(ctx context.Context, id string) (*monitor.Check, error) {
	return managed(ctx, e, "run monitor", func(ctx context.Context) (*monitor.Check, error) { return e.monitors.RunNow(ctx, id) })
}

// MonitorChecks lists the checks of a monitor after the first skip, the newest first; limit is 1 to 1000, 0 for 100.
func (e *Engine) MonitorChecks(ctx context.Context, id string, skip, limit int) ([]*monitor.Check, error) {
	return managed(ctx, e, "monitor checks", func(context.Context) ([]*monitor.Check, error) { return e.monitors.Checks(id, skip, limit) })
}

// MonitorCheck returns a check with its pages, in the order in which they were compared.
func (e *Engine) MonitorCheck(ctx context.Context, id, check string, q monitor.Query) (*monitor.Detail, error) {
	return managed(ctx, e, "monitor check", func(context.Context) (*monitor.Detail, error) { return e.monitors.Detail(id, check, q) })
}

// MonitorChanges ranges over the changes that a monitor has found after one (0: all that are kept), in order, without waiting for more.
// Each is there once: a reader that keeps the number of the last one loses none. See [monitor.WriteAtom] and [monitor.WriteNDJSON].
func (e *Engine) MonitorChanges(ctx context.Context, id string, after uint64) iter.Seq2[monitor.Change, error] {
	return e.monitors.Changes(ctx, id, after, func(err error) error { return failure(ctx, "monitor changes", "", err) })
}

// MonitorNoise lists what a monitor takes for noise ("2 days ago", counters, advertisements, order, tokens), by the form of the pages'
// addresses; at most 10,000 rules.
func (e *Engine) MonitorNoise(ctx context.Context, id string) ([]monitor.Noise, error) {
	return managed(ctx, e, "monitor noise", func(context.Context) ([]monitor.Noise, error) { return e.monitors.Noise(id) })
}

// TakeBackNoise makes what a rule of [Engine.MonitorNoise] passes over count, on all pages of the monitor, from the next check on and
// for good.
func (e *Engine) TakeBackNoise(ctx context.Context, id, rule string) error {
	return e.manage(ctx, "take back noise", "", func(context.Context) error { return e.monitors.TakeBack(id, rule) })
}

// LimitMonitors has what the checks of monitors begin from now on bounded by a function, beside those of earlier calls, for as long as the
// engine lives. httpapi.New calls it for its teams. What is fetched for checks counts in [Engine.Usage] of the monitor's owner as other
// requests do, whatever bounds it.
func (e *Engine) LimitMonitors(r monitor.Reserve) { e.monitors.Limit(r) }

// managed is manage for what returns something.
func managed[T any](ctx context.Context, e *Engine, op string, f func(context.Context) (T, error)) (out T, err error) {
	err = e.manage(ctx, op, "", func(ctx context.Context) (err error) {
		out, err = f(ctx)
		return err
	})
	return out, err
}

// monitorSpec checks the options of a monitor, and returns what its room keeps.
func (e *Engine) monitorSpec(o MonitorOptions) (s monitoring.Spec, err error) {
	s = monitoring.Spec{
		Name: o.Name, Owner: o.Owner, Status: o.Status, Schedule: o.Schedule, Days: o.RetentionDays, Webhook: (*jobs.StoredHook)(o.Webhook),
	}
	if isTrue(o.Judge, true) {
		s.Goal = o.Goal
	}
	if o.Goal != "" && e.options.Model == nil {
		return s, &OptionError{Field: "goal", Value: o.Goal, Want: "none: a model judges by it, and Options.Model is nil"}
	}
	for _, t := range o.Targets {
		s.Targets = append(s.Targets, monitoring.TargetOf(t.Target, t.Scrape.Formats))
	}
	if err := s.Check(e.now()); err != nil {
		return s, err
	}
	if err := e.checkMonitor(o, &s); err != nil {
		return s, err
	}
	s.Definition, err = json.Marshal(o)
	return s, err
}

// monitorOptions are what a monitor was made of, with the defaults.
func monitorOptions(s monitoring.Spec) (o MonitorOptions, err error) {
	err = json.Unmarshal(s.Definition, &o)
	o.Schedule, o.Status, o.RetentionDays, o.Webhook = s.Schedule, s.Status, s.Days, (*Webhook)(s.Webhook)
	for i, t := range s.Targets {
		o.Targets[i].Target = t.Target
	}
	return o, err
}

func monitorOf(r *monitoring.Monitor, err error) (*Monitor, error) {
	if err != nil {
		return nil, err
	}
	m := &Monitor{ID: r.ID, NextRunAt: r.Due, LastRunAt: r.Last, LastSummary: r.Summary, CreatedAt: r.Created, UpdatedAt: r.Updated}
	m.CurrentCheckID = r.Current()
	m.MonitorOptions, err = monitorOptions(r.Spec)
	return m, err
}

// openMonitors opens what is kept of monitors. Their checks are jobs.
func (e *Engine) openMonitors() error {
	return e.monitors.Open(carrying.Options{
		Runner: e.durable, Start: e.startCheck, Fetch: e.fetchMonitored,
		Find: e.findMonitored, Stopped: func() bool { return e.ctx.Err() != nil }, Model: e.options.Model,
		Ledger: ledger.Jobs{Ledger: e.stores.Ledger, Now: e.now},
	}, monitoring.Options{OnChange: e.options.OnMonitorChange, Now: e.now, Ages: e.stores.Ages, Log: e.log})
}

func (e *Engine) startCheck(ctx context.Context, n jobs.New) (string, error) {
	return idOf(e.startJob(ctx, false, n, noPreparation))
}

func idOf(j *Job, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return j.id, nil
}

// page returns the options of each page of a target.
func (t MonitorTarget) page() ScrapeOptions {
	o := t.Scrape
	o.Formats, _, _ = monitoring.Formats(o.Formats, t.Watch)
	if len(t.Watch.Parts) > 0 {
		o.IncludeTags, o.OnlyMainContent = t.Watch.Parts, new(false)
	}
	o.Revalidate = o.Revalidate || o.MaxAge == nil && o.MinAge == nil
	return o
}

func (t MonitorTarget) crawl(owner, key string) CrawlOptions {
	o := t.Crawl
	o.Owner, o.Scrape, o.IdempotencyKey = owner, t.page(), key
	return o
}

func (t MonitorTarget) search(owner string) SearchOptions {
	return SearchOptions{
		Limit: t.MaxResults, TBS: monitoring.Since(t.Window), IncludeDomains: t.IncludeDomains, ExcludeDomains: t.ExcludeDomains, Owner: owner,
	}
}

// checkMonitor checks the targets by the rules of what they are fetched by.
func (e *Engine) checkMonitor(o MonitorOptions, s *monitoring.Spec) error {
	return jobError(carrying.Targets{
		Options: func(i int) error { return o.Targets[i].check() },
		Page: func(i int, url string) (string, error) {
			page := o.Targets[i].page()
			page.Owner = o.Owner
			p, err := e.resolve(url, page)
			if err != nil {
				return "", err
			}
			return p.URL, nil
		},
		Crawl: func(i int) error {
			_, err := e.checkCrawl(o.Targets[i].URL, o.Targets[i].crawl(o.Owner, ""))
			return err
		},
		Search: func(i int, query string) error {
			_, err := e.resolveSearch(query, o.Targets[i].search(o.Owner))
			return err
		},
		Named: func(prefix string, err error) error {
			if opt, ok := errors.AsType[*OptionError](ownOption(err)); ok {
				return &OptionError{Field: prefix + opt.Field, Value: opt.Value, Want: opt.Want, Err: opt.Err}
			}
			return err
		},
	}.Check(s))
}

// check refuses options that the monitor has itself, or can't do with.
func (t MonitorTarget) check() error {
	c := t.Crawl
	switch {
	case t.Scrape.Owner != "" || t.Scrape.ZeroDataRetention || t.Scrape.Lockdown:
		return &OptionError{Field: "scrapeOptions", Want: "no owner, zeroDataRetention or lockdown: a monitor fetches pages and keeps them"}
	case len(t.Queries) > 0 && !sameJSON(t.Scrape, ScrapeOptions{}):
		return &OptionError{Field: "scrapeOptions", Want: "none of a search: its pages aren't fetched"}
	case c.Owner != "" || c.ZeroDataRetention || c.Webhook != nil || c.Prompt+c.Since != "" || c.IdempotencyKey != "" ||
		!sameJSON(c.Scrape, ScrapeOptions{}) || t.URL == "" && !sameJSON(c, CrawlOptions{}):
		return &OptionError{Field: "crawlOptions", Want: "those of a crawl, without prompt, since, webhook, owner and what the target has itself"}
	}
	return nil
}

// fetchMonitored starts the job that fetches pages for a check.
func (e *Engine) fetchMonitored(ctx context.Context, p monitoring.Pass, key string, reserve carrying.Reserve) (string, error) {
	var o MonitorOptions
	if err := json.Unmarshal(p.Definition, &o); err != nil {
		return "", err
	}
	t := o.Targets[p.Number]
	room, err := reserve(t.page().Price(), cmp.Or(t.Crawl.Limit, defaultCrawlLimit))
	switch {
	case err != nil:
		return "", err
	case p.URLs == nil:
		t.Crawl.Limit, t.Crawl.MaxConcurrency = room.Pages, room.Within(t.Crawl.MaxConcurrency)
		return idOf(e.startCrawl(ctx, t.URL, t.crawl(p.Owner, key)))
	}
	return idOf(e.startBatch(ctx, p.URLs, BatchOptions{Scrape: t.page(), Owner: p.Owner, IdempotencyKey: key, MaxConcurrency: room.AtOnce}))
}

// findMonitored does a search for a check: each result is a page, whose text is what the provider says of it.
func (e *Engine) findMonitored(ctx context.Context, p monitoring.Pass, query string, keep func(carrying.Found) error) error {
	_, err := e.searchPaid(ctx, query, MonitorTarget{Target: p.Target.Target}.search(p.Owner), func(found *SearchResult) error {
		f := carrying.Found{Credits: found.Credits}
		for _, hit := range found.Data.Web {
			f.Results = append(f.Results, monitoring.Observation{URL: hit.URL, ScrapeID: found.ID, Title: hit.Title, Text: hit.Description})
		}
		return keep(f)
	})
	if err != nil && e.ctx.Err() != nil {
		<-ctx.Done() // the search hears of the engine's end before the check does, which has not failed: the next engine goes on with it
	}
	return err
}
