package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

type sessionArguments struct {
	id, scrape, url, do    string
	steps                  []json.RawMessage
	code, language, prompt string
	seconds                int
	want                   want
	options                json.RawMessage
}

const maxSteps = 20

func sessionTool() tool {
	return declare("session", "A live page in a browser of its own; without session a new one at url. do: see (the default) gives a tree with "+
		`references such as e12; act does steps, then sees: {"click": "e12"}, {"type": "e3", "text": "…", "submit": true}, {"select": "e4", "option": `+
		`"…"}, {"press": "Enter"}, {"scroll": "down"}, {"wait": 500}, {"goto": "https://…"}; run runs code; ask has the server's model do prompt; read `+
		"gives the page as read does; close; list.",
		func(s *server, a *sessionArguments) []param {
			return append([]param{
				{"session", "id", decode.Text(&a.id, 1, decode.MaxLabel)},
				{"url", "to go to", decode.URL(&a.url)},
				{"do", "", words(&a.do, "see act run ask read close list")},
				{"steps", "", decode.List(&a.steps, maxSteps, stepReader)},
				{"code", "", decode.Text(&a.code, 1, maxCode)},
				{"language", "of code", words(&a.language, "node python bash")},
				{"prompt", "", decode.Text(&a.prompt, 1, decode.MaxPrompt)},
				{"seconds", "for code, or each step of ask", decode.Whole(&a.seconds, 1, maxSeconds)},
				{"scrape", "id of a document: run and ask go on with its page", decode.Text(&a.scrape, 1, decode.MaxLabel)},
				optionsOf("session", "POST /v2/browser; with read of /v2/scrape", decode.JSONObject(&a.options).Read),
			}, windowParams(s, &a.want)...)
		}, session).changing().withOptions(func() decode.Fields { return sessionFields(&engine.SessionOptions{}, new(bool)) })
}

const (
	maxCode    = 100_000
	maxSeconds = 300
)

func sessionFields(o *engine.SessionOptions, show *bool) decode.Fields {
	f := without(decode.SessionFields(o, show))
	maps.Copy(f, decode.SessionPageFields(o))
	return f
}

// stepReader reads an object; its keys are checked when the step is done.
func stepReader(step *json.RawMessage) decode.Reader { return decode.JSONObject(step) }

