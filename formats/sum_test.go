package formats

import "testing"

func TestSum_isOfWhatAReaderSees(t *testing.T) {
	sum := func(body string) string {
		t.Helper()
		d, err := Parse(t.Context(), Source{URL: "https://a.example/", Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Render(t.Context(), Options{}); err != nil {
			t.Fatal(err)
		}
		got, err := d.Sum(t.Context())
		if err != nil || got == "" {
			t.Fatalf("got %q, %v", got, err)
		}
		return got
	}
	const page = `<title>One</title><p>Text of <a href="/a?sid=1">a link</a> <img src="/i.png?sid=1"><script>var sid = 1</script>`
	for body, want := range map[string]bool{
		`<title>One</title><p class="x">Text of <a href="/a?sid=2">a link</a>  <img src="/i.png?sid=2"><script>var sid = 2</script><!-- 2 -->`: true,
		`<title>Two</title><p>Text of <a href="/a?sid=1">a link</a> <img src="/i.png?sid=1">`:                                                  false,
		`<title>One</title><p>Text of <a href="/a?sid=1">the link</a> <img src="/i.png?sid=1">`:                                                false,
		`<title>One</title><p>Text of <a href="/a?sid=1">a link</a> <img src="/j.png?sid=1">`:                                                  false,
	} {
		if got := sum(body) == sum(page); got != want {
			t.Errorf("%s is the same: %t", body, got)
		}
	}
}
