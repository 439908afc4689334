package work

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/crawl"
)

// A request beside that of a page waits for the delay of its host, and for its turn at another one.
func TestLine_Beside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Line{Job: &Job{runner: &Runner{o: Options{Now: time.Now}}}, Pace: crawl.NewPace(crawl.PaceOptions{Delay: time.Minute})}
		other, _ := l.Pace.Begin("b.example")
		began := time.Now()
		took := func(host string) (d time.Duration) {
			if err := l.Beside(t.Context(), crawl.Item{Host: "a.example"}, host, func() error { d = time.Since(began); return nil }); err != nil {
				t.Error(err)
			}
			return d
		}
		if d := took("a.example"); d != time.Minute {
			t.Errorf("at the page's host after %v", d)
		}
		time.AfterFunc(time.Minute, func() { other.End(crawl.Outcome{}) })
		if d := took("b.example"); d != 3*time.Minute {
			t.Errorf("at another host after %v", d)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		err := l.Beside(ctx, crawl.Item{Host: "a.example"}, "b.example", func() error { return nil })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
	})
}
