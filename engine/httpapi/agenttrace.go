package httpapi

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine"
)

// traceBody is what an agent has done so far, as events in order.
type traceBody struct {
	Success     bool         `json:"success"`
	ID          string       `json:"id"`
	Events      []traceEvent `json:"events"`
	CreditsUsed int64        `json:"creditsUsed"`
	// Sessions is there when it was asked for, and empty: an agent's pages can't be watched.
	Sessions *[]struct{} `json:"activeBrowserSessions,omitempty"`
}

// traceEvent is one of them. Which of the fields behind Agent it has depends on its Type.
type traceEvent struct {
	SchemaVersion int         `json:"schemaVersion"`
	ID            string      `json:"eventId"`
	RunID         string      `json:"runId"`
	At            time.Time   `json:"occurredAt"`
	Sequence      int         `json:"producerSequence"`
	Agent         traceAgent  `json:"agent"`
	Type          string      `json:"type"`
	Text          string      `json:"text,omitempty"` // of reasoning.summary
	CallID        string      `json:"toolCallId,omitempty"`
	Tool          string      `json:"toolName,omitempty"`
	Parameters    any         `json:"parameters,omitempty"`
	Result        any         `json:"result,omitempty"`
	Artifact      *artifact   `json:"artifact,omitempty"`
	Outcome       string      `json:"outcome,omitempty"`
	Error         *traceError `json:"error,omitempty"`
}

type traceAgent struct {
	ID   string `json:"id"`
	Role string `json:"role"`
	Name string `json:"name"`
}

// artifact is something that was seen or made; its content is at snapshots/{snapshotId}.
type artifact struct {
	Kind       string `json:"kind"`
	ID         string `json:"artifactId"`
	Path       string `json:"path,omitempty"`
	SnapshotID string `json:"snapshotId"`
	Change     string `json:"change"`
	CallID     string `json:"sourceToolCallId,omitempty"`
}

type traceError struct {
	Code      string `json:"code"`
	Source    string `json:"source"`
	Retryable bool   `json:"retryable"`
	Message   string `json:"message"`
}

// stepResult is what came of a tool call.
type stepResult struct {
	URL   string `json:"url,omitempty"`
	Did   string `json:"did,omitempty"`
	Error string `json:"error,omitempty"`
}

// Names of snapshots: the result, and what was seen at an event.
const (
	resultSnapshot = "result"
	seenSnapshot   = "seen-"
)

// handleAgentTrace is GET /v2/agent/{id}/trace.
func handleAgentTrace(c *call, job *engine.AgentJob) error {
	status, err := job.Status(c.r.Context())
	if err != nil {
		return err
	}
	t := &tracer{job: job, status: status, events: []traceEvent{}}
	for ev, err := range job.Past(c.r.Context()) {
		if err == nil {
			err = t.add(ev)
		}
		if err != nil {
			return err
		}
	}
	body := traceBody{Success: true, ID: job.ID(), Events: t.events, CreditsUsed: status.CreditsUsed}
	if c.r.URL.Query().Get("liveView") == "true" {
		body.Sessions = &[]struct{}{}
	}
	return c.reply(body)
}

// tracer makes the service's events of a job's own.
type tracer struct {
	job    *engine.AgentJob
	status engine.JobStatus
	events []traceEvent
}

func (t *tracer) emit(ev engine.Event, e traceEvent) {
	e.SchemaVersion, e.Sequence = 1, len(t.events)+1
	e.ID, e.RunID, e.At = strconv.Itoa(e.Sequence), t.job.ID(), ev.At
	e.Agent = traceAgent{ID: t.job.ID(), Role: "orchestrator", Name: "agent"}
	t.events = append(t.events, e)
}

func (t *tracer) add(ev engine.Event) error {
	switch ev.Type {
	case "started":
		t.emit(ev, traceEvent{Type: "run.started"})
		t.emit(ev, traceEvent{Type: "agent.started"})
	case "action":
		return t.step(ev)
	case "completed", "failed", "cancelled":
		t.end(ev)
	}
	return nil
}

