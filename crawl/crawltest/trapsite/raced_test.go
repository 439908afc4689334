//go:build race

package trapsite

func init() { raced = true }
