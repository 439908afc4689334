//go:build race

package sites

func init() { raced = true }
