package sample

import (
	"strings"
	"unicode"
)

// Score compares two texts as bags of their Tokens: how much of pred is in ref, how much of ref is in pred, and the harmonic mean of
// the two, each from 0 to 1. Two texts without words agree; one without words and one with some have nothing in common.
func Score(pred, ref string) (precision, recall, f1 float64) {
	got, want := Tokens(pred), Tokens(ref)
	if len(got) == 0 && len(want) == 0 {
		return 1, 1, 1
	}
	both := common(got, want)
	if both == 0 {
		return 0, 0, 0
	}
	precision, recall = float64(both)/float64(len(got)), float64(both)/float64(len(want))
	return precision, recall, 2 * precision * recall / (precision + recall)
}

// common counts the tokens that both have, each as often as it is in both.
func common(got, want []string) (n int) {
	left := make(map[string]int, len(want))
	for _, t := range want {
		left[t]++
	}
	for _, t := range got {
		if left[t] > 0 {
			left[t]--
			n++
		}
	}
	return n
}

// Tokens gives the words of s in lower case: runs of letters, numbers and underscores, in any script.
func Tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
}
