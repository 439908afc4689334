package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
	"github.com/winnow-go/winnow/engine/monitor"
)

type monitorArguments struct {
	do, id, name, schedule, goal string
	rule, check                  string
	urls                         []string
	wait                         int // seconds
	want                         want
	patch                        decode.MonitorPatch
	patched                      bool
}

func monitorTool() tool {
	return declare("monitor", "Watch pages for changes. do: create (urls and schedule, such as \"daily at 9:00\"), run (a check now), changes (after "+
		"number from), get, list, update, delete, check (one by its id), noise (what is passed over), restore (a rule of it counts again).",
		func(s *server, a *monitorArguments) []param {
			return append([]param{
				{"do", "", words(&a.do, "create run changes get list update delete check noise restore")},
				{"monitor", "id", decode.Text(&a.id, 1, decode.MaxLabel)},
				{"check", "id", decode.Text(&a.check, 1, decode.MaxLabel)},
				{"rule", "id", decode.Text(&a.rule, 1, decode.MaxLabel)},
				{"name", "", decode.Text(&a.name, 1, 256)},
				{"urls", "", decode.Texts(&a.urls, 1000)},
				{"schedule", "", decode.Text(&a.schedule, 1, decode.MaxLabel)},
				{"goal", "which changes matter", decode.Text(&a.goal, 1, decode.MaxPrompt)},
				{"wait", "seconds", decode.Whole(&a.wait, 1, 3600)},
				optionsOf("monitor", "POST /v2/monitor", a.readOptions),
			}, pageParams(s, &a.want)...)
		}, monitorOf).changing().withOptions(func() decode.Fields { return monitorFields(&decode.MonitorPatch{}) })
}

func monitorFields(p *decode.MonitorPatch) decode.Fields {
	return without(decode.MonitorUpdateFields(p), "name", "goal")
}

func (a *monitorArguments) readOptions(raw json.RawMessage) []decode.Issue {
	a.patched = true
	return monitorFields(&a.patch).Read(raw)
}

// monitorDoings are what can be done, by name, to the monitor of an id.
var monitorDoings = map[string]func(*call, *engine.Monitor, *monitorArguments) (*result, error){
	"run": (*call).runMonitor, "changes": (*call).monitorChanges, "get": (*call).showMonitor, "update": (*call).updateMonitor,
	"delete": (*call).deleteMonitor, "check": (*call).showCheck, "noise": (*call).monitorNoise, "restore": (*call).restoreNoise,
}

func monitorOf(c *call, a *monitorArguments) (*result, error) {
	if err := a.validate(); err != nil {
		return nil, err
	}
	switch a.do {
	case "create":
		return c.createMonitor(a)
	case "list":
		return c.listMonitors(a)
	}
	m, err := c.monitorBy(a.id)
	if err != nil {
		return nil, err
	}
	return monitorDoings[a.do](c, m, a)
}

// validate refuses arguments that what is done has no use for.
func (a *monitorArguments) validate() error {
	one := a.do != "create" && a.do != "list"
	switch defines := a.name != "" || a.urls != nil || a.schedule != "" || a.goal != "" || a.patched; {
	case a.do == "":
		return decode.Required("do", "what to do, such as list")
	case one && a.id == "":
		return decode.Required("monitor", "the id of the monitor; do list lists them")
	case !one && a.id != "":
		return decode.Invalid("monitor", "want none with do "+a.do)
	case defines && a.do != "create" && a.do != "update":
		return decode.Invalid("name", "name, urls, schedule, goal and options are of do create and update")
	case (a.check != "") != (a.do == "check"):
		return decode.Invalid("check", "want it with do check, and only there")
	case (a.rule != "") != (a.do == "restore"):
		return decode.Invalid("rule", "want it with do restore, and only there")
	case a.wait > 0 && a.do != "run":
		return decode.Invalid("wait", "want it with do run")
	case a.urls != nil && a.patch.Targets != nil:
		return decode.Invalid("options.targets", "want either urls or targets")
	case a.schedule != "" && (a.patch.Schedule != nil || a.patch.Interval != nil):
		return decode.Invalid("options.schedule", "want either the argument schedule, or one of options")
	}
	return nil
}

