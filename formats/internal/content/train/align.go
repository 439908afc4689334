package main

// rightShares gives for each block the share of its words that are of the reference: those of the best alignment of both in order, and
// of another one of what that leaves, for what stands elsewhere in the reference.
func rightShares(blocks [][]string, reference []string) []float64 {
	ids := make(map[string]int32)
	a, owner := []int32{}, []int32{}
	for k, words := range blocks {
		a = append(a, numbers(words, ids)...)
		for range words {
			owner = append(owner, int32(k))
		}
	}
	b := numbers(reference, ids)
	right := make([]float64, len(blocks))
	for _, least := range []int{1, 3} {
		pairs := align(a, b, least)
		var restA, restOwner, restB []int32
		inA, inB := make([]bool, len(a)), make([]bool, len(b))
		for _, pair := range pairs {
			inA[pair[0]], inB[pair[1]] = true, true
		}
		for i := range a {
			if inA[i] {
				right[owner[i]]++
			} else {
				restA, restOwner = append(restA, a[i]), append(restOwner, owner[i])
			}
		}
		for j := range b {
			if !inB[j] {
				restB = append(restB, b[j])
			}
		}
		a, owner, b = restA, restOwner, restB
	}
	for k := range right {
		right[k] /= float64(max(len(blocks[k]), 1))
	}
	return right
}

// numbers gives each word its number, new ones the next.
func numbers(words []string, ids map[string]int32) []int32 {
	var list []int32
	for _, w := range words {
		n, known := ids[w]
		if !known {
			n = int32(len(ids))
			ids[w] = n
		}
		list = append(list, n)
	}
	return list
}

// Points of an alignment.
const (
	pointsMatch  = 1
	pointsFollow = 2 // more for a match right after another one
)

// Steps of an alignment, as the table of ways holds them.
const (
	skipA = 1 + iota
	skipB
	takeBoth
	following = 4 // added to takeBoth when the match goes on from the one before
)

// maxCells bounds the table of one alignment, in bytes.
const maxCells = 600_000_000

// align pairs equal numbers of a and b, in order, for the most points. Runs of fewer than least pairs are left out.
func align(a, b []int32, least int) [][2]int {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > maxCells {
		return nil
	}
	ways := waysOf(a, b)
	var pairs, run [][2]int
	i, j, on := len(a)-1, len(b)-1, false
	for i >= 0 && j >= 0 {
		way := ways[i*len(b)+j]
		switch {
		case on || way&3 == takeBoth:
			run = append(run, [2]int{i, j})
			if on = way&following != 0; !on {
				if len(run) >= least {
					pairs = append(pairs, run...)
				}
				run = nil
			}
			i, j = i-1, j-1
		case way&3 == skipA:
			i--
		default:
			j--
		}
	}
	if len(run) >= least {
		pairs = append(pairs, run...)
	}
	return pairs
}

// waysOf fills the table: for each pair of ends the best last step.
func waysOf(a, b []int32) []uint8 {
	const none = -1 << 30
	ways := make([]uint8, len(a)*len(b))
	best, runs := make([]int32, len(b)+1), make([]int32, len(b)+1) // of the row above; runs are those that end with a match
	for j := range runs {
		runs[j] = none
	}
	for i := range a {
		diagonal, diagonalRun := int32(0), int32(none)
		for j := range b {
			above, aboveRun := best[j+1], runs[j+1]
			run, way := int32(none), uint8(0)
			if a[i] == b[j] {
				run = diagonal + pointsMatch
				if on := diagonalRun + pointsMatch + pointsFollow; on >= run {
					run, way = on, following
				}
			}
			top, step := above, uint8(skipA)
			if best[j] > top {
				top, step = best[j], skipB
			}
			if run >= top {
				top, step = run, takeBoth
			}
			diagonal, diagonalRun = above, aboveRun
			best[j+1], runs[j+1] = top, run
			ways[i*len(b)+j] = step | way
		}
	}
	return ways
}
