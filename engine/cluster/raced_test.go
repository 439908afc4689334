//go:build race

package cluster

func init() { raced = true }
