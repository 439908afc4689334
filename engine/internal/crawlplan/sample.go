package crawlplan

import "github.com/winnow-go/winnow/engine/internal/clip"

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
		urls = append(urls, clip.Bytes(url, maxURL))
	}
	for i := range room {
		urls = append(urls, clip.Bytes(rest[i*len(rest)/room], maxURL))
	}
	return urls
}
