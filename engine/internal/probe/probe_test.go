package probe

import (
	"errors"
	"testing"
	"time"
)

func TestProbe_triesOnceAPeriod(t *testing.T) {
	now, tries := time.Unix(1, 0), 0
	p := New(time.Second, func() time.Time { return now })
	sick := errors.New("sick")
	for want := 1; want <= 3; want++ {
		for range 3 {
			<-p.Begin(func() error { tries++; return sick }, func() {})
			if p.Err() != sick || tries != want {
				t.Errorf("got %v after %d tries, want %d", p.Err(), tries, want)
			}
		}
		now = now.Add(time.Second)
	}
	now = now.Add(-time.Hour) // a clock that is set back
	<-p.Begin(func() error { return nil }, func() {})
	if p.Err() != nil {
		t.Error(p.Err())
	}
}

func TestProbe_callersAtOneTimeShareATrial(t *testing.T) {
	p := New(time.Second, time.Now)
	let, done := make(chan struct{}), make(chan struct{}, 2)
	first := p.Begin(func() error { <-let; return nil }, func() { done <- struct{}{} })
	second := p.Begin(func() error { t.Error("tried twice"); return nil }, func() { done <- struct{}{} })
	<-done // of the second, which started nothing
	if first != second {
		t.Error("the second caller waits for something else")
	}
	close(let)
	<-first
	<-done
}
