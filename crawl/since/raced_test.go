//go:build race

package since

func init() { raced = true }
