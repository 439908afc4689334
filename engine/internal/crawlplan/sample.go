package crawlplan

import "strings"

const (
	sampleSize = 120 // URLs that the model sees
	maxURL     = 300 // bytes of each
)

// Sample takes some URLs of a list: the first ones, and some from all over the rest.
func Sample(list []string) []string {
	front := min(len(list), sampleSize/2)
	rest := list[front:]
	room := min(sampleSize-front, len(rest))
	var urls []string
	for _, url := range list[:front] {
		urls = append(urls, clip(url))
	}
	for i := range room {
		urls = append(urls, clip(rest[i*len(rest)/room]))
	}
	return urls
}

// clip cuts a URL to its bound, in valid UTF-8.
func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxURL)], "") }
