//go:build race

package main

// raced tells that the race detector watches.
const raced = true
