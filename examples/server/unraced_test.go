//go:build !race

package main

// raced reports that the race detector is on.
const raced = false
