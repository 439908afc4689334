//go:build race

package mapping

func init() { raced = true }
