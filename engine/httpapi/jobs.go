package httpapi

import (
	"context"
	"encoding/json"
	"io"
	"net/url"
	"strconv"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/decode"
)

// of finds the path's job, which must be of that kind and of the caller's team.
func of(kind string, do func(*call, *engine.Job) error) func(*call) error {
	return func(c *call) error {
		job, err := c.job(kind)
		if err != nil {
			return err
		}
		return do(c, job)
	}
}

func (c *call) job(kinds ...string) (*engine.Job, error) {
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
	for _, kind := range kinds {
		if job.Kind() == kind {
			return job, nil
		}
	}
	return nil, notFound("the job with this id is of another kind: " + job.Kind())
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

// handleJobPage answers with the status of a crawl or batch and a part of its documents: at most 100, or as limit says, and 10 MiB.
// Only one of them is in memory. To a request for a WebSocket it is a stream.
func handleJobPage(c *call, job *engine.Job) error {
	if socketRequest(c.r) {
		return watch(c, job)
	}
	skip, limit, err := windowOf(c)
	if err != nil {
		return err
	}
	status, err := job.Status(c.r.Context())
	if err != nil {
		return err
	}
	out := &pageWriter{w: c.w, head: headOf(status)}
	following, err := job.EachOfPage(c.r.Context(), skip, limit, out.document)
	switch {
	case err != nil && out.gone:
		return nil // a client that is gone needs no answer
	case err != nil:
		return err
	}
	next := ""
	if following >= 0 {
		next = nextURL(c, job, following, limit)
	}
	_ = out.end(next, "\n")
	return nil
}

func nextURL(c *call, job *engine.Job, skip, limit int) string {
	q := url.Values{"skip": {strconv.Itoa(skip)}}
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	path := map[string]string{engine.KindCrawl: crawlPath, engine.KindBatch: batchPath}[job.Kind()]
	return c.statusURL(path, job.ID()) + "?" + q.Encode()
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
func handleCancel(c *call, job *engine.Job) error {
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
	Errors        []errorItem `json:"errors"`
	RobotsBlocked []string    `json:"robotsBlocked"`
}

// handleJobErrors lists the pages that failed, and those that robots.txt forbids.
func handleJobErrors(c *call, job *engine.Job) error {
	failed, err := job.Errors(c.r.Context())
	if err != nil {
		return err
	}
	blocked, err := job.RobotsBlocked(c.r.Context())
	if err != nil {
		return err
	}
	body := errorsBody{[]errorItem{}, append([]string{}, blocked...)}
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
func (c *call) start(op string, begin func(context.Context) (*engine.Job, error)) (*engine.Job, error) {
	job, err := work(c, op, begin)
	if err == nil && job.Found() {
		return nil, refusal(engine.CodeIdempotency, "the idempotency key was used for job "+job.ID())
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

// ofTeam lists the team's jobs of a kind ("" any), newest first.
func (c *call) ofTeam(active bool, kind string) (list []*engine.Job, err error) {
	all, err := c.api.engine.Jobs(c.r.Context(), active)
	for _, job := range all {
		if job.Owner() == c.team && (kind == "" || job.Kind() == kind) {
			list = append(list, job)
		}
	}
	return list, err
}
