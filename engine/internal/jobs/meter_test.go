package jobs

import (
	"encoding/json"
	"math"
	"testing"
	"time"
)

func TestMeter_rateAndTimeLeft(t *testing.T) {
	c := newClock()
	m := NewMeter(c.Now)
	check := func(name string, queued int, rate float64, left time.Duration) {
		t.Helper()
		got := m.Progress(Progress{Done: 1, Queued: queued, Active: 2})
		if math.Abs(got.Rate-rate) > 1e-9 || got.Left != left || got.Done != 1 {
			t.Errorf("%s: got %v/s, %v left; want %v/s, %v", name, got.Rate, got.Left, rate, left)
		}
	}
	check("nothing yet", 10, 0, -1)
	m.Note(1)
	check("the first page, at once", 10, 1, 12*time.Second)
	for range 9 {
		c.Advance(time.Second)
		m.Note(2)
	}
	c.Advance(time.Second)
	check("ten seconds", 17, 1.9, 10*time.Second)
	for range 120 {
		m.Note(4)
		c.Advance(time.Second)
	}
	check("only the last minute counts", 234, 59*4./60, time.Minute)
	c.Advance(50 * time.Second)
	check("it slows down", 7, 9*4./60, 15*time.Second)
	c.Advance(time.Hour)
	check("stands still", 10, 0, -1)
	c.Advance(-2 * time.Hour)
	check("the clock was set back", 10, 0, -1)
	m.Note(0)
	m.Note(-1)
	check("no pages", 10, 0, -1)
	if got := m.Progress(Progress{}); got.Left != 0 {
		t.Errorf("nothing left: %v", got.Left)
	}
	c.Advance(2*time.Hour + time.Minute)
	m.Note(1)
	if got := m.Progress(Progress{Queued: math.MaxInt}); got.Left != math.MaxInt64 {
		t.Errorf("longer than a Duration: %v", got.Left)
	}
	if NewMeter(nil).Progress(Progress{Queued: 1}).Left != -1 {
		t.Error("a meter without a clock doesn't work")
	}
}

func TestProgress_json(t *testing.T) {
	for _, c := range []struct {
		progress Progress
		want     string
	}{
		{Progress{1, 2, 30, 20, 7, 1.23456, 1500 * time.Millisecond}, `{"done":1,"failed":2,"known":30,"queued":20,"active":7,"rate":1.235,"leftMs":1500}`},
		{Progress{Left: -1}, `{"done":0,"failed":0,"known":0,"queued":0,"active":0,"rate":0}`},
		{Progress{}, `{"done":0,"failed":0,"known":0,"queued":0,"active":0,"rate":0,"leftMs":0}`},
		{Progress{Left: math.MaxInt64}, `{"done":0,"failed":0,"known":0,"queued":0,"active":0,"rate":0,"leftMs":9223372036854}`},
	} {
		got, err := json.Marshal(c.progress)
		if err != nil || string(got) != c.want {
			t.Errorf("got %s, %v; want %s", got, err, c.want)
		}
		var back Progress
		if err := json.Unmarshal(got, &back); err != nil {
			t.Error(err)
		}
		if again, _ := json.Marshal(back); string(again) != c.want {
			t.Errorf("came back as %+v", back)
		}
	}
	var p Progress
	if err := json.Unmarshal([]byte(`{"leftMs":9223372036854775807}`), &p); err != nil || p.Left < 0 {
		t.Errorf("got %v, %v", p.Left, err)
	}
	if json.Unmarshal([]byte(`[]`), &p) == nil {
		t.Error("an array was accepted")
	}
}
