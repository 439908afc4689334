package cache

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// ailing is a write that fails as long as it is full.
type ailing struct {
	mu    sync.Mutex
	full  bool
	tries int
}

func (a *ailing) set(full bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.full = full
}

func (a *ailing) write() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tries++; a.full {
		return fmt.Errorf("write it: %w", ErrUnwritable)
	}
	return nil
}

func (a *ailing) count() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tries
}

func TestDisk_logsOneLineWhenAnOutageBeginsAndOneWhenItEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, lines := newLog()
		d := NewDisk(DiskOptions{Logger: log})
		for outage := 1; outage <= 2; outage++ {
			a := &ailing{full: true}
			done := make(chan error)
			for range 10 {
				go func() { done <- d.Write(t.Context(), a.write) }()
			}
			time.Sleep(time.Minute)
			if !errors.Is(d.Err(), ErrUnwritable) || a.count() < 500 || a.count() > 700 {
				t.Errorf("%d tries in a minute, %v", a.count(), d.Err())
			}
			if err := d.Write(t.Context(), func() error { return nil }); err != nil || d.Err() == nil {
				t.Errorf("a small write: %v, then %v", err, d.Err())
			}
			if n := strings.Count(lines.String(), "\n"); n != 2*outage-1 {
				t.Errorf("%d lines in outage %d:\n%s", n, outage, lines)
			}
			a.set(false)
			for range 10 {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
			if err := d.Err(); err != nil || strings.Count(lines.String(), "written again") != outage {
				t.Errorf("after outage %d: %v\n%s", outage, err, lines)
			}
		}
	})
}

func TestDisk_aWriteWhoseContextEndsHasALastTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := NewDisk(DiskOptions{})
		ctx, cancel := context.WithCancel(t.Context())
		a := &ailing{full: true}
		done := make(chan error)
		go func() { done <- d.Write(ctx, a.write) }()
		synctest.Wait()
		before := a.count()
		cancel()
		if err := <-done; !errors.Is(err, ErrUnwritable) || a.count() != before+1 {
			t.Errorf("%d tries more, %v", a.count()-before, err)
		}
		if d.Err() == nil {
			t.Error("the outage ended though nothing was written")
		}
		if err := d.Write(ctx, a.write); !errors.Is(err, ErrUnwritable) || a.count() != before+2 {
			t.Errorf("with a context that has ended: %d tries, %v", a.count()-before-1, err)
		}
		a.set(false)
		if err := d.Write(t.Context(), a.write); err != nil || d.Err() != nil {
			t.Errorf("%v, %v", err, d.Err())
		}
	})
}

func TestDisk_oneThatCanBeWrittenWakesTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tick := make(chan time.Time)
		d := NewDisk(DiskOptions{After: func(time.Duration) <-chan time.Time { return tick }})
		a := &ailing{full: true}
		done := make(chan error)
		for range 2 {
			go func() { done <- d.Write(t.Context(), a.write) }()
		}
		synctest.Wait()
		a.set(false)
		tick <- time.Time{} // for one of them
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

func TestDisk_otherErrorsAreReturnedAtOnce(t *testing.T) {
	d, other := NewDisk(DiskOptions{}), errors.New("other")
	if err := d.Write(t.Context(), func() error { return other }); err != other || d.Err() != nil {
		t.Errorf("%v, %v", err, d.Err())
	}
	if err := (*Disk)(nil).Write(t.Context(), func() error { return ErrUnwritable }); err != ErrUnwritable {
		t.Error(err)
	}
}
