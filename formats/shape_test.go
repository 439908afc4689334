package formats

import (
	"strings"
	"testing"
)

func layoutOf(t *testing.T, body string) string {
	t.Helper()
	d, err := Parse(t.Context(), Source{URL: "https://a.example/", MediaType: "text/html", Body: []byte(body)})
	if err != nil {
		t.Fatal(err)
	}
	shape, err := d.Shape(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return shape
}

func TestDOM_Shape(t *testing.T) {
	page := `<body class="post-12 blog"><header></header><main id=main><article class="card c-9f2"><h1>One</h1><p>A text.</p></article></main>`
	shape := layoutOf(t, page)
	if len(shape) != 32 {
		t.Fatalf("got %q", shape)
	}
	for name, same := range map[string]string{
		"another text":   strings.Replace(page, "<p>A text.</p>", "<p>Another</p><p>and longer</p><ul><li>one</ul>", 1),
		"another number": strings.Replace(page, "post-12", "post-13", 1),
		"more cards":     strings.Replace(page, "</main>", "<article class=card><p>Two</p></article></main>", 1),
	} {
		if layoutOf(t, same) != shape {
			t.Errorf("%s changes the shape", name)
		}
	}
	for name, other := range map[string]string{
		"an aside":      strings.Replace(page, "</main>", "</main><aside></aside>", 1),
		"a place":       strings.Replace(page, "<p>A text.</p>", "<div id=reviews></div>", 1),
		"another class": strings.Replace(page, "card", "teaser", 1),
	} {
		if layoutOf(t, other) == shape {
			t.Errorf("%s leaves the shape", name)
		}
	}
}

func TestDOM_Shape_ofWhatIsNoHTML(t *testing.T) {
	d, err := Parse(t.Context(), Source{URL: "https://a.example/", MediaType: "text/plain", Body: []byte("text")})
	if err != nil {
		t.Fatal(err)
	}
	if shape, err := d.Shape(t.Context()); shape != "" || err != nil {
		t.Errorf("got %q, %v", shape, err)
	}
}