func session(c *call, a *sessionArguments) (*result, error) {
	if a.do == "" {
		a.do = defaultDo(a)
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.do == "list" {
		return c.sessions(a.want)
	}
	if a.scrape != "" {
		return c.interact(a)
	}
	s, err := c.sessionOf(a)
	if err != nil {
		return nil, err
	}
	return c.onPage(s, a)
}

func defaultDo(a *sessionArguments) string {
	switch {
	case a.steps != nil:
		return "act"
	case a.code != "":
		return "run"
	case a.prompt != "":
		return "ask"
	}
	return "see"
}

// check refuses arguments that what is done has no use for.
func (a *sessionArguments) check() error {
	for _, row := range []struct {
		name  string
		there bool
		of    string
	}{{"steps", a.steps != nil, "act"}, {"code", a.code != "", "run"}, {"prompt", a.prompt != "", "ask"}} {
		if row.there != (a.do == row.of) {
			return decode.Invalid(row.name, "want it with do "+row.of+", and only there")
		}
	}
	switch known := a.id != "" || a.scrape != ""; {
	case a.id != "" && a.scrape != "":
		return decode.Invalid("scrape", "want either session or scrape")
	case a.scrape != "" && a.do != "run" && a.do != "ask" && a.do != "close":
		return decode.Invalid("scrape", "want do run, ask or close beside it")
	case a.do == "list" && (known || a.url != ""):
		return decode.Invalid("do", "list takes neither session, scrape nor url")
	case a.do == "close" && (!known || a.url != ""):
		return decode.Invalid("session", "want the id of what is closed, and no url")
	case a.scrape != "" && (a.url != "" || a.options != nil):
		return decode.Invalid("scrape", "want neither url nor options beside it")
	case a.language != "" && a.do != "run":
		return decode.Invalid("language", "want it beside code")
	case a.seconds > 0 && a.do != "run" && a.do != "ask":
		return decode.Invalid("seconds", "want it with do run and ask")
	case a.want.query != "" && a.do != "read":
		return decode.Invalid("query", "want it with do read, and only there")
	case a.options != nil && a.id != "" && a.do != "read":
		return decode.Invalid("options", "want none beside session, but with do read: they are of its start")
	}
	return nil
}

// sessionOf finds the session of a call, or starts one.
func (c *call) sessionOf(a *sessionArguments) (*engine.Session, error) {
	if a.id == "" {
		return c.startSession(a)
	}
	info, err := c.engine.SessionInfo(c.ctx, a.id)
	if err := c.own(info.Owner, err); err != nil {
		return nil, err
	}
	s, err := c.engine.Session(c.ctx, a.id)
	if err == nil && a.url != "" {
		err = s.Goto(c.ctx, a.url)
	}
	return s, err
}

func (c *call) startSession(a *sessionArguments) (*engine.Session, error) {
	o, show := engine.SessionOptions{}, true
	if a.do != "read" {
		if err := optionsInto(a.options, sessionFields(&o, &show)); err != nil {
			return nil, err
		}
	}
	o.URL, o.Owner, o.NoLiveView = a.url, c.o.Owner, !show
	return c.engine.NewSession(c.ctx, o)
}

// onPage does what a call wants with a session.
func (c *call) onPage(s *engine.Session, a *sessionArguments) (*result, error) {
	r := c.result()
	switch a.do {
	case "close":
		info, err := s.Close()
		c.views.drop(s.ID())
		r.line("session %s is closed, after %s.", s.ID(), info.Duration.Round(time.Second))
		return r, err
	case "run", "ask":
		return c.interacted(s.ID(), func(q engine.InteractRequest) (*engine.InteractResult, error) {
			if a.do == "ask" {
				return s.Ask(c.ctx, q)
			}
			return s.Run(c.ctx, q)
		}, a)
	case "read":
		return r, r.livePage(s, a)
	}
	return c.see(s, a)
}

// livePage gives the page as read does.
func (r *result) livePage(s *engine.Session, a *sessionArguments) error {
	var o engine.ScrapeOptions
	if err := optionsFrom(a.options, readOptions(&o), &o); err != nil {
		return err
	}
	o.OnStep = r.c.step
	doc, err := s.Scrape(r.c.ctx, o)
	if doc == nil {
		return err
	}
	r.line("session %s", s.ID())
	id := doc.Metadata.ScrapeID
	if o.ZeroDataRetention {
		id = ""
	}
	if failed := r.document(doc, id, a.want); failed != nil {
		return failed
	}
	return err
}

// interact goes on with the page of a document.
func (c *call) interact(a *sessionArguments) (*result, error) {
	rec, err := c.engine.ScrapeByID(c.ctx, a.scrape)
	if err != nil {
		return nil, err
	}
	if err := c.own(rec.Owner, nil); err != nil {
		return nil, err
	}
	if a.do == "close" {
		info, err := c.engine.StopInteract(c.ctx, a.scrape)
		r := c.result()
		r.line("session %s is closed.", info.ID)
		return r, err
	}
	return c.interacted("", func(q engine.InteractRequest) (*engine.InteractResult, error) {
		return c.engine.Interact(c.ctx, a.scrape, q)
	}, a)
}

// interaction runs code or a prompt.
type interaction = func(engine.InteractRequest) (*engine.InteractResult, error)

// interacted gives what came of code or a prompt.
func (c *call) interacted(id string, do interaction, a *sessionArguments) (*result, error) {
	got, err := do(engine.InteractRequest{
		Code: a.code, Prompt: a.prompt, Language: a.language, Timeout: time.Duration(a.seconds) * time.Second,
		OnStep: func(s engine.ModelStep) { c.report(0, 0, s.Tool) },
	})
	r := c.result()
	if err != nil {
		if id != "" {
			r.line("session %s", id)
		}
		return r, err
	}
	r.line("session %s: success %t, exit code %d, killed %t", got.SessionID, got.Success, got.ExitCode, got.Killed)
	text := ""
	for _, part := range []struct{ name, text string }{
		{"output", got.Output}, {"result", deref(got.Result)}, {"stdout", got.Stdout}, {"stderr", got.Stderr},
	} {
		if part.text != "" {
			text += "# " + part.name + "\n\n" + part.text + "\n\n"
		}
	}
	part, at, err := c.part(text, "", a.want)
	if err != nil {
		return r, err
	}
	r.foreign("output", part)
	if at.Next > 0 {
		r.line("These are the first %d of %d tokens: print less, or see the page.", at.Tokens, at.TotalTokens)
	}
	return r, nil
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// sessions lists those of the owner.
func (c *call) sessions(w want) (*result, error) {
	all, err := c.engine.Sessions(c.ctx, engine.SessionActive)
	if err != nil {
		return nil, err
	}
	var items []string
	for _, s := range all {
		if s.Owner == c.o.Owner {
			items = append(items, fmt.Sprintf("%s, ends at %s, live view %s", s.ID, s.ExpiresAt.UTC().Format(time.TimeOnly), s.LiveViewURL))
		}
	}
	r := c.result()
	r.line("%d sessions are active.", len(items))
	r.listed("sessions", items, w, `session {"do": "list"`)
	return r, nil
}

var errStep = errors.New("want an object with one of click, type, select, press, scroll, wait and goto")

// stepOf is a step as the engine takes it.
func stepOf(raw json.RawMessage) (tool string, arguments json.RawMessage, err error) {
	var keys map[string]any
	if err := json.Unmarshal(raw, &keys); err != nil {
		return "", nil, err
	}
	named := map[string]string{
		"click": "ref", "type": "ref", "select": "ref", "press": "key", "scroll": "direction", "wait": "milliseconds", "goto": "url",
	}
	for name, value := range keys {
		if named[name] == "" {
			continue
		}
		if tool != "" {
			return "", nil, errStep
		}
		tool = name
		delete(keys, name)
		keys[named[name]] = value
	}
	if tool == "" {
		return "", nil, errStep
	}
	arguments, err = json.Marshal(keys)
	return tool, arguments, err
}
