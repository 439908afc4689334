//go:build race

package tracking

func init() { raced = true }
