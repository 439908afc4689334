package tracking

// Same reports whether two markdown texts say the same in the same order: block by
// block, white space folded and tracking parameters of links dropped (the package
// comment has the whole list). Content in another order is not the same. It takes time
// and memory in proportion to the texts.
func Same(previous, current string) bool {
	return previous == current || normal(previous) == normal(current)
}
