package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats"
)

// newsPage is a page of 60 kB as sites of news have them: articles, trackers, some code of its own.
func newsPage() string {
	var b strings.Builder
	b.WriteString(`<html><head><title>News</title><link rel=stylesheet href=/a.css><script>window.dataLayer=window.dataLayer||[];dataLayer.push({page:"home"})</script></head><body><nav><ul>`)
	for i := range 60 {
		fmt.Fprintf(&b, `<li class="menu-item item-%d"><a href="/section/%d">Section %d</a></li>`, i, i, i)
	}
	b.WriteString(`</ul></nav><main>`)
	for i := range 60 {
		fmt.Fprintf(&b, `<article class="teaser teaser-%d"><header><h2><a href="/story/%d">Story %d of the day</a></h2></header><div class=body><p>%s</p>
			<div class="share"></div><span class="icon"></span></div></article>`, i, i, i, strings.Repeat("Barley is a cereal grain that people grow. ", 12))
	}
	b.WriteString(`</main><div id=stock></div><footer><p>Imprint</p></footer>`)
	for i := range 12 {
		fmt.Fprintf(&b, `<script>(function(w,d){var s=d.createElement("script");s.async=1;s.src="https://t%d.example/x.js";d.head.appendChild(s);d.querySelector(".menu-item").addEventListener("click",function(){w.go(%d)})})(window,document)</script>`, i, i)
	}
	return b.String() + `<script src=/app.js></script></body></html>`
}

// Judging a page, beside parsing it and reading its main text.
func BenchmarkJudge(b *testing.B) {
	page := newsPage()
	parse := func() *formats.DOM {
		d, err := formats.Parse(b.Context(), formats.Source{URL: site + "/page", MediaType: "text/html", Body: []byte(page)})
		if err != nil {
			b.Fatal(err)
		}
		return d
	}
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			parse()
		}
	})
	b.Run("parse and main text", func(b *testing.B) {
		for b.Loop() {
			if _, err := parse().MainText(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	l := library()
	b.Run("parse, main text and judge", func(b *testing.B) {
		for b.Loop() {
			d := parse()
			if _, err := d.MainText(b.Context()); err != nil {
				b.Fatal(err)
			}
			e, from, err := Look(b.Context(), d, site+"/page", 200)
			if err == nil {
				err = l.Inline(b.Context(), from, &e)
			}
			if err != nil {
				b.Fatal(err)
			}
			Judge(e)
		}
	})
}
