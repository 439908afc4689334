//go:build race

package monitoring_test

func init() { raced = true }
