package formats

import "testing"

func TestBlank(t *testing.T) {
	for body, want := range map[string]bool{
		"": true, " \n": true, "<html></html>": true, "<title>Oats</title>": true,
		"<body><div><p> </p></div><script>run()</script><style>p{}</style>": true,
		`<input type=hidden name=x>`:                                        true,
		"<p>Oats":                                                           false, "oats": false, `<img src="/a.png">`: false, "<canvas></canvas>": false, `<iframe src="/a"></iframe>`: false,
		`<a href="/oats"></a>`: false, "<input name=q>": false,
	} {
		dom, err := Parse(t.Context(), Source{URL: "https://farm.example/", MediaType: "text/html", Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := dom.Blank(t.Context()); err != nil || got != want {
			t.Errorf("%q: got %v, want %v", body, got, want)
		}
	}
	for body, want := range map[string]bool{"": true, "\n": true, "oats": false} {
		dom, err := Parse(t.Context(), Source{URL: "https://farm.example/", MediaType: "text/plain", Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := dom.Blank(t.Context()); err != nil || got != want {
			t.Errorf("text %q: got %v, want %v", body, got, want)
		}
	}
}
