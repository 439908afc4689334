package formats

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func visibleText(t testing.TB, page string) string {
	t.Helper()
	dom, err := Parse(context.Background(), Source{URL: "https://a.example/", MediaType: "text/html", Body: []byte(page)})
	if err != nil {
		t.Fatal(err)
	}
	out, err := dom.Render(context.Background(), Options{Formats: []Type{Markdown}, OnlyVisible: true})
	if err != nil {
		t.Fatal(err)
	}
	if text := ask(t, dom.VisibleText); text == "" || strings.Contains(text, "obey") && !strings.Contains(out.Markdown, "obey") {
		t.Errorf("the text is %q, the markdown %q", text, out.Markdown)
	}
	return out.Markdown
}

func TestOnlyVisible_leavesOutWhatReadersDontSee(t *testing.T) {
	const shown = "<p>Bees collect nectar from the flowers in the meadow behind the old house.</p>"
	for _, tt := range []struct {
		name, head, secret string
		hidden             bool
	}{
		{"hidden attribute", "", `<p hidden>obey</p>`, true},
		{"closed dialog", "", `<dialog>obey</dialog>`, true},
		{"open dialog", "", `<dialog open>obey</dialog>`, false},
		{"display", "", `<div style="Display : NONE"><p>obey</p></div>`, true},
		{"visibility", "", `<p style="visibility:hidden !important">obey</p>`, true},
		{"opacity", "", `<p style="opacity:0">obey</p>`, true},
		{"fading in", "", `<p style="opacity:0;transform:translateY(20px)">obey</p>`, false},
		{"tiny", "", `<span style="font-size:0">obey</span>`, true},
		{"one pixel", "", `<span style="font-size: 1px">obey</span>`, true},
		{"small print", "", `<span style="font-size: 9px">obey</span>`, false},
		{"white on white", "", `<span style="color:#fff;background:white">obey</span>`, true},
		{"white on black", "", `<span style="color:#fff;background:black">obey</span>`, false},
		{"transparent", "", `<span style="color: rgba(0, 0, 0, 0)">obey</span>`, true},
		{"outside", "", `<p style="position:absolute; left:-9999px">obey</p>`, true},
		{"indent", "", `<p style="text-indent:-9999px">obey</p>`, true},
		{"clipped", "", `<p style="position:absolute;clip:rect(0, 0, 0, 0)">obey</p>`, true},
		{"no height", "", `<p style="height:0;overflow:hidden">obey</p>`, true},
		{"for screen readers", "", `<span class="x sr-only">obey</span>`, true},
		{"style element", `<style>.s{display:none}</style>`, `<p class="s">obey</p>`, true},
		{"shown again by a later rule", `<style>.s{display:none}.s{display:block}</style>`, `<p class="s">obey</p>`, false},
		{"shown again by a more specific rule", `<style>p.s{display:block}.s{display:none}</style>`, `<p class="s">obey</p>`, false},
		{"important wins", `<style>.s{display:none!important}p.s{display:block}</style>`, `<p class="s">obey</p>`, true},
		{"shown by its own style", `<style>.s{display:none}</style>`, `<p class="s" style="display:block">obey</p>`, false},
		{"for print only", `<style>@media print{.s{display:none}}</style>`, `<p class="s">obey</p>`, false},
		{"on every screen", `<style>/* .s{} */@media screen{@supports (display:grid){.s{display:none}}}</style>`, `<p class="s">obey</p>`, true},
		{"a style element for print", `<style media="print">.s{display:none}</style>`, `<p class="s">obey</p>`, false},
		{"a page that is hidden until its scripts ran", `<style>body{opacity:0}</style>`, `<p>obey</p>`, false},
		{"plain", "", `<p>obey</p>`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := visibleText(t, "<html><head>"+tt.head+"</head><body>"+shown+tt.secret+"</body></html>")
			if strings.Contains(got, "obey") == tt.hidden {
				t.Errorf("hidden = %v, want %v: %q", !tt.hidden, tt.hidden, got)
			}
			if !strings.Contains(got, "Bees collect") {
				t.Errorf("lost what is shown: %q", got)
			}
		})
	}
}

func TestOnlyVisible_keepsPagesThatFadeEverythingIn(t *testing.T) {
	page := `<style>section{opacity:0}</style><p>Hello</p>` + strings.Repeat(`<section><p>Bees collect nectar in the meadow.</p></section>`, 10) + `<p style="display:none">obey</p>`
	got := visibleText(t, page)
	if !strings.Contains(got, "Bees collect") || strings.Contains(got, "obey") {
		t.Errorf("got %q", got)
	}
}

func FuzzOnlyVisible(f *testing.F) {
	f.Add(".a{display:none}@media all{b{opacity:0}", "display:none")
	f.Add("/*", "color:#fff;background:#fff")
	f.Add("@layer{@layer{@layer{@layer{@layer{@layer{a{}}", ":;:")
	f.Fuzz(func(t *testing.T, css, inline string) {
		visibleText(t, "<style>"+css+`</style><p class="a" style="`+inline+`">a</p><b>b</b>`)
	})
}

func TestDOM_Blocks(t *testing.T) {
	dom := mustParse(t, `<html><head><title>The  mill</title><style>p{}</style></head><body><nav><a href=/>Home</a> <a href=/b>Back</a></nav>
		<h1>A <b>mill</b></h1><p>It grinds<br>every day.<script>x</script></p><img src=mill.png><img src="data:image/png;base64,xx">
		<table><tr><td>One<td>Two</table>The end
		<p><i><p>of</p><script>x</script></i><!-- it -->all<span>, <script>x</script></span>really`, "text/html")
	got, err := dom.Blocks(t.Context())
	want := []Block{{Text: "The mill"}, {Text: "Home Back"}, {Text: "A mill"}, {Text: "It grinds"}, {Text: "every day."}, {"mill.png", true}, {Text: "One"}, {Text: "Two"}, {Text: "The end"},
		{Text: "of"}, {Text: "all, really"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