func (t *tracer) step(ev engine.Event) error {
	var s engine.ModelStep
	if err := json.Unmarshal(ev.Data, &s); err != nil {
		return err
	}
	call := "call-" + strconv.FormatUint(ev.Seq, 10)
	if s.Why != "" {
		t.emit(ev, traceEvent{Type: "reasoning.summary", Text: s.Why})
	}
	parameters := any(struct{}{})
	if len(s.Arguments) > 0 {
		parameters = s.Arguments
	}
	t.emit(ev, traceEvent{Type: "tool_call.started", CallID: call, Tool: s.Tool, Parameters: parameters})
	t.emit(ev, traceEvent{Type: "tool_call.finished", CallID: call, Tool: s.Tool, Result: stepResult{s.URL, s.Did, s.Error}})
	if s.Seen != "" {
		t.emit(ev, traceEvent{Type: "artifact.updated", Artifact: &artifact{
			Kind: "text", ID: "page", Path: s.URL, SnapshotID: seenSnapshot + strconv.FormatUint(ev.Seq, 10), Change: "update", CallID: call,
		}})
	}
	return nil
}

// outcomes of a run, by the job's last event.
var outcomes = map[string]string{"completed": "succeeded", "failed": "failed", "cancelled": "cancelled"}

func (t *tracer) end(ev engine.Event) {
	last := traceEvent{Type: "run.finished", Outcome: outcomes[ev.Type]}
	switch ev.Type {
	case "completed":
		made := &artifact{Kind: "json", ID: resultSnapshot, SnapshotID: resultSnapshot, Change: "init"}
		t.emit(ev, traceEvent{Type: "artifact.updated", Artifact: made})
	case "failed":
		last.Error = &traceError{Code: "internal", Source: "agent", Message: headOf(t.status).Error}
	case "cancelled":
		last.Error = &traceError{Code: "cancelled", Source: "system", Message: "cancelled by its owner"}
	}
	t.emit(ev, last)
}

// snapshotBody is the content of an artifact.
type snapshotBody struct {
	Success    bool   `json:"success"`
	ID         string `json:"id"`
	SnapshotID string `json:"snapshotId"`
	Snapshot   string `json:"snapshot"`
}

// handleAgentSnapshot is GET /v2/agent/{id}/snapshots/{snapshot}.
func handleAgentSnapshot(c *call, job *engine.AgentJob) error {
	name := c.r.PathValue("snapshot")
	text, err := snapshotOf(c, job, name)
	if err != nil {
		return err
	}
	return c.reply(snapshotBody{true, job.ID(), name, text})
}

func snapshotOf(c *call, job *engine.AgentJob, name string) (string, error) {
	none := notFound("the agent has no such snapshot")
	if name == resultSnapshot {
		status, err := job.Status(c.r.Context())
		if err != nil || status.State != engine.JobCompleted {
			return "", orNone(err, none)
		}
		data, err := job.Result(c.r.Context())
		return string(data), err
	}
	at, ok := strings.CutPrefix(name, seenSnapshot)
	if seq, err := strconv.ParseUint(at, 10, 64); ok && err == nil {
		return seenAt(c, job, seq, none)
	}
	return "", none
}

func orNone(err error, none *problem) error {
	if err != nil {
		return err
	}
	return none
}

// seenAt is what the agent saw at an event.
func seenAt(c *call, job *engine.AgentJob, seq uint64, none *problem) (string, error) {
	for ev, err := range job.Past(c.r.Context()) {
		if err != nil {
			return "", err
		}
		if ev.Seq != seq || ev.Type != "action" {
			continue
		}
		var s engine.ModelStep
		if err := json.Unmarshal(ev.Data, &s); err != nil || s.Seen != "" {
			return s.Seen, err
		}
	}
	return "", none
}
