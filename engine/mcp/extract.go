package mcp

import (
	"encoding/json"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

type extractArguments struct {
	urls    []string
	prompt  string
	schema  json.RawMessage
	agent   bool
	wait    int // seconds
	want    want
	options json.RawMessage
}

func extractTool() tool {
	return declare("extract", "Take data out of pages with the server's model, by a JSON Schema or a prompt. urls may end in /*. With agent, it looks "+
		"for the data by itself, by many steps.",
		func(s *server, a *extractArguments) []param {
			return append([]param{
				{"urls", "", decode.Texts(&a.urls, 100)},
				{"prompt", "", decode.Text(&a.prompt, 0, decode.MaxPrompt)},
				{"schema", "", decode.JSONObject(&a.schema)},
				{"agent", "", decode.Flag(&a.agent)},
				{"wait", "seconds", decode.Whole(&a.wait, 1, 3600)},
				optionsOf("extract", "POST /v2/extract; with agent of /v2/agent", decode.JSONObject(&a.options).Read),
			}, pageParams(s, &a.want)...)
		}, extract).changing().withOptions(func() decode.Fields { return extractFields(&engine.ExtractOptions{}) })
}

func extractFields(o *engine.ExtractOptions) decode.Fields {
	return without(decode.WithUnsupported(decode.ExtractFields(o, true)), "urls", "prompt", "schema")
}

func agentFields(o *engine.AgentOptions) decode.Fields {
	return without(decode.AgentFields(o, true), "urls", "prompt", "schema", "model")
}

func extract(c *call, a *extractArguments) (*result, error) {
	if a.prompt == "" && (a.agent || len(a.urls) == 0) {
		return nil, decode.Required("prompt", "what to take out, in words; without agent it may be left out beside urls")
	}
	job, err := c.startExtract(a)
	if err != nil {
		return nil, err
	}
	s, err := c.await(job, time.Duration(a.wait)*time.Second, true)
	if err != nil {
		return nil, err
	}
	return c.outcome(job, s, a.want)
}

// startExtract starts an extraction or an agent.
func (c *call) startExtract(a *extractArguments) (*engine.Job, error) {
	if a.agent {
		o := engine.AgentOptions{}
		if err := optionsFrom(a.options, agentFields(&o), &engine.ScrapeOptions{}); err != nil {
			return nil, err
		}
		o.URLs, o.Prompt, o.Schema, o.Owner = a.urls, a.prompt, a.schema, c.o.Owner
		job, err := c.engine.StartAgent(c.ctx, o)
		if err != nil {
			return nil, err
		}
		return job.Job, nil
	}
	o := engine.ExtractOptions{}
	if err := optionsFrom(a.options, extractFields(&o), &o.Scrape); err != nil {
		return nil, err
	}
	o.URLs, o.Prompt, o.Schema, o.Owner = a.urls, a.prompt, a.schema, c.o.Owner
	job, err := c.engine.StartExtract(c.ctx, o)
	if err != nil {
		return nil, err
	}
	return job.Job, nil
}
