//go:build race

package sitemap

func init() { raced = true }
