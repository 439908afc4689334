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

func TestDeadline_theOuterOneStandsStillToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, outer := withDeadline(t.Context(), time.Minute)
		defer outer.stop()
		_, inner := withDeadline(ctx, time.Minute)
		defer inner.stop()
		inner.outer = outer
		inner.pause()
		time.Sleep(time.Hour)
		inner.resume()
		<-ctx.Done()
		if took := time.Since(start); took != time.Hour+time.Minute {
			t.Errorf("the outer one ended after %s, want 1h1m", took)
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

func TestDeadline_isToldToThoseWhoPlanWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, d := withDeadline(t.Context(), time.Minute)
		defer d.stop()
		child, cancel := context.WithCancel(ctx)
		defer cancel()
		want := func(ctx context.Context, after time.Duration) {
			t.Helper()
			if end, ok := ctx.Deadline(); !ok || end.Sub(start) != after {
				t.Errorf("deadline after %s, %t; want %s", end.Sub(start), ok, after)
			}
		}
		want(child, time.Minute+slack)
		time.Sleep(20 * time.Second)
		d.pause()
		time.Sleep(time.Hour)
		d.resume()
		want(child, time.Hour+time.Minute+slack)

		early, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		ctx, other := withDeadline(early, time.Minute)
		defer other.stop()
		end, _ := early.Deadline()
		want(ctx, end.Sub(start))
	})
}
