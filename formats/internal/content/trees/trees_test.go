package trees

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

// examplesOf are points of a square: yes above the diagonal, and in a small field below it.
func examplesOf(n int, seed uint64) []Example {
	r := rand.New(rand.NewPCG(seed, 2))
	var list []Example
	for range n {
		x, y, noise := r.Float32(), r.Float32(), r.Float32()
		yes := 0.0
		if y > x || x > 0.8 && y < 0.2 {
			yes = 1
		}
		list = append(list, Example{Features: []float32{x, y, noise}, Yes: yes, Weight: 1})
	}
	return list
}

var names = []string{"x", "y", "noise"}

func TestFit_learnsAndGivesTheSameAgain(t *testing.T) {
	s := Settings{Features: 1}
	m := Fit(names, examplesOf(2000, 1), s)
	right, tests := 0, examplesOf(1000, 2)
	for _, e := range tests {
		if (m.Probability(e.Features) > 0.5) == (e.Yes > 0.5) {
			right++
		}
	}
	if right < 930 {
		t.Errorf("%d of %d points are told right, want 930 or more", right, len(tests))
	}
	if again := Fit(names, examplesOf(2000, 1), s); !reflect.DeepEqual(m, again) {
		t.Error("the same examples gave another model")
	}
}

func TestFit_withoutTwoAnswersItIsSure(t *testing.T) {
	for _, yes := range []float64{0, 1} {
		list := examplesOf(50, 3)
		for i := range list {
			list[i].Yes = yes
		}
		if p := Fit(names, list, Settings{}).Probability(list[0].Features); p < yes-0.01 || p > yes+0.01 {
			t.Errorf("all answers are %v, but it says %v", yes, p)
		}
	}
	if p := Fit(names, nil, Settings{}).Probability([]float32{0, 0, 0}); p < 0 || p > 0.01 {
		t.Errorf("from no examples: %v, want about 0", p)
	}
}

func TestModel_survivesJSON(t *testing.T) {
	m := Fit(names, examplesOf(500, 4), Settings{Trees: 5})
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var again Model
	if err := json.Unmarshal(b, &again); err != nil || !reflect.DeepEqual(*m, again) {
		t.Errorf("%v: got another model from its JSON", err)
	}
	if err := again.Check(); err != nil {
		t.Error(err)
	}
}

func TestCheck_refusesWhatLeadsNowhere(t *testing.T) {
	for name, tree := range map[string]Tree{
		"no nodes":               {},
		"a feature there is not": {{Feature: 3, Left: 1, Right: 2}, {}, {}},
		"a node after the last":  {{Feature: 0, Left: 1, Right: 3}, {}, {}},
		"a circle":               {{Feature: 0, Left: 1, Right: 2}, {Feature: 0, Left: 1, Right: 2}, {}},
	} {
		if err := (&Model{Features: names, Trees: []Tree{tree}}).Check(); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	for _, node := range []string{"[-1,0.5,1,2]", "[0,0.5,1,65536]", "[0,0.5,1.5,2]", "[0,0.5,1]"} {
		if err := json.Unmarshal([]byte(node), new(Node)); err == nil {
			t.Errorf("%s: want an error", node)
		}
	}
}

func FuzzModel(f *testing.F) {
	f.Add([]byte(`{"features":["a"],"bias":0,"trees":[[[0,0.5,1,2],[1],[-1]]]}`))
	f.Add([]byte(`{"features":["a"],"trees":[[[0,0.5,1]]]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var m Model
		if json.Unmarshal(b, &m) != nil || m.Check() != nil {
			return
		}
		if p := m.Probability(make([]float32, len(m.Features))); p < 0 || p > 1 {
			t.Errorf("probability %v", p)
		}
	})
}
