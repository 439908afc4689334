package httpapi

import (
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/engine"
	"github.com/winnow-go/winnow/engine/httpapi/internal/quota"
)

func TestPage_theTimeInTheQueueIsPartOfTheTimeoutAndReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &api{teams: quota.NewTeams(), options: Options{Now: time.Now}}
		asked := func() *call {
			return &call{api: a, caller: caller{team: "red", limits: Limits{Pages: 1}}, r: httptest.NewRequest("POST", "/v2/scrape", nil).WithContext(t.Context())}
		}
		first, second := asked(), asked()
		done, err := first.page(time.Minute, engine.CodeTimeout)
		if err != nil {
			t.Fatal(err)
		}
		go func() { time.Sleep(40 * time.Second); done() }()
		if _, err := asked().page(30*time.Second, engine.CodeMapTimeout); engine.CodeOf(err) != engine.CodeMapTimeout {
			t.Errorf("a wait longer than the timeout: %v", err)
		}
		done, err = second.page(time.Minute, engine.CodeTimeout)
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		ctx, cancel := second.within(t.Context(), time.Minute)
		defer cancel()
		if end, ok := ctx.Deadline(); !ok || time.Until(end) != 50*time.Second { // it came after 30 s, and waited for 10
			t.Errorf("%s are left, %v", time.Until(end), ok)
		}
		kept := &engine.Document{}
		kept.Metadata.ConcurrencyQueueDurationMs = 5
		if m := second.documented(kept).Data.Metadata; !m.ConcurrencyLimited || m.ConcurrencyQueueDurationMs != 10_005 || kept.Metadata.ConcurrencyLimited {
			t.Errorf("%+v", m)
		}
		if ctx, cancel := first.within(t.Context(), time.Minute); ctx != t.Context() || first.documented(kept).Data != kept {
			t.Error("a request that did not wait has a wait")
		} else {
			cancel()
		}
	})
}
