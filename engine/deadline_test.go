package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadline_endsTheContextWithItsOwnCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d := withDeadline(t.Context(), time.Minute)
		defer d.stop()
		start := time.Now()
		<-ctx.Done()
		if took := time.Since(start); took != time.Minute {
			t.Errorf("ended after %s, want a minute", took)
		}
		var timeout *timeoutError
		if cause := context.Cause(ctx); !errors.As(cause, &timeout) || !errors.Is(cause, context.DeadlineExceeded) {
			t.Errorf("cause %v, want a timeoutError", cause)
		}
	})
}

func TestDeadline_standsStillWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d := withDeadline(t.Context(), time.Minute)
		defer d.stop()
		start := time.Now()
		time.Sleep(20 * time.Second)
		d.pause()
		time.Sleep(time.Hour)
		d.pause() // twice is once
		if ctx.Err() != nil {
			t.Fatal("ended while paused")
		}
		d.resume()
		d.resume()
		<-ctx.Done()
		if took := time.Since(start); took != time.Hour+time.Minute {
			t.Errorf("ended after %s, want 1h1m", took)
		}
	})
}

func TestDeadline_stopFreesTheTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d := withDeadline(t.Context(), time.Minute)
		d.stop()
		if !errors.Is(context.Cause(ctx), context.Canceled) {
			t.Errorf("cause %v", context.Cause(ctx))
		}
	})
}
