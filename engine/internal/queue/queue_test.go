package queue

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestQueue_isFirstComeFirstServed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1, time.Now)
		if waited, err := q.Enter(t.Context()); waited != 0 || err != nil {
			t.Fatalf("first: waited %s, %v", waited, err)
		}
		order := make(chan int, 3)
		for i := range 3 {
			go func() {
				waited, err := q.Enter(t.Context())
				if err != nil || waited == 0 {
					t.Errorf("%d: waited %s, %v", i, waited, err)
				}
				order <- i
				q.Leave()
			}()
			synctest.Wait()
		}
		time.Sleep(time.Second)
		q.Leave()
		for want := range 3 {
			if got := <-order; got != want {
				t.Errorf("place %d went to %d", want, got)
			}
		}
	})
}

func TestQueue_waitingEndsWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(1, time.Now)
		_, _ = q.Enter(t.Context())
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		waited, err := q.Enter(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || waited != time.Second {
			t.Errorf("waited %s, %v", waited, err)
		}
		q.Leave()
		if _, err := q.Enter(t.Context()); err != nil {
			t.Error("the place was lost:", err)
		}
	})
}

func TestDefaultPages_isAtLeastOne(t *testing.T) {
	if n := DefaultSlots(); n < 1 {
		t.Errorf("got %d", n)
	}
}
