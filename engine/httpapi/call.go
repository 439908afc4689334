package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
	"github.com/winnow-go/winnow/engine/internal/decode"
)

// call is one request while it is served.
type call struct {
	caller
	api                 *api
	w                   http.ResponseWriter
	r                   *http.Request
	origin, integration string // labels of the client
	credits             *quota.CreditHold
	queued              time.Duration  // how long the request waited for the team's other pages; 0: not at all
	describe            *decode.Fields // not nil: only store the fields of the body here; see bodyOf
}

func (c *call) run(to route) (err error) {
	defer c.recovered(&err)
	if to.endpoint == open {
		return to.do(c)
	}
	if c.caller, err = c.api.authenticate(c.r); err != nil {
		return err
	}
	rate := c.limits.Rates[to.endpoint]
	counter := quota.Counter{Key: c.hash, Endpoint: string(to.endpoint)}
	if wait := c.api.limits.Take(counter, rate.Requests, rate.Window, c.api.options.Now()); wait > 0 {
		p := refusal(codeRateLimit, fmt.Sprintf("too many %s requests", to.endpoint))
		p.wait = wait
		return p
	}
	c.credits = c.api.credits.Hold(c.team, c.limits.Credits)
	if to.credits > 0 {
		defer c.credits.Release()
		if err := c.credits.Reserve(c.r.Context(), to.credits); err != nil {
			return err
		}
	}
	return to.do(c)
}

func (c *call) recovered(err *error) {
	switch p := recover(); p {
	case nil:
	case http.ErrAbortHandler:
		panic(p)
	default:
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// reply writes a body.
func (c *call) reply(v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, _ = c.w.Write(b.Bytes()) // a client that is gone needs no answer
	return nil
}

// id reads the path's id.
func (c *call) id() (string, error) {
	id := c.r.PathValue("id")
	if !isUUID(id) {
		wrong := decode.Issue{Code: "invalid", Path: []any{"id"}, Message: wantUUID}
		return "", refusal(engine.CodeBadRequest, "the id in the path is not a UUID", wrong)
	}
	return id, nil
}

const wantUUID = "want a UUID in lower case"

func isUUID(id string) bool {
	u, err := uuid.Parse(id)
	return err == nil && u.String() == id
}

// statusURL is where a job stands.
func (c *call) statusURL(route, id string) string {
	return strings.TrimRight(c.api.options.BaseURL, "/") + route + "/" + id
}

// stamp spells a time, nil for none.
func stamp(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// said are the labels of the request, as the engine keeps them with its record.
func (c *call) said() engine.Labels {
	version, _, _ := strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/"), "/")
	return engine.Labels{Origin: c.origin, Integration: c.integration, Version: version}
}

// record finds the scrape of the path, if it is the caller's.
func (c *call) record() (*engine.ScrapeRecord, error) {
	id, err := c.id()
	if err != nil {
		return nil, err
	}
	rec, err := c.api.engine.ScrapeByID(c.r.Context(), id)
	if err != nil {
		return nil, err
	}
	if rec.Owner != c.team {
		return nil, errOtherTeam
	}
	return rec, nil
}
