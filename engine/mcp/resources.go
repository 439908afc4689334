package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/winnow-go/winnow/engine"
)

// resource is a row of the table of resources. What it reads gets what stands after its name in the address.
type resource struct {
	name, about string
	item        bool // it has an id
	read        func(c *call, id string, w want) (*result, error)
}

func resourceTable() []resource {
	return []resource{
		{"document", "A document by the id of a result: its text, from ?from=, in ?tokens=, or what fits ?query=.", true, readDocument},
		{"job", "A job by its id: its state and its documents, after the first ?from=.", true, readJob},
		{"monitor", "A monitor by its id, with its last checks.", true, readMonitor},
		{"options", "The JSON Schema of the argument options of a tool.", true, readOptionsOf},
		{"jobs", "The jobs of the last day.", false, readJobs},
		{"monitors", "The monitors.", false, func(c *call, _ string, w want) (*result, error) {
			return c.listMonitors(&monitorArguments{want: w})
		}},
		{"sessions", "The browser sessions that are active.", false, func(c *call, _ string, w want) (*result, error) { return c.sessions(w) }},
		{"activity", "The requests of the last day.", false, readActivity},
		{"usage", "The credits and tokens that were used, by day.", false, readUsage},
	}
}

const scheme = "winnow://"

func (s *server) addResources() {
	for _, r := range resourceTable() {
		if r.item {
			s.sdk.AddResourceTemplate(&sdk.ResourceTemplate{
				Name: r.name, Description: r.about, MIMEType: "text/plain", URITemplate: scheme + r.name + "/{+id}",
			}, s.reader(r))
			continue
		}
		s.sdk.AddResource(&sdk.Resource{Name: r.name, Description: r.about, MIMEType: "text/plain", URI: scheme + r.name}, s.reader(r))
	}
}

// reader is how the SDK reads a resource.
func (s *server) reader(res resource) sdk.ResourceHandler {
	return func(ctx context.Context, request *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
		defer cancel()
		c := &call{server: s, ctx: ctx, tool: res.name}
		id, w, err := c.parsed(request.Params.URI, scheme+res.name)
		if err != nil {
			return nil, err
		}
		r, err := c.guarded(func() (*result, error) { return res.read(c, id, w) })
		if engine.CodeOf(err) == engine.CodeNotFound {
			return nil, sdk.ResourceNotFoundError(request.Params.URI)
		}
		if err != nil {
			_, text, next := c.explained(err)
			return nil, fmt.Errorf("%s Next: %s", text, next)
		}
		text := strings.TrimSpace(r.text.String())
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: request.Params.URI, Text: text}}}, nil
	}
}

// parsed splits the address of a resource.
func (c *call) parsed(address, prefix string) (id string, w want, err error) {
	rest, query, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(address, prefix), "/"), "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", w, err
	}
	for name := range values {
		value := values.Get(name)
		switch name {
		case "from":
			w.from, err = wholeIn(name, value, 0, 1<<31)
		case "tokens":
			w.tokens, err = wholeIn(name, value, 64, c.o.MaxBudget)
		case "query":
			w.query = value
		default:
			err = fmt.Errorf("%q is no parameter: there are from, tokens and query", name)
		}
		if err != nil {
			return "", w, err
		}
	}
	if w.query != "" && w.from > 0 {
		err = errors.New("from: want 0 with query")
	}
	return rest, w, err
}

func wholeIn(name, value string, lowest, highest int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < lowest || n > highest {
		return 0, fmt.Errorf("%s: %.40q; want %d to %d", name, value, lowest, highest)
	}
	return n, nil
}

func readDocument(c *call, id string, w want) (*result, error) {
	doc, err := c.documentOf(id)
	if err != nil {
		return nil, err
	}
	r := c.result()
	return r, r.document(doc, id, w)
}

func readJob(c *call, id string, w want) (*result, error) {
	job, err := c.job(id)
	if err != nil {
		return nil, err
	}
	s, err := job.Status(c.ctx)
	if err != nil {
		return nil, err
	}
	return c.outcome(job, s, w)
}

func readMonitor(c *call, id string, w want) (*result, error) {
	m, err := c.monitorBy(id)
	if err != nil {
		return nil, err
	}
	return c.showMonitor(m, &monitorArguments{want: w})
}

// readOptionsOf gives the schema of a tool's options; of crawl and extract also that of batches and agents.
func readOptionsOf(c *call, name string, w want) (*result, error) {
	for _, t := range table() {
		if t.name != name {
			continue
		}
		schemas := map[string]any{name: t.options().Shape()}
		switch name {
		case "crawl":
			schemas["with urls"] = batchFields(&engine.BatchOptions{}).Shape()
		case "extract":
			schemas["with agent"] = agentFields(&engine.AgentOptions{}).Shape()
		case "session":
			schemas["with do read"] = readOptions(&engine.ScrapeOptions{}).Shape()
		}
		data, err := json.Marshal(schemas)
		r := c.result()
		r.text.Write(data)
		return r, err
	}
	return nil, &engine.Error{Code: engine.CodeNotFound, Op: "options", Err: errors.New("there is no such tool")}
}

func readJobs(c *call, _ string, w want) (*result, error) {
	all, err := c.engine.Jobs(c.ctx, false)
	if err != nil {
		return nil, err
	}
	var items []string
	for _, job := range all {
		if job.Owner() != c.o.Owner {
			continue
		}
		s, err := job.Status(c.ctx)
		if err != nil {
			return nil, err
		}
		items = append(items, fmt.Sprintf("%s %s %s, %d of %d pages, %s", s.ID, s.Kind, s.State, s.Completed, s.Total, s.URL))
	}
	r := c.result()
	r.line("%d jobs.", len(items))
	r.listedAt("jobs", items, w)
	return r, nil
}

func readActivity(c *call, _ string, w want) (*result, error) {
	list, _, err := c.engine.Activity(c.ctx, engine.ActivityQuery{Owner: &c.o.Owner, Limit: 1000})
	if err != nil {
		return nil, err
	}
	r := c.result()
	r.listedAt("activity", jsonLines(list), w)
	return r, nil
}

func readUsage(c *call, _ string, w want) (*result, error) {
	used, err := c.engine.Usage(c.ctx, c.o.Owner)
	if err != nil {
		return nil, err
	}
	r := c.result()
	r.line("%d credits, %d tokens of models", used.Credits, used.Tokens)
	r.listedAt("usage", jsonLines(used.Days), w)
	return r, nil
}