// apply changes the options of a monitor to what the call gives.
func (a *monitorArguments) apply(o *engine.MonitorOptions) {
	a.patch.Apply(o)
	if a.name != "" {
		o.Name = a.name
	}
	if a.goal != "" {
		o.Goal = a.goal
	}
	if a.schedule != "" {
		o.Schedule = monitor.Schedule{Text: a.schedule, Timezone: o.Schedule.Timezone, Jitter: o.Schedule.Jitter}
	}
	if a.urls != nil {
		o.Targets = []engine.MonitorTarget{{Target: monitor.Target{URLs: a.urls}}}
	}
}

func (c *call) createMonitor(a *monitorArguments) (*result, error) {
	o := engine.MonitorOptions{Owner: c.o.Owner}
	a.apply(&o)
	if o.Name == "" && a.urls != nil {
		o.Name = a.urls[0][:min(len(a.urls[0]), 200)]
	}
	switch {
	case o.Name == "":
		return nil, decode.Required("name", "what to call the monitor")
	case o.Targets == nil:
		return nil, decode.Required("urls", "what to watch")
	case o.Schedule == (monitor.Schedule{}):
		return nil, decode.Required("schedule", "when to look, such as hourly or daily at 9:00")
	}
	m, err := c.engine.CreateMonitor(c.ctx, o)
	if err != nil {
		return nil, err
	}
	r := c.result()
	r.monitor(m)
	r.line(`Its first check finds what later ones are compared with. Next: monitor {"do": "run", "monitor": %q}`, m.ID)
	return r, nil
}

// monitor says how a monitor is.
func (r *result) monitor(m *engine.Monitor) {
	r.line("monitor %s: %s, %s", m.ID, quoted(m.Name), m.Status)
	if !m.NextRunAt.IsZero() {
		r.line("It runs next at %s.", m.NextRunAt.UTC().Format(time.RFC3339))
	}
	if m.CurrentCheckID != "" {
		r.line("The check %s is running.", m.CurrentCheckID)
	}
	if s := m.LastSummary; s != nil {
		r.line("Its last check, at %s: %d pages, %d the same, %d changed, %d new, %d removed, %d failed.",
			m.LastRunAt.UTC().Format(time.RFC3339), s.TotalPages, s.Same, s.Changed, s.New, s.Removed, s.Error)
	}
}

// monitorBy finds a monitor of the owner.
func (c *call) monitorBy(id string) (*engine.Monitor, error) {
	m, err := c.engine.Monitor(c.ctx, id)
	if err != nil {
		return nil, err
	}
	return m, c.own(m.Owner, nil)
}

func (c *call) listMonitors(a *monitorArguments) (*result, error) {
	all, err := c.engine.Monitors(c.ctx)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(m *engine.Monitor) bool { return m.Owner != c.o.Owner })
	var items []string
	for _, m := range all {
		items = append(items, fmt.Sprintf("%s %s (%s)", m.ID, m.Name, m.Status))
	}
	r := c.result()
	r.line("%d monitors.", len(all))
	r.listed("monitors", items, a.want, `monitor {"do": "list"`)
	return r, nil
}

func (c *call) runMonitor(m *engine.Monitor, a *monitorArguments) (*result, error) {
	check, err := c.engine.RunMonitor(c.ctx, m.ID)
	if err != nil {
		return nil, err
	}
	job, err := c.engine.Job(c.ctx, check.ID) // a check is a job
	if err != nil {
		return nil, err
	}
	if _, err := c.await(job, time.Duration(a.wait)*time.Second, true); err != nil {
		return nil, err
	}
	a.check = check.ID
	return c.showCheck(m, a)
}

func (c *call) showCheck(m *engine.Monitor, a *monitorArguments) (*result, error) {
	d, err := c.engine.MonitorCheck(c.ctx, m.ID, a.check, monitor.Query{Skip: a.want.from})
	if err != nil {
		return nil, err
	}
	r := c.result()
	again := fmt.Sprintf(`monitor {"do": "check", "monitor": %q, "check": %q`, m.ID, d.ID)
	r.line("check %s: %s", d.ID, d.Status)
	r.foreign("digest", cut(d.Digest, c.budget(a.want)))
	if !d.Status.Final() {
		r.line("It goes on. Next: %s}", again)
	}
	var items []string
	for _, p := range d.Pages {
		items = append(items, pageOfCheck(p))
	}
	shown := r.list("pages", items, want{tokens: a.want.tokens})
	if shown < len(items) || d.More {
		r.line("Go on: %s, \"from\": %d}", again, a.want.from+shown)
	}
	return r, nil
}

