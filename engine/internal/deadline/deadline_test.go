package deadline

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadline_endsTheContextWithItsOwnCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d := With(t.Context(), time.Minute)
		defer d.Stop()
		start := time.Now()
		<-ctx.Done()
		if took := time.Since(start); took != time.Minute {
			t.Errorf("ended after %s, want a minute", took)
		}
		var timeout *TimeoutError
		if cause := context.Cause(ctx); !errors.As(cause, &timeout) || !errors.Is(cause, context.DeadlineExceeded) {
			t.Errorf("cause %v, want a TimeoutError", cause)
		}
	})
}

func TestDeadline_standsStillWhilePaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d := With(t.Context(), time.Minute)
		defer d.Stop()
		start := time.Now()
		time.Sleep(20 * time.Second)
		d.Pause()
		time.Sleep(time.Hour)
		d.Pause() // twice is once
		if ctx.Err() != nil {
			t.Fatal("ended while paused")
		}
		d.Resume()
		d.Resume()
		<-ctx.Done()
		if took := time.Since(start); took != time.Hour+time.Minute {
			t.Errorf("ended after %s, want 1h1m", took)
		}
	})
}

func TestDeadline_theOuterOneStandsStillToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, outer := With(t.Context(), time.Minute)
		defer outer.Stop()
		_, inner := With(ctx, time.Minute)
		defer inner.Stop()
		inner.outer = outer
		inner.Pause()
		time.Sleep(time.Hour)
		inner.Resume()
		<-ctx.Done()
		if took := time.Since(start); took != time.Hour+time.Minute {
			t.Errorf("the outer one ended after %s, want 1h1m", took)
		}
	})
}

func TestDeadline_stopFreesTheTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d := With(t.Context(), time.Minute)
		d.Stop()
		if !errors.Is(context.Cause(ctx), context.Canceled) {
			t.Errorf("cause %v", context.Cause(ctx))
		}
	})
}

func TestDeadline_isToldToThoseWhoPlanWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		ctx, d := With(t.Context(), time.Minute)
		defer d.Stop()
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
		d.Pause()
		time.Sleep(time.Hour)
		d.Resume()
		want(child, time.Hour+time.Minute+slack)

		early, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		ctx, other := With(early, time.Minute)
		defer other.Stop()
		end, _ := early.Deadline()
		want(ctx, end.Sub(start))
	})
}

func TestReserve_keepsASixthButAtMostTwoSeconds(t *testing.T) {
	for total, want := range map[time.Duration]time.Duration{6 * time.Second: 5 * time.Second, time.Minute: 58 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			ctx, d := With(t.Context(), total)
			defer d.Stop()
			ctx, cancel := d.Reserve(ctx)
			defer cancel()
			start := time.Now()
			<-ctx.Done()
			if took := time.Since(start); took != want {
				t.Errorf("of %s: ended after %s, want %s", total, took, want)
			}
		})
	}
}
