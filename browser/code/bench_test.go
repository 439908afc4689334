package code

import (
	"testing"
)

// BenchmarkRun is a round trip to the page and back, through a warm worker.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ language, code string }{
		{Node, `await page.title()`}, {Python, `page.title()`}, {Bash, `agent-browser get title`},
	} {
		b.Run(c.language, func(b *testing.B) {
			r := calm(b)
			needs(b, c.language)
			run(b, r, c.language, c.code)
			for b.Loop() {
				run(b, r, c.language, c.code)
			}
		})
	}
}

// BenchmarkRun_first is a worker's start and its first call.
func BenchmarkRun_first(b *testing.B) {
	for _, language := range []string{Node, Python, Bash} {
		b.Run(language, func(b *testing.B) {
			o := options(b)
			needs(b, language)
			for b.Loop() {
				r := start(b, o)
				run(b, r, language, "1")
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
