//go:build race

package serving

// raced reports that the race detector is on.
const raced = true
