package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/monitors"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/engine/monitor"
)

const monitorPath = "/v2/monitor"

// monitorTable are the routes of monitors.
func monitorTable() []route {
	const one = monitorPath + "/{id}"
	return []route{
		{"POST " + monitorPath, EndpointCrawl, 1, handleCreateMonitor},
		{"GET " + monitorPath, EndpointStatus, 0, handleListMonitors},
		{"GET " + one, EndpointStatus, 0, handleMonitor},
		{"PATCH " + one, EndpointCrawl, 0, handleUpdateMonitor},
		{"DELETE " + one, EndpointStatus, 0, handleDeleteMonitor},
		{"POST " + one + "/run", EndpointCrawl, 1, handleRunMonitor},
		{"GET " + one + "/checks", EndpointStatus, 0, handleMonitorChecks},
		{"GET " + one + "/checks/{check}", EndpointStatus, 0, handleMonitorCheck},
		{"GET " + one + "/changes", EndpointStatus, 0, handleMonitorChanges},
		{"GET " + one + "/feed", EndpointStatus, 0, handleMonitorFeed},
		{"GET " + one + "/noise", EndpointStatus, 0, handleMonitorNoise},
		{"DELETE " + one + "/noise", EndpointStatus, 0, handleTakeBackNoise},
	}
}

type monitorBody struct {
	Success bool                   `json:"success"`
	Data    monitors.MonitorRecord `json:"data"`
}

type monitorsBody struct {
	Success bool                     `json:"success"`
	Data    []monitors.MonitorRecord `json:"data"`
}

type checkBody struct {
	Success bool                  `json:"success"`
	Data    monitors.MonitorCheck `json:"data"`
}

type checksBody struct {
	Success bool                    `json:"success"`
	Data    []monitors.MonitorCheck `json:"data"`
}

// detailBody has next beside the data too: clients look for it in both places.
type detailBody struct {
	Success bool                        `json:"success"`
	Data    monitors.MonitorCheckDetail `json:"data"`
	Next    *string                     `json:"next"`
}

type noiseBody struct {
	Success bool            `json:"success"`
	Data    []monitor.Noise `json:"data"`
}

// targetOptions spell a target's options as requests do.
func targetOptions(t engine.MonitorTarget) (scrape, crawl any) {
	return scrapeOptionsOf(t.Scrape), crawlOptionsOf(t.Crawl)
}

func replyMonitor(c *call, m *engine.Monitor) error {
	body, err := monitors.Of(m, targetOptions)
	if err != nil {
		return err
	}
	return c.reply(monitorBody{true, body})
}

// handleCreateMonitor is POST /v2/monitor.
func handleCreateMonitor(c *call) error {
	var p decode.MonitorPatch
	if err := c.body(c.labels(decode.MonitorFields(&p))); err != nil {
		return err
	}
	o := engine.MonitorOptions{Owner: c.team}
	p.Apply(&o)
	switch {
	case p.Name == nil:
		return decode.Required("name", "what to call the monitor")
	case p.Schedule == nil && p.Interval == nil:
		return decode.Required("schedule", "cron or text, or winnow.interval")
	case p.Targets == nil:
		return decode.Required("targets", "what to watch")
	}
	m, err := c.api.engine.CreateMonitor(c.r.Context(), o)
	if err != nil {
		return err
	}
	return replyMonitor(c, m)
}

// ownMonitor finds the path's monitor, which must be of the caller's team.
func ownMonitor(c *call) (*engine.Monitor, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	m, err := c.api.engine.Monitor(c.r.Context(), id)
	if err == nil && m.Owner != c.team {
		err = errOtherTeam
	}
	return m, err
}

// offsetOf reads limit and offset of a list.
func offsetOf(c *call) (offset, limit int, err error) {
	if q := c.r.URL.Query(); q.Has("offset") {
		if offset, err = strconv.Atoi(q.Get("offset")); err != nil || offset < 0 || offset > maxSkip {
			return 0, 0, decode.Invalid("offset", "want an integer from 0")
		}
	}
	_, limit, err = windowOf(c)
	return offset, limit, err
}

// handleListMonitors is GET /v2/monitor.
func handleListMonitors(c *call) error {
	offset, limit, err := offsetOf(c)
	if err != nil {
		return err
	}
	all, err := c.api.engine.Monitors(c.r.Context())
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(m *engine.Monitor) bool { return m.Owner != c.team })
	all = all[min(offset, len(all)):]
	if limit == 0 {
		limit = maxListed
	}
	body := monitorsBody{Success: true, Data: []monitors.MonitorRecord{}}
	for _, m := range all[:min(limit, len(all))] {
		one, err := monitors.Of(m, targetOptions)
		if err != nil {
			return err
		}
		body.Data = append(body.Data, one)
	}
	return c.reply(body)
}

// handleMonitor is GET /v2/monitor/{id}.
func handleMonitor(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	return replyMonitor(c, m)
}

// handleUpdateMonitor is PATCH /v2/monitor/{id}.
func handleUpdateMonitor(c *call) error {
	var p decode.MonitorPatch
	if err := c.body(c.labels(decode.MonitorUpdateFields(&p))); err != nil {
		return err
	}
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	m, err = c.api.engine.UpdateMonitor(c.r.Context(), m.ID, func(o *engine.MonitorOptions) error {
		p.Apply(o)
		return nil
	})
	if err != nil {
		return err
	}
	return replyMonitor(c, m)
}

