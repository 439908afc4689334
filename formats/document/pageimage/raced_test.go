//go:build race

package pageimage

// What follows is also why .ci/run has the tests of this package run without the race detector first: that run makes the machine code
// of PDFium in a tenth of the time, and leaves it to the run with it.
func init() { raced = true }
