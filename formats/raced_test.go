//go:build race

package formats

func init() { raced = true }
