package formats

import (
	"fmt"
	"testing"
)

func TestFrames(t *testing.T) {
	for body, want := range map[string]string{
		`<iframe src=/a></iframe>`:                                                                                        "[{http://a.example/a http://a.example/a 0 false false}]",
		`<main><iframe src=a?b#c id=x></iframe></main>`:                                                                   "[{http://a.example/a?b#c http://a.example/a?b#c 0 true false}]",
		`<frameset><frame src=/a><frame src=/b></frameset>`:                                                               "[{http://a.example/a http://a.example/a 0 false true} {http://a.example/b http://a.example/b 0 false true}]",
		`<iframe srcdoc="<p>two words<script>not these</script>" id=x></iframe>`:                                          "[{#x  2 false false}]",
		`<iframe srcdoc="<p>two words" src=/a></iframe>`:                                                                  "[{iframe  2 false false}]",
		`<object data=/a type=text/html></object><object data=/a.bin type=application/x-shockwave-flash></object>`:        "[{http://a.example/a http://a.example/a 0 false false}]",
		`<div data-original-tag=iframe data-src="http://a.example/a"></div>`:                                              "[{http://a.example/a http://a.example/a 0 false false}]",
		`<div data-original-tag=iframe data-src="http://a.example/a"><p>text</p></div>`:                                   "[]",
		`<div data-original-tag=iframe data-src="http://a.example/a"><img></div>`:                                         "[]",
		`<iframe></iframe><iframe src=about:blank></iframe><iframe src="javascript:x"></iframe>`:                          "[]",
		`<iframe src=/a width=1></iframe><iframe src=/a height=0></iframe><iframe src=/a style="width: 10px"></iframe>`:   "[]",
		`<iframe src=/a width=100% height=400></iframe>`:                                                                  "[{http://a.example/a http://a.example/a 0 false false}]",
		`<iframe src=/a hidden></iframe><iframe src=/a style="display:none"></iframe><nav><iframe src=/a></iframe></nav>`: "[]",
		`<iframe src=/a.pdf></iframe><iframe src=/a.mp4?b></iframe><template><iframe src=/a></iframe></template>`:         "[]",
		`<div class="ad-slot"><iframe src=/a></iframe></div>`:                                                             "[]",
	} {
		d, err := Parse(t.Context(), Source{URL: "http://a.example/page", MediaType: "text/html", Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := d.Frames(t.Context())
		if fmt.Sprint(got) != want || err != nil {
			t.Errorf("%s:\n got %v, %v\nwant %s", body, got, err, want)
		}
	}
}
