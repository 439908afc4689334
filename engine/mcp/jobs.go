package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/relevance"
)

// jobOfPages is a crawl or a batch.
type jobOfPages interface {
	ID() string
	Errors(ctx context.Context) ([]engine.JobError, error)
	EachOfPage(ctx context.Context, skip, limit int, each func(json.RawMessage) error) (next int, err error)
	Stored(ctx context.Context, from uint64) iter.Seq2[json.RawMessage, error]
}

// job finds a job of the owner.
func (c *call) job(id string) (*engine.Job, error) {
	job, err := c.engine.Job(c.ctx, id)
	if err != nil {
		return nil, err
	}
	return job, c.own(job.Owner(), nil)
}

func pagesOfJob(job *engine.Job) (jobOfPages, bool) {
	if crawl, ok := job.Crawl(); ok {
		return crawl, true
	}
	if batch, ok := job.Batch(); ok {
		return batch, true
	}
	return nil, false
}

// await waits for a job, at most so long, and reports its progress. A job that the call started ends with a client that cancels the call.
func (c *call) await(job *engine.Job, wait time.Duration, started bool) (engine.JobStatus, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.patience(wait))
	defer cancel()
	for ev, err := range job.Events(ctx, 0) {
		if err != nil {
			break // its time is over: the status says how far it is
		}
		c.event(ev)
	}
	if err := c.ctx.Err(); err != nil && started && errors.Is(err, context.Canceled) {
		_ = job.Cancel(context.WithoutCancel(c.ctx)) // it may just have ended
	}
	if err := c.ctx.Err(); err != nil {
		return engine.JobStatus{}, err
	}
	return job.Status(c.ctx)
}

// status says how a job is, in the server's words.
func (r *result) status(s engine.JobStatus) {
	r.line("job %s (%s): %s, %d of %d pages, %d failed", s.ID, s.Kind, s.State, s.Completed, s.Total, s.Failed)
	if s.Warning != "" {
		r.line("warning: %s", quoted(s.Warning))
	}
	if s.State == engine.JobFailed {
		r.line("error %s: %s", s.Code, quoted(cause(s.Code, errors.New(s.Error))))
	}
	if !s.State.Final() {
		r.line(`It goes on. Next: crawl {"job": %q} waits for it and reads more; with "do": "cancel" it ends.`, s.ID)
	}
}

// documents lists those of a job, or gives their parts that fit a query best.
func (r *result) documents(job jobOfPages, w want) error {
	if w.query != "" {
		return r.relevant(job, w)
	}
	var items []string
	n := w.from
	for raw, err := range job.Stored(r.c.ctx, uint64(w.from)) {
		if err != nil {
			return err
		}
		var doc engine.Document
		if err := json.Unmarshal(raw, &doc); err != nil {
			return err
		}
		n++
		address := cut(cmp.Or(doc.Metadata.URL, doc.Metadata.SourceURL), maxAddress)
		items = append(items, fmt.Sprintf("%s/%d %s %s (%d tokens)", job.ID(), n, address, cut(doc.Metadata.Title, maxTitle), r.c.count(doc.Markdown)))
		if len(items) == maxListed {
			break
		}
	}
	if len(items) == 0 {
		r.line("There are no documents after the first %d.", w.from)
		return nil
	}
	r.line(`Documents, each read by read {"id": …}:`)
	shown := r.list("documents", items, want{tokens: w.tokens})
	if shown < len(items) || len(items) == maxListed {
		r.line(`Go on: crawl {"job": %q, "from": %d}`, job.ID(), w.from+shown)
	}
	return nil
}

const (
	// maxTitle bounds what is listed of a title, in bytes.
	maxTitle = 300
	// maxListed bounds how many documents are looked at for one list.
	maxListed = 500
	// maxSearched and maxSearchedBytes bound those that are searched.
	maxSearched      = 5000
	maxSearchedBytes = 64 << 20
	// maxShown is from how many documents parts are shown.
	maxShown = 4
)

// relevant gives the parts that fit the query best, of the documents that do.
func (r *result) relevant(job jobOfPages, w want) error {
	docs, err := r.c.texts(job)
	if err != nil {
		return err
	}
	order := relevance.Matching(w.query, docs)
	r.line("%d of %d documents have words of the query.", len(order), len(docs))
	order = order[:min(len(order), maxShown)]
	for _, i := range order {
		id := fmt.Sprintf("%s/%d", job.ID(), i+1)
		doc, err := r.c.documentOf(id)
		if err != nil {
			return err
		}
		if err := r.document(doc, id, want{tokens: max(r.c.budget(w)/len(order), 64), query: w.query}); err != nil {
			return err
		}
	}
	return nil
}

// texts are a job's documents, as they are searched.
func (c *call) texts(job jobOfPages) (docs []relevance.Doc, err error) {
	size := 0
	for raw, err := range job.Stored(c.ctx, 0) {
		if err != nil {
			return nil, err
		}
		var doc engine.Document
		if err := json.Unmarshal(raw, &doc); err != nil {
			return nil, err
		}
		if size += len(doc.Markdown); size > maxSearchedBytes || len(docs) == maxSearched {
			break
		}
		docs = append(docs, relevance.Doc{URL: doc.Metadata.URL, Title: doc.Metadata.Title, Description: doc.Markdown})
	}
	return docs, nil
}

// answer gives the result of an extraction or an agent.
func (r *result) answer(job *engine.Job, w want) error {
	data, err := resultOf(r.c.ctx, job)
	if len(data) == 0 || data[0] == 'n' {
		if err == nil {
			r.line("The job gave nothing. Next: other addresses, or a prompt that says what the pages hold.")
		}
		return nil // why it failed is in the status
	}
	text := asText(data)
	if extract, ok := job.Extract(); ok {
		sources, err := extract.Sources(r.c.ctx)
		if err != nil {
			return err
		}
		if len(sources) > 0 { // they were requested
			raw, err := json.Marshal(sources)
			if err != nil {
				return err
			}
			text += "\n\n# sources\n\n" + asText(raw)
		}
	}
	return r.reading("result", text, "", fmt.Sprintf(`crawl {"job": %q`, job.ID()), w)
}

func resultOf(ctx context.Context, job *engine.Job) (json.RawMessage, error) {
	if extract, ok := job.Extract(); ok {
		return extract.Result(ctx)
	}
	if agent, ok := job.Agent(); ok {
		return agent.Result(ctx)
	}
	return nil, fmt.Errorf("a job of the kind %s has no result", job.Kind())
}

// outcome is the state of a job, and what it has.
func (c *call) outcome(job *engine.Job, s engine.JobStatus, w want) (*result, error) {
	r := c.result()
	r.status(s)
	if pages, ok := pagesOfJob(job); ok {
		return r, r.documents(pages, w)
	}
	if s.State.Final() && job.Kind() != engine.KindMonitor {
		return r, r.answer(job, w)
	}
	return r, nil
}

// jsonLines are values as lines of JSON.
func jsonLines[T any](list []T) (items []string) {
	for _, v := range list {
		if data, err := json.Marshal(v); err == nil {
			items = append(items, strings.TrimSpace(string(data)))
		}
	}
	return items
}
