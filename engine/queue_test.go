package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestQueue_isFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, time.Now)
		if waited, err := q.enter(t.Context()); waited != 0 || err != nil {
			t.Fatalf("first: waited %s, %v", waited, err)
		}
		order := make(chan int, 3)
		for i := range 3 {
			go func() {
				waited, err := q.enter(t.Context())
				if err != nil || waited == 0 {
					t.Errorf("%d: waited %s, %v", i, waited, err)
				}
				order <- i
				q.leave()
			}()
			synctest.Wait()
		}
		time.Sleep(time.Second)
		q.leave()
		for want := range 3 {
			if got := <-order; got != want {
				t.Errorf("place %d went to %d", want, got)
			}
		}
	})
}

func TestQueue_waitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, time.Now)
		_, _ = q.enter(t.Context())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		waited, err := q.enter(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || waited != time.Second {
			t.Errorf("waited %s, %v", waited, err)
		}
		q.leave()
		if _, err := q.enter(t.Context()); err != nil {
			t.Error("the place was lost:", err)
		}
	})
}

func TestDefaultPages_isAtLeastOne(t *testing.T) {
	if n := defaultPages(); n < 1 {
		t.Errorf("got %d", n)
	}
}
