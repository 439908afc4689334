package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/url"
	"strconv"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// of finds the path's job, which must be of the kind that as returns and of the caller's team.
func of[J any](as func(*engine.Job) (J, bool), do func(*call, J) error) func(*call) error {
	return func(c *call) error {
		job, err := c.job()
		if err != nil {
			return err
		}
		typed, ok := as(job)
		if !ok {
			return otherKind(job)
		}
		return do(c, typed)
	}
}

func otherKind(job *engine.Job) error {
	return notFound("the job with this id is of another kind: " + job.Kind())
}

// job finds the path's job, which must be of the caller's team.
func (c *call) job() (*engine.Job, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	job, err := c.api.engine.Job(c.r.Context(), id)
	if err != nil {
		return nil, err
	}
	if job.Owner() != c.team {
		return nil, errOtherTeam
	}
	return job, nil
}

// documentJob is a crawl or a batch.
type documentJob interface {
	ID() string
	Status(ctx context.Context) (engine.JobStatus, error)
	Cancel(ctx context.Context) error
	Errors(ctx context.Context) ([]engine.JobError, error)
	Events(ctx context.Context, since uint64) iter.Seq2[engine.Event, error]
	Rendering(ctx context.Context) (engine.RenderReport, error)
	EachOfPage(ctx context.Context, skip, limit int, each func(json.RawMessage) error) (next int, err error)
	Stored(ctx context.Context, from uint64) iter.Seq2[json.RawMessage, error]
}

// jobHead is the status record, which data follows.
type jobHead struct {
	Success     bool            `json:"success"`
	Status      engine.JobState `json:"status"`
	Completed   int             `json:"completed"`
	Total       int             `json:"total"`
	CreditsUsed int64           `json:"creditsUsed"`
	ExpiresAt   *time.Time      `json:"expiresAt,omitempty"`
	CreatedAt   *time.Time      `json:"createdAt,omitempty"`
	CompletedAt *time.Time      `json:"completedAt,omitempty"`
	Duration    float64         `json:"duration,omitempty"` // seconds
	Next        string          `json:"next,omitempty"`     // written after the data
	Warning     string          `json:"warning,omitempty"`
	Code        engine.Code     `json:"code,omitempty"`
	Error       string          `json:"error,omitempty"`
	Winnow      *jobWinnow      `json:"winnow,omitempty"` // of a crawl or batch that has ended
}

// jobWinnow is what only this service says of a job.
type jobWinnow struct {
	Rendering engine.RenderReport `json:"rendering"`
	Traps     []engine.Trap       `json:"traps,omitempty"` // of a crawl, as are changes

	Changes map[engine.ChangeKind]int `json:"changes,omitempty"`
}

// jobBody is what stream writes.
type jobBody struct {
	jobHead
	Data []engine.Document `json:"data"`
}

func headOf(s engine.JobStatus) jobHead {
	h := jobHead{
		Success: true, Status: s.State, Completed: s.Completed, Total: s.Total, CreditsUsed: s.CreditsUsed,
		ExpiresAt: stamp(s.ExpiresAt), CreatedAt: stamp(s.CreatedAt), CompletedAt: stamp(s.CompletedAt),
		Warning: serverNames.Replace(s.Warning),
	}
	if !s.CompletedAt.IsZero() {
		h.Duration = float64(s.CompletedAt.Sub(s.CreatedAt).Milliseconds()) / 1000
	}
	if s.State == engine.JobFailed {
		h.Code, h.Error = s.Code, shown(s.Code, s.Error)
		h.Success = s.Completed > 0
	}
	return h
}

// reported adds to the status of a job that has ended how it got its pages.
func (h jobHead) reported(ctx context.Context, job documentJob) (jobHead, error) {
	if !h.Status.Final() {
		return h, nil
	}
	r, err := job.Rendering(ctx)
	if err != nil {
		return h, err
	}
	h.Winnow = &jobWinnow{Rendering: r}
	if crawl, ok := job.(*engine.CrawlJob); ok {
		if h.Winnow.Traps, err = crawl.Traps(ctx); err != nil {
			return h, err
		}
		h.Winnow.Changes, err = crawl.ChangeCounts(ctx)
	}
	return h, err
}

