//go:build race

package mcp

func init() { raced = true }
