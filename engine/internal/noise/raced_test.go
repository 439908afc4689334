//go:build race

package noise

func init() { raced = true }