// handleCrawl is GET /v2/crawl/{id}.
func handleCrawl(c *call, job *engine.CrawlJob) error { return replyPage(c, job, crawlPath) }

// handleBatch is GET /v2/batch/scrape/{id}.
func handleBatch(c *call, job *engine.BatchJob) error { return replyPage(c, job, batchPath) }

// replyPage answers with the status of a crawl or batch and a part of its documents: at most 100, or as limit says, and 10 MiB.
// Only one of them is in memory. To a request for a WebSocket, for events or for lines it is a stream. path is that of the kind's jobs.
func replyPage(c *call, job documentJob, path string) error {
	if socketRequest(c.r) {
		return watch(c, job)
	}
	if streamType(c.r) != "" {
		done, err := c.roomForStream()
		if err != nil {
			return err
		}
		defer done()
		return streamJob(c, job, nil)
	}
	skip, limit, err := windowOf(c)
	if err != nil {
		return err
	}
	status, err := job.Status(c.r.Context())
	if err != nil {
		return err
	}
	head, err := headOf(status).reported(c.r.Context(), job)
	if err != nil {
		return err
	}
	out := &pageWriter{w: c.w, head: head}
	following, err := job.EachOfPage(c.r.Context(), skip, limit, out.document)
	switch {
	case err != nil && out.gone:
		return nil // a client that is gone needs no answer
	case err != nil:
		return err
	}
	next := ""
	if following >= 0 {
		next = c.statusURL(path, job.ID()) + "?" + queryOf(following, limit)
	}
	_ = out.end(next, "\n")
	return nil
}

// queryOf is the query that windowOf reads.
func queryOf(skip, limit int) string {
	q := url.Values{"skip": {strconv.Itoa(skip)}}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	return q.Encode()
}

const (
	crawlPath = "/v2/crawl"
	batchPath = "/v2/batch/scrape"
	maxAtOnce = 1000
	maxSkip   = 1 << 31
)

// windowOf reads skip and limit; a limit of 0 is none.
func windowOf(c *call) (skip, limit int, err error) {
	q := c.r.URL.Query()
	if q.Has("skip") {
		if skip, err = strconv.Atoi(q.Get("skip")); err != nil || skip < 0 || skip > maxSkip {
			return 0, 0, decode.Invalid("skip", "want an integer from 0")
		}
	}
	if q.Has("limit") {
		if limit, err = strconv.Atoi(q.Get("limit")); err != nil || limit < 1 || limit > maxAtOnce {
			return 0, 0, decode.Invalid("limit", "want 1 to 1000")
		}
	}
	return skip, limit, nil
}

// pageWriter writes a status record with its documents, which are JSON already, one by one. Nothing is written before the first.
type pageWriter struct {
	w      io.Writer
	head   jobHead
	before string // the record
	begun  bool
	gone   bool // a write has failed
}

func (p *pageWriter) document(doc json.RawMessage) error {
	if p.begun {
		return p.write([]byte(","), doc)
	}
	if err := p.begin(); err != nil {
		return err
	}
	return p.write(doc)
}

func (p *pageWriter) begin() error {
	head, err := json.Marshal(p.head)
	if err != nil {
		return err
	}
	p.begun = true
	return p.write([]byte(p.before), append(head[:len(head)-1], `,"data":[`...))
}

// end closes the record; next is where its data goes on, after what was read.
func (p *pageWriter) end(next, after string) error {
	if !p.begun {
		if err := p.begin(); err != nil {
			return err
		}
	}
	tail := "]"
	if next != "" {
		quoted, err := json.Marshal(next)
		if err != nil {
			return err
		}
		tail += `,"next":` + string(quoted)
	}
	return p.write([]byte(tail + "}" + after))
}

func (p *pageWriter) write(parts ...[]byte) error {
	err := writeAll(p.w, parts...)
	p.gone = p.gone || err != nil
	return err
}

