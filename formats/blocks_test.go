package formats

import (
	"slices"
	"testing"
)

func TestDOM_Blocks(t *testing.T) {
	dom := mustParse(t, `<html><head><title>The  mill</title><style>p{}</style></head><body><nav><a href=/>Home</a> <a href=/b>Back</a></nav>
		<h1>A <b>mill</b></h1><p>It grinds<br>every day.<script>x</script></p><img src=mill.png><img src="data:image/png;base64,xx">
		<table><tr><td>One<td>Two</table>The end`, "text/html")
	got, err := dom.Blocks(t.Context())
	want := []Block{{Text: "The mill"}, {Text: "Home Back"}, {Text: "A mill"}, {Text: "It grinds"}, {Text: "every day."}, {"mill.png", true}, {Text: "One"}, {Text: "TwoThe end"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}
