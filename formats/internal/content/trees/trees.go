// Package trees fits and evaluates boosted decision trees for a yes-or-no question.
// Fit learns them from examples, Model answers. The same examples in the same order give the same model, bit by
// bit.
//
// The method is gradient boosting with the logistic loss and histograms, as Friedman (2001) and LightGBM describe it.
package trees

import (
	"encoding/json"
	"fmt"
	"math"
)

// Model is what Fit has learnt. It may be used by several goroutines at once. The zero value answers 0.5 to everything.
type Model struct {
	Features []string `json:"features"` // names of its inputs, in their order
	Bias     float64  `json:"bias"`     // log odds before the first tree
	Trees    []Tree   `json:"trees"`
}

// Tree is its nodes, the root first; children come after their parent.
type Tree []Node

// Node asks whether one feature is at most a bound, or gives log odds to add when it has no children.
type Node struct {
	Feature uint16
	Left    uint16 // index of the node for values up to the bound; 0 for none
	Right   uint16
	Bound   float32
	Value   float32
}

// MarshalJSON writes a node as an array, [value] or [feature, bound, left, right]: most of a model's bytes are nodes.
func (n Node) MarshalJSON() ([]byte, error) {
	if n.Left == 0 {
		return json.Marshal([]float32{n.Value})
	}
	return json.Marshal([]any{n.Feature, n.Bound, n.Left, n.Right})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Node) UnmarshalJSON(b []byte) error {
	var a []float64
	if err := json.Unmarshal(b, &a); err != nil {
		return err
	}
	switch len(a) {
	case 1:
		*n = Node{Value: float32(a[0])}
	case 4:
		for _, v := range []float64{a[0], a[2], a[3]} {
			if v != float64(uint16(v)) {
				return fmt.Errorf("trees: %v is no feature or node", v)
			}
		}
		*n = Node{Feature: uint16(a[0]), Bound: float32(a[1]), Left: uint16(a[2]), Right: uint16(a[3])}
	default:
		return fmt.Errorf("trees: a node of %d numbers, want 1 or 4", len(a))
	}
	return nil
}

// Check reports whether every node refers to a feature that exists and to nodes after it. A model from a file has to be checked.
func (m *Model) Check() error {
	for t, tree := range m.Trees {
		if len(tree) == 0 {
			return fmt.Errorf("trees: tree %d has no nodes", t)
		}
		for i, n := range tree {
			left, right := int(n.Left), int(n.Right)
			if left != 0 && (int(n.Feature) >= len(m.Features) || left <= i || right <= i || left >= len(tree) || right >= len(tree)) {
				return fmt.Errorf("trees: node %d of tree %d leads nowhere", i, t)
			}
		}
	}
	return nil
}

// Probability is the learnt share of examples like this one whose answer was yes. x has a value for each of Features.
func (m *Model) Probability(x []float32) float64 { return logistic(m.logOdds(x)) }

func (m *Model) logOdds(x []float32) float64 {
	sum := m.Bias
	for _, t := range m.Trees {
		sum += float64(t.value(x))
	}
	return sum
}

func (t Tree) value(x []float32) float32 {
	n := &t[0]
	for n.Left != 0 {
		next := n.Right
		if left := n.Left; x[n.Feature] <= n.Bound { // which way is seldom foreseen: no branch is made of it
			next = left
		}
		n = &t[next]
	}
	return n.Value
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