func pageOfCheck(p monitor.Page) string {
	line := fmt.Sprintf("%s %s %s", p.Status, p.URL, p.Error)
	if p.Diff != nil {
		line += "\n" + p.Diff.Text
	}
	if p.Judgment != nil {
		line += fmt.Sprintf("\n(judged: meaningful %t: %s)", p.Judgment.Meaningful, p.Judgment.Reason)
	}
	return line
}

func (c *call) monitorChanges(m *engine.Monitor, a *monitorArguments) (*result, error) {
	r, left := c.result(), c.budget(a.want)
	var lines []string
	more, last := false, uint64(a.want.from)
	for change, err := range c.engine.MonitorChanges(c.ctx, m.ID, last) {
		if err != nil {
			return nil, err
		}
		line := jsonLines([]monitor.Change{change})[0]
		if left -= c.count(line); left < 0 && len(lines) > 0 {
			more = true
			break
		}
		lines, last = append(lines, line), change.Seq
	}
	r.line("%d changes after number %d.", len(lines), a.want.from)
	r.list("changes", lines, want{tokens: a.want.tokens})
	if more {
		r.line(`Go on: monitor {"do": "changes", "monitor": %q, "from": %d}`, m.ID, last)
	}
	return r, nil
}

func (c *call) showMonitor(m *engine.Monitor, a *monitorArguments) (*result, error) {
	r := c.result()
	r.monitor(m)
	checks, err := c.engine.MonitorChecks(c.ctx, m.ID, a.want.from, 20)
	if err != nil {
		return nil, err
	}
	var items []string
	for _, check := range checks {
		s := check.Summary
		items = append(items, fmt.Sprintf("check %s at %s: %s, %d pages, %d changed, %d new, %d removed, %d failed", check.ID,
			check.StartedAt.UTC().Format(time.RFC3339), check.Status, s.TotalPages, s.Changed, s.New, s.Removed, s.Error))
	}
	r.list("checks", items, want{tokens: a.want.tokens})
	if len(checks) == 20 {
		r.line(`Go on: monitor {"do": "get", "monitor": %q, "from": %d}`, m.ID, a.want.from+20)
	}
	return r, nil
}

func (c *call) updateMonitor(m *engine.Monitor, a *monitorArguments) (*result, error) {
	m, err := c.engine.UpdateMonitor(c.ctx, m.ID, func(o *engine.MonitorOptions) error {
		a.apply(o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := c.result()
	r.monitor(m)
	return r, nil
}

func (c *call) deleteMonitor(m *engine.Monitor, _ *monitorArguments) (*result, error) {
	r := c.result()
	r.line("monitor %s is deleted.", m.ID)
	return r, c.engine.DeleteMonitor(c.ctx, m.ID)
}

func (c *call) monitorNoise(m *engine.Monitor, a *monitorArguments) (*result, error) {
	list, err := c.engine.MonitorNoise(c.ctx, m.ID)
	if err != nil {
		return nil, err
	}
	r := c.result()
	r.line("%d rules of what is passed over.", len(list))
	r.listed("noise", jsonLines(list), a.want, fmt.Sprintf(`monitor {"do": "noise", "monitor": %q`, m.ID))
	return r, nil
}

func (c *call) restoreNoise(m *engine.Monitor, a *monitorArguments) (*result, error) {
	list, err := c.engine.MonitorNoise(c.ctx, m.ID)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(list, func(n monitor.Noise) bool { return n.Rule == a.rule }) {
		return nil, decode.Invalid("rule", "want the id of a rule that do noise lists")
	}
	if err := c.engine.TakeBackNoise(c.ctx, m.ID, a.rule); err != nil {
		return nil, err
	}
	r := c.result()
	r.line("What the rule %s passed over counts from the next check on.", quoted(a.rule))
	return r, nil
}
