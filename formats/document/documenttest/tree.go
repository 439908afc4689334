package documenttest

// node is a node of a tree whose nodes have a distance from each other.
type node struct {
	kind     string
	words    []string
	children []*node
}

func (n *node) size() int {
	all := 1
	for _, c := range n.children {
		all += c.size()
	}
	return all
}

// similarity is 1 less the trees' distance by the size of the larger one: 1 for equal trees, 0 for what has nothing in
// common.
func similarity(a, b *node) float64 {
	return max(0, 1-treeDistance(a, b)/float64(max(a.size(), b.size())))
}

// change is what it costs to make a node another: nothing to 1.
func change(a, b *node) float64 {
	if a.kind != b.kind {
		return 1
	}
	if n := max(len(a.words), len(b.words)); n > 0 {
		return float64(wordDistance(a.words, b.words)) / float64(n)
	}
	return 0
}

// wordDistance is how many words have to be added, removed or changed (Levenshtein).
func wordDistance(a, b []string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		before := row[0]
		row[0] = i + 1
		for j := range b {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// postorder is a tree as Zhang and Shasha (1989) number it: children before their parent.
type postorder struct {
	nodes []*node
	left  []int // the leftmost leaf below each node
	roots []int // the nodes that have a sibling on their left, and the root
}

func numbered(root *node) *postorder {
	p := &postorder{}
	p.add(root)
	seen := map[int]bool{}
	for i := len(p.nodes) - 1; i >= 0; i-- {
		if !seen[p.left[i]] {
			seen[p.left[i]] = true
			p.roots = append([]int{i}, p.roots...)
		}
	}
	return p
}

// add answers the number of the leftmost leaf below n.
func (p *postorder) add(n *node) int {
	left := -1
	for _, c := range n.children {
		if l := p.add(c); left < 0 {
			left = l
		}
	}
	if left < 0 {
		left = len(p.nodes)
	}
	p.nodes, p.left = append(p.nodes, n), append(p.left, left)
	return left
}

// treeDistance is the cost of the cheapest way to make one tree the other, where adding and removing a node cost 1.
func treeDistance(a, b *node) float64 {
	p, q := numbered(a), numbered(b)
	trees := table(len(p.nodes), len(q.nodes))
	for _, i := range p.roots {
		for _, j := range q.roots {
			forests(p, q, i, j, trees)
		}
	}
	return trees[len(p.nodes)-1][len(q.nodes)-1]
}

// forests fills in the distances of the subtrees on the left paths of i and j.
func forests(p, q *postorder, i, j int, trees [][]float64) {
	x, y := p.left[i], q.left[j]
	d := table(i-x+2, j-y+2)
	for m := range d {
		d[m][0] = float64(m)
	}
	for n := range d[0] {
		d[0][n] = float64(n)
	}
	for m := x; m <= i; m++ {
		for n := y; n <= j; n++ {
			u, v := m-x+1, n-y+1
			best := min(d[u-1][v], d[u][v-1]) + 1
			if p.left[m] == x && q.left[n] == y {
				d[u][v] = min(best, d[u-1][v-1]+change(p.nodes[m], q.nodes[n]))
				trees[m][n] = d[u][v]
			} else {
				d[u][v] = min(best, d[p.left[m]-x][q.left[n]-y]+trees[m][n])
			}
		}
	}
}

func table(rows, columns int) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, columns)
	}
	return out
}