// cancelledBody is the answer to the end of a crawl or batch.
type cancelledBody struct {
	Status engine.JobState `json:"status"`
}

// handleCancel ends a crawl or batch.
func handleCancel[J documentJob](c *call, job J) error {
	if err := job.Cancel(c.r.Context()); err != nil {
		return err
	}
	return c.reply(cancelledBody{engine.JobCancelled})
}

// errorItem is a page that gave no document.
type errorItem struct {
	ID        string      `json:"id"`
	Timestamp *time.Time  `json:"timestamp,omitempty"`
	URL       string      `json:"url"`
	Code      engine.Code `json:"code,omitempty"`
	Error     string      `json:"error"`
}

// errorsBody lists the pages that a crawl or batch could not fetch.
type errorsBody struct {
	Errors        []errorItem   `json:"errors"`
	RobotsBlocked []string      `json:"robotsBlocked"`
	Winnow        *errorsWinnow `json:"winnow,omitempty"` // of a crawl
}

// replyErrors lists the pages that failed, and what else was left out.
func replyErrors(c *call, job documentJob, blocked []string, out *errorsWinnow) error {
	failed, err := job.Errors(c.r.Context())
	if err != nil {
		return err
	}
	body := errorsBody{[]errorItem{}, append([]string{}, blocked...), out}
	for _, e := range failed {
		body.Errors = append(body.Errors, errorItem{strconv.FormatUint(e.ID, 10), stamp(e.Timestamp), e.URL, e.Code, shown(e.Code, e.Error)})
	}
	return c.reply(body)
}

// started is the answer to the start of a job.
type started struct {
	Success     bool      `json:"success"`
	ID          string    `json:"id"`
	URL         string    `json:"url,omitempty"`
	InvalidURLs *[]string `json:"invalidURLs,omitempty"`
	*engine.CrawlPlan
}

// listInvalid lists the URLs that the job leaves out as invalid, unless one fails the request: ignore is nil or true.
func (s *started) listInvalid(c *call, ignore *bool, invalidURLs func(context.Context) ([]string, error)) error {
	if ignore != nil && !*ignore {
		return nil
	}
	invalid, err := invalidURLs(c.r.Context())
	if err != nil {
		return err
	}
	s.InvalidURLs = new(append([]string{}, invalid...))
	return nil
}

// start begins a job. Where the idempotency key finds that of an earlier request, the key is used up.
func start[J interface {
	ID() string
	Found() bool
}](c *call, op string, begin func(context.Context) (J, error)) (job J, err error) {
	job, err = work(c, op, begin)
	if err == nil && job.Found() {
		return job, refusal(engine.CodeIdempotency, "the idempotency key was used for job "+job.ID())
	}
	return job, err
}

// idempotencyKey is the request's, under which the engine finds the job of an equal request again.
func (c *call) idempotencyKey() (string, error) {
	key := c.r.Header.Get("X-Idempotency-Key")
	if len(key) > decode.MaxLabel {
		return "", decode.Invalid("x-idempotency-key", "want at most 200 bytes")
	}
	return key, nil
}

// concurrencyOf a job is the smaller of the requested number and the key's limit; 0: no limit.
func (c *call) concurrencyOf(wanted int) int {
	switch limit := min(c.limits.Pages, decode.MaxConcurrency); {
	case limit <= 0:
		return wanted
	case wanted == 0:
		return limit
	default:
		return min(wanted, limit)
	}
}

// ofTeam lists the team's jobs, newest first.
func (c *call) ofTeam(active bool) (list []*engine.Job, err error) {
	all, err := c.api.engine.Jobs(c.r.Context(), active)
	for _, job := range all {
		if job.Owner() == c.team {
			list = append(list, job)
		}
	}
	return list, err
}

// ofKind lists the team's jobs of a kind, newest first.
func ofKind[J any](c *call, active bool, as func(*engine.Job) (J, bool)) (list []J, err error) {
	all, err := c.ofTeam(active)
	for _, job := range all {
		if typed, ok := as(job); ok {
			list = append(list, typed)
		}
	}
	return list, err
}
