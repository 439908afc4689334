//go:build race

package local

func init() { raced = true }