// handleDeleteMonitor is DELETE /v2/monitor/{id}.
func handleDeleteMonitor(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	if err := c.api.engine.DeleteMonitor(c.r.Context(), m.ID); err != nil {
		return err
	}
	return c.reply(doneBody{true})
}

// handleRunMonitor is POST /v2/monitor/{id}/run. A body is not needed; an empty object is what clients send.
func handleRunMonitor(c *call) error {
	if c.describe != nil || c.r.ContentLength != 0 {
		if err := c.body(c.labels(decode.Fields{})); err != nil {
			return err
		}
	}
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	c.credits.Release() // there is one left: the check reserves what it needs itself
	check, err := work(c, "monitor", func(ctx context.Context) (*monitor.Check, error) { return c.api.engine.RunMonitor(ctx, m.ID) })
	if err != nil {
		return err
	}
	return c.reply(checkBody{true, monitors.CheckOf(check)})
}

// handleMonitorChecks is GET /v2/monitor/{id}/checks.
func handleMonitorChecks(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	offset, limit, err := offsetOf(c)
	if err != nil {
		return err
	}
	checks, err := c.api.engine.MonitorChecks(c.r.Context(), m.ID, offset, limit)
	if err != nil {
		return err
	}
	body := checksBody{Success: true, Data: []monitors.MonitorCheck{}}
	for _, check := range checks {
		body.Data = append(body.Data, monitors.CheckOf(check))
	}
	return c.reply(body)
}

// handleMonitorCheck is GET /v2/monitor/{id}/checks/{check}.
func handleMonitorCheck(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	id := c.r.PathValue("check")
	if !isUUID(id) {
		return decode.Invalid("check", wantUUID)
	}
	q := monitor.Query{Status: monitor.PageStatus(c.r.URL.Query().Get("status"))}
	if known := []monitor.PageStatus{"", monitor.Same, monitor.New, monitor.Changed, monitor.Removed, monitor.Error}; !slices.Contains(known, q.Status) {
		return decode.Invalid("status", "want same, new, changed, removed or error")
	}
	if q.Skip, q.Limit, err = windowOf(c); err != nil {
		return err
	}
	d, err := c.api.engine.MonitorCheck(c.r.Context(), m.ID, id, q)
	if err != nil {
		return err
	}
	next := ""
	if d.More {
		next = c.statusURL(monitorPath, m.ID) + "/checks/" + id + "?" + queryOf(q.Skip+len(d.Pages), q.Limit)
		if q.Status != "" {
			next += "&" + url.Values{"status": {string(q.Status)}}.Encode()
		}
	}
	body := monitors.DetailOf(d, next)
	return c.reply(detailBody{true, body, body.Next})
}

// afterOf reads the number of the change that a reader had last.
func afterOf(c *call) (after uint64, err error) {
	if q := c.r.URL.Query(); q.Has("after") {
		if after, err = strconv.ParseUint(q.Get("after"), 10, 53); err != nil {
			return 0, decode.Invalid("after", "want the number of a change")
		}
	}
	return after, nil
}

// handleMonitorChanges is GET /v2/monitor/{id}/changes: a line of JSON for each change, oldest first.
func handleMonitorChanges(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	after, err := afterOf(c)
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/x-ndjson; charset=utf-8")
	c.w.WriteHeader(http.StatusOK)
	return monitor.WriteNDJSON(c.w, c.api.engine.MonitorChanges(c.r.Context(), m.ID, after))
}

// maxEntries bounds a feed.
const maxEntries = 100

// handleMonitorFeed is GET /v2/monitor/{id}/feed: the newest changes as an Atom feed.
func handleMonitorFeed(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	var newest []monitor.Change
	for change, err := range c.api.engine.MonitorChanges(c.r.Context(), m.ID, 0) {
		if err != nil {
			return err
		}
		if newest = append(newest, change); len(newest) > 2*maxEntries {
			newest = append(newest[:0], newest[maxEntries:]...)
		}
	}
	newest = newest[max(0, len(newest)-maxEntries):]
	slices.Reverse(newest)
	f := monitor.Feed{ID: m.ID, Name: m.Name, Updated: m.CreatedAt}
	if c.api.options.BaseURL != "" {
		f.URL = c.statusURL(monitorPath, m.ID) + "/feed"
	}
	if len(newest) > 0 {
		f.Updated = newest[0].At
	}
	c.w.Header().Set("Content-Type", "application/atom+xml; charset=utf-8")
	c.w.Header().Set("Last-Modified", f.Updated.UTC().Format(http.TimeFormat))
	return monitor.WriteAtom(c.w, f, newest)
}

// handleMonitorNoise is GET /v2/monitor/{id}/noise.
func handleMonitorNoise(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	list, err := c.api.engine.MonitorNoise(c.r.Context(), m.ID)
	if err != nil {
		return err
	}
	return c.reply(noiseBody{true, append([]monitor.Noise{}, list...)})
}

// handleTakeBackNoise is DELETE /v2/monitor/{id}/noise?rule=…
func handleTakeBackNoise(c *call) error {
	m, err := ownMonitor(c)
	if err != nil {
		return err
	}
	rule := c.r.URL.Query().Get("rule")
	if rule == "" {
		return decode.Required("rule", "the id of a rule of the list")
	}
	if err := c.api.engine.TakeBackNoise(c.r.Context(), m.ID, rule); err != nil {
		return err
	}
	return c.reply(doneBody{true})
}
