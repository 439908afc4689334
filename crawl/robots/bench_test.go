package robots

import (
	"strings"
	"testing"
)

func BenchmarkParse(b *testing.B) {
	for name, body := range hostile() {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			b.ReportAllocs()
			text := []byte(body)
			for b.Loop() {
				Parse(text)
			}
		})
	}
}

// BenchmarkAllowed asks hostile files about an everyday URL and about one of full length.
func BenchmarkAllowed(b *testing.B) {
	urls := map[string]string{
		"everyday": "https://example.com/products/list?page=2&sort=price",
		"longest":  "https://example.com/" + strings.Repeat("a", 16<<10-30),
	}
	for name, body := range hostile() {
		f := Parse([]byte(body))
		for kind, url := range urls {
			b.Run(strings.ReplaceAll(name, " ", "-")+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f.Allowed(agent, url)
				}
			})
		}
	}
}

// BenchmarkAllowed_ordinary is a file as most are.
func BenchmarkAllowed_ordinary(b *testing.B) {
	var rules strings.Builder
	rules.WriteString("User-agent: *\n")
	for _, dir := range strings.Fields("admin login cart checkout search tmp private api internal preview *.pdf$ *?sort= *?session= wp-admin feed") {
		rules.WriteString("Disallow: /" + dir + "\n")
	}
	f := Parse([]byte(rules.String()))
	b.ReportAllocs()
	for b.Loop() {
		f.Allowed(agent, "https://example.com/products/list?page=2&sort=price")
	}
}
