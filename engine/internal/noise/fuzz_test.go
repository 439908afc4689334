package noise

import (
	"encoding/json"
	"testing"
	"time"
)

func FuzzCompare(f *testing.F) {
	f.Add("# A\n\n2 views · 3 days ago\n\n- [a](/x?sid=1)\n- b", "# A\n\n3 views · yesterday\n\n- b\n- [a](/x?sid=2)", int64(0))
	f.Add("Advertisement\n\n[x](https://a.example/1)", "| a | 1 |\n|---|---|\n| b | 2:30 |", int64(86_400))
	f.Add("\x01relative\x02", "26 November 2026, 12:00", int64(1_795_694_400))
	f.Add("Ends in 2d 03:04:05 · © 2025 · ab12cd34ef56 ?t=1", "Ends in 99999999999999999999d 03:04 · 昨日 3日前", int64(-1))
	f.Fuzz(func(t *testing.T, before, after string, at int64) {
		from := Version{before, time.Unix(at%(1<<40), 0).UTC()}
		to := Version{after, from.Seen.Add(day)}
		if r := Compare(from, Version{before, to.Seen}, nil); r.Changed || len(r.Passed) > 0 {
			t.Errorf("%q differs from itself: %+v", before, r)
		}
		l := New()
		for range 3 {
			l.Observe(from, to)
			l.Observe(to, from)
		}
		r := Compare(from, to, nil)
		if r.Changed != (len(r.Blocks) > 0) {
			t.Errorf("%+v", r)
		}
		if len(r.Blocks)+len(r.Passed) > 0 && before == after {
			t.Errorf("%+v", r)
		}
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load(data); err != nil {
			t.Fatal(err)
		}
	})
}

func FuzzLoad(f *testing.F) {
	data, err := json.Marshal(simulated(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"version":1,"slots":{"learnt/1":{"class":"number","varied":-3,"present":9223372036854775807,"left":[1,2]}},"takenBack":["learnt/1"],"accepted":{"learnt/2":"a"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Load(data)
		if err != nil {
			return
		}
		if len(l.slots) > maxSlots || len(l.off) > maxOff || len(l.accepted) > maxAccepted {
			t.Error("not bounded")
		}
		first, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Load(first)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := json.Marshal(again); err != nil || string(second) != string(first) {
			t.Errorf("%v: got %s, want %s", err, second, first)
		}
		l.List()
		l.Observe(seen(0, "Jobs in the queue 1 · 2 views"), seen(1, "Jobs in the queue 2 · 3 views"))
	})
}
