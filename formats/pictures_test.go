package formats

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// filler makes a text long enough to be the main content.
var filler = strings.Repeat("<p>Four sacks of barley stand in the dry barn, and beside them lies the oldest of the sieves.</p>", 6)

func picturesOf(t *testing.T, body string) ([]Picture, int) {
	t.Helper()
	d, err := Parse(t.Context(), Source{URL: "https://mill.example/a/b", MediaType: "text/html", Body: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	list, more, err := d.Pictures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list, more
}

func TestPictures_haveWhatThePageSaysOfThem(t *testing.T) {
	for name, c := range map[string]struct {
		markup string
		want   Picture
	}{
		"alt":   {`<img src=x.png alt=" Barley  sacks " width=640 height="480px">`, Picture{Alt: "Barley sacks", Width: 640, Height: 480}},
		"label": {`<img src=x.png aria-label=Sacks>`, Picture{Alt: "Sacks"}},
		"title": {`<img src=x.png alt="" title=Sacks width=50%>`, Picture{Title: "Sacks"}},
		"caption": {`<figure><div><img src=x.png alt=""></div><figcaption>The <b>oldest</b> sieve</figcaption></figure>`,
			Picture{Caption: "The oldest sieve"}},
		"heading": {`<img src=x.png>`, Picture{}},
		"poster": {`<video poster=x.png title=Wind src=x.mp4 width=320 height=180></video>`,
			Picture{Title: "Wind", Width: 320, Height: 180}},
		"larger by w": {`<img src=s.png srcset="s.png 100w, x.png 1200w" alt=a width=100 height=50>`,
			Picture{Alt: "a", Width: 1200, Height: 600}},
		"larger by x":    {`<img src=s.png srcset="x.png 2x" alt=a width=100 height=50>`, Picture{Alt: "a", Width: 200, Height: 100}},
		"width only":     {`<img src=s.png srcset="s.png 100w, x.png 1200w" alt=a>`, Picture{Alt: "a", Width: 1200}},
		"absurd":         {`<img src=s.png srcset="x.png 9e99w" alt=a width=99999999999 height=7>`, Picture{Alt: "a"}},
		"later":          {`<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src=x.png alt=a>`, Picture{Alt: "a"}},
		"faded in":       {`<img src=x.png alt=a style="opacity:0">`, Picture{Alt: "a"}},
		"a line beneath": {`<img src=x.png alt=a style="border-width:1px">`, Picture{Alt: "a"}},
	} {
		list, more := picturesOf(t, `<title>T</title><main><h1>The mill</h1>`+filler+c.markup+filler+`</main>`)
		c.want.URL, c.want.Heading = "https://mill.example/a/x.png", "The mill"
		if len(list) != 1 || more != 0 || list[0] != c.want {
			t.Errorf("%s: got %+v and %d more, want %+v", name, list, more, c.want)
		}
	}
}

func TestPictures_leaveOutWhatIsNoPicture(t *testing.T) {
	for name, markup := range map[string]string{
		"data":       `<img src="data:image/png;base64,iVBORw0KGgo=" alt=a>`,
		"script":     `<img src="javascript:x()" alt=a>`,
		"mail":       `<img src="mailto:a@b.example" alt=a>`,
		"no address": `<img alt=a>`,
		"pixel":      `<img src=x.png alt=a width=1 height=1>`,
		"flat":       `<img src=x.png alt=a height=0>`,
		"by style":   `<img src=x.png alt=a style="WIDTH : 1px; height: 1px">`,
		"decoration": `<img src=x.png alt="">`,
		"role":       `<img src=x.png role=presentation>`,
		"hidden":     `<img src=x.png style="display:none">`,
		"too long":   `<img alt=a src="/` + strings.Repeat("x", maxPictureAddress) + `">`,
	} {
		if list, _ := picturesOf(t, `<main><h1>The mill</h1>`+filler+markup+filler+`</main>`); len(list) != 0 {
			t.Errorf("%s: got %+v", name, list)
		}
	}
}

// Pictures of the content come first, then those beside it, which have no heading of their own.
func TestPictures_inTheirOrderEachOnce(t *testing.T) {
	list, _ := picturesOf(t, `<header><nav><a href=/><img src=/logo.png alt=Halm></a></nav></header><main><h1>One</h1>`+filler+
		`<img src=/a.png><h2>Two</h2><img src=/b.png><img src=/a.png alt=late>`+filler+`</main>`)
	got := ""
	for _, p := range list {
		got += fmt.Sprintf("%s %s %s|", p.URL[len("https://mill.example"):], p.Alt, p.Heading)
	}
	if want := "/a.png  One|/b.png  Two|/logo.png Halm |"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// An image of a card has the card's heading, wherever in it that is.
func TestPictures_haveTheHeadingOfWhatTheyArePartOf(t *testing.T) {
	for name, c := range map[string]struct{ markup, want string }{
		"cards": {`<ul><li><a href=/a><img src=/a.png><h3>Fan</h3></a></li>` +
			`<li><a href=/b><img src=/b.png><h3>Sieve</h3></a></li></ul>`, "Fan|Sieve|"},
		"sections": {`<section><h2>Fans</h2><p><img src=/a.png></p></section>` +
			`<section><h2>Sieves</h2><div><img src=/b.png></div></section>`, "Fans|Sieves|"},
		"in a row":    {`<h2>Fans</h2><img src=/a.png><h2>Sieves</h2><img src=/b.png>`, "Fans|Sieves|"},
		"above parts": {`<div><img src=/a.png><h2>Fans</h2><h2>Sieves</h2></div>`, "The mill|"},
		"deep":        {`<h2>Fans</h2>` + strings.Repeat("<div>", 20) + `<img src=/a.png>` + strings.Repeat("</div>", 20), "Fans|"},
		"inside":      {`<h2>Fans <img src=/a.png></h2>`, "Fans|"},
	} {
		list, _ := picturesOf(t, `<main><h1>The mill</h1>`+filler+c.markup+filler+`</main>`)
		got := ""
		for _, p := range list {
			got += p.Heading + "|"
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func TestPictures_areBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxPictures + 7 {
		alt, caption := strings.Repeat("ä ", 900), strings.Repeat("ö", 900)
		fmt.Fprintf(&b, "<figure><img src=/%d.png alt='%s'><figcaption>%s</figcaption></figure>", i, alt, caption)
	}
	list, more := picturesOf(t, "<main><h1>"+strings.Repeat("ü", 900)+"</h1>"+filler+b.String()+"</main>")
	if len(list) != maxPictures || more != 7 {
		t.Fatalf("got %d and %d more", len(list), more)
	}
	for _, text := range []string{list[0].Alt, list[0].Caption, list[0].Heading} {
		if len(text) > maxPictureText || len(text) < maxPictureText-2 || !utf8.ValidString(text) {
			t.Errorf("%d bytes: %q", len(text), text)
		}
	}
}

func TestPictures_endWithTheirContext(t *testing.T) {
	body := []byte(strings.Repeat("<p><img src=/x.png alt=a>", 1000))
	d, err := Parse(t.Context(), Source{URL: "https://mill.example/", MediaType: "text/html", Body: body})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := d.Pictures(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestIsArticle(t *testing.T) {
	const card = `<li class=card><a href=/p><img src=/p.png><h3>Sieve</h3></a><p>A short line on the sieve.</p></li>`
	for name, c := range map[string]struct {
		body string
		want bool
	}{
		"by structure": {`<main><h1>The mill</h1>` + filler + `</main>`, true},
		"short, by JSON-LD": {`<script type="application/ld+json">{"@type":"NewsArticle"}</script><main><h1>Wind</h1><p>It blows.</p></main>`,
			true},
		"short, by og:type": {`<meta property=og:type content=article><main><h1>Wind</h1><p>It blows.</p></main>`, true},
		"short, unsaid":     {`<main><h1>Wind</h1><p>It blows.</p></main>`, false},
		"a list": {`<meta property=og:type content=article><main><h1>Sieves</h1><ul>` +
			strings.Repeat(card, 12) + `</ul></main>`, false},
		"for sale": {`<meta property=og:type content=article><script type="application/ld+json">{"@type":"Product"}</script>` +
			`<main><h1>Sieve</h1><p>Round.</p></main>`, false},
		"a forum": {`<meta property=og:type content=article><script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script>` +
			`<main><h1>Sieve?</h1><p>Which?</p></main>`, false},
	} {
		d, err := Parse(t.Context(), Source{URL: "https://mill.example/", MediaType: "text/html", Body: []byte(c.body)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.IsArticle(t.Context()); got != c.want || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	d, err := Parse(t.Context(), Source{URL: "https://mill.example/", MediaType: "text/plain", Body: []byte(filler)})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := d.IsArticle(t.Context()); got || err != nil {
		t.Errorf("plain text: %v, %v", got, err)
	}
	if list, _, err := d.Pictures(t.Context()); list != nil || err != nil {
		t.Errorf("plain text: %v, %v", list, err)
	}
}

// Whatever a page says, its pictures are few, short and have web addresses.
func FuzzPictures(f *testing.F) {
	for _, seed := range []string{
		`<h1>a<img src=x srcset="a 1w, b 99999999999999w,,c 1e308x" width=-1 height=9e9 alt="\xff">`,
		`<figure><figure><img src="//[::1]:99999/" title=a><figcaption><figcaption>b</figure>`,
		`<base href="data:text/plain,x"><img src=x alt=a><video poster="http://" title=b>`,
		`<h1><h2><h3><img data-src="a b" alt=c style=";;:;width:1px">`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		list, more := picturesOf(t, body)
		if len(list) > maxPictures || more > 0 && len(list) < maxPictures {
			t.Fatalf("%d and %d more", len(list), more)
		}
		for _, p := range list {
			if !isWeb(p.URL) || p.Alt+p.Title+p.Caption+p.Heading == "" || p.Width < 0 || p.Width > 1<<20 || p.Height < 0 || p.Height > 1<<20 {
				t.Errorf("got %+v", p)
			}
			for _, text := range []string{p.Alt, p.Title, p.Caption, p.Heading} {
				if len(text) > maxPictureText || !utf8.ValidString(text) {
					t.Errorf("text %q", text)
				}
			}
		}
	})
}
