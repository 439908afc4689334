package ending

import "testing"

func TestRounds_Over(t *testing.T) {
	idle := Report{Accepted: 7, Idle: true, Taken: 3}
	for name, c := range map[string]struct {
		change func(*Rounds)
		over   bool
	}{
		"idle twice":              {func(*Rounds) {}, true},
		"at first busy":           {func(r *Rounds) { r.First[2] = Report{Accepted: 7, Taken: 3} }, false},
		"then busy":               {func(r *Rounds) { r.Second[2] = Report{Accepted: 7, Taken: 3} }, false},
		"busy in between":         {func(r *Rounds) { r.Second[2] = Report{Accepted: 8, Idle: true, Taken: 3} }, false},
		"a link on its way":       {func(r *Rounds) { r.Inboxes[2] = 4 }, false},
		"a link came later":       {func(r *Rounds) { r.Second[2] = Report{Accepted: 7, Idle: true, Taken: 4} }, true},
		"a shard came meanwhile":  {func(r *Rounds) { r.Shards = append(r.Shards, 3) }, false},
		"a shard did not report":  {func(r *Rounds) { delete(r.Second, 1) }, false},
		"an inbox was not looked": {func(r *Rounds) { delete(r.Inboxes, 1) }, false},
	} {
		r := Rounds{
			Shards: []int{1, 2}, First: map[int]Report{1: idle, 2: idle}, Inboxes: map[int]uint64{1: 3, 2: 3},
			Second: map[int]Report{1: idle, 2: idle},
		}
		c.change(&r)
		if over, because := r.Over(); over != c.over || over == (because >= 0) {
			t.Errorf("%s: %t because of %d", name, over, because)
		}
	}
}
