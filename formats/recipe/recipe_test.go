package recipe

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func parse(t testing.TB, body string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Skip("the parser refuses this page")
	}
	return root
}

func absolute(ref string) string { return "https://example.com" + ref }

func applyTo(t testing.TB, body, rules, schema string) (string, Report) {
	t.Helper()
	r, err := Decode(json.RawMessage(`{"rules":` + rules + `}`))
	if err != nil {
		t.Fatal(err)
	}
	data, report, err := Apply(context.Background(), Page{Root: parse(t, body), Absolute: absolute}, r, json.RawMessage(schema))
	if err != nil {
		t.Fatal(err)
	}
	return string(data), report
}

const shop = `<h1> Blue  <b>Vase</b></h1><p class="price">1.299,00 €</p><a class="more" href="/more">more</a>
<ul><li class="it"><b>one</b><i>1</i></li><li class="it"><b>two</b></li><li class="it"></li></ul><meta name="sku" content="S1"><span class="tag">a</span><span class="tag">b</span>`

func TestApply_fieldsAndLists(t *testing.T) {
	for _, c := range []struct{ name, rules, schema, want string }{
		{"text", `[{"path":"title","selector":"h1"}]`, ``, `{"title":"Blue Vase"}`},
		{"number by schema", `[{"path":"price","selector":".price"}]`, `{"type":"object","properties":{"price":{"type":"number"}}}`, `{"price":1299}`},
		{"number by rule", `[{"path":"price","selector":".price","transform":"number"}]`, ``, `{"price":1299}`},
		{"address", `[{"path":"more","selector":"a.more","attribute":"href","transform":"url"}]`, ``, `{"more":"https://example.com/more"}`},
		{"content of meta", `[{"path":"sku","selector":"meta[name=sku]"}]`, ``, `{"sku":"S1"}`},
		{"list of objects", `[{"path":"items[]","selector":"li.it"},{"path":"items[].name","selector":"b"},{"path":"items[].n","selector":"i","transform":"number"}]`, ``,
			`{"items":[{"n":1,"name":"one"},{"n":null,"name":"two"}]}`},
		{"gaps are left out with a schema", `[{"path":"items[]","selector":"li.it"},{"path":"items[].name","selector":"b"},{"path":"items[].n","selector":"i"}]`,
			`{"properties":{"items":{"items":{"properties":{"name":{"type":"string"},"n":{"type":"integer"}}}}}}`, `{"items":[{"n":1,"name":"one"},{"name":"two"}]}`},
		{"list of values", `[{"path":"tags[]","selector":".tag"}]`, ``, `{"tags":["a","b"]}`},
		{"the whole is a list", `[{"path":"[]","selector":"li.it"},{"path":"[].name","selector":"b"}]`, `{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}`,
			`[{"name":"one"},{"name":"two"}]`},
		{"object within its element", `[{"path":"list","selector":"ul"},{"path":"list.first","selector":"b"}]`, ``, `{"list":{"first":"one"}}`},
		{"exists", `[{"path":"title","selector":"h1"},{"path":"inStock","selector":".stock","transform":"exists"}]`, ``, `{"inStock":false,"title":"Blue Vase"}`},
		{"nothing found", `[{"path":"x","selector":".none"},{"path":"l[]","selector":".none"}]`, ``, `null`},
		{"references in schemas", `[{"path":"price","selector":".price"}]`, `{"$defs":{"P":{"anyOf":[{"type":"null"},{"type":"number"}]}},"properties":{"price":{"$ref":"#/$defs/P"}}}`, `{"price":1299}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, _ := applyTo(t, shop, c.rules, c.schema); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestApply_reportsWhatIsAmiss(t *testing.T) {
	schema := `{"properties":{"title":{"type":"string"},"price":{"type":"number"},"items":{"items":{"required":["name"],"properties":{"name":{"type":"string"}}}}},"required":["title"]}`
	rules := `[{"path":"title","selector":"h1"},{"path":"price","selector":".tag"},{"path":"items[]","selector":"li, h1"},{"path":"items[].name","selector":"b"}]`
	_, r := applyTo(t, shop, rules, schema)
	if r.Whole() || len(r.FoundPaths()) != 3 || len(r.Problems()) != 2 {
		t.Errorf("got %+v: %v", r, r.Problems())
	}
	if _, r := applyTo(t, shop, `[{"path":"title","selector":"h1"}]`, schema); !r.Whole() || r.Problems() != nil {
		t.Errorf("got %+v", r)
	}
	if _, r := applyTo(t, `<p>other</p>`, `[{"path":"title","selector":"h1"}]`, schema); r.Whole() || r.Found != 0 {
		t.Errorf("got %+v", r)
	}
}

func TestDecode_refuses(t *testing.T) {
	for _, rules := range []string{
		`[{"path":"a","selector":":matches(x)"}]`, `[{"path":"a","selector":"p: has(b)"}]`, `[{"path":"a","selector":"[x#=(a+)+]"}]`, `[{"path":"a","selector":"p:contains('x')"}]`,
		`[{"path":"a","selector":"[["}]`, `[{"path":"a..b","selector":"p"}]`, `[{"path":"a[1]","selector":"p"}]`, `[{"path":"","selector":"p"}]`,
		`[{"path":"a","selector":"p","transform":"regexp"}]`, `{}`, `[{"path":"a","selector":"p::before"}]`,
		`[{"path":"` + strings.Repeat("a.", 20) + `a","selector":"p"}]`, `[{"path":"a","selector":"` + strings.Repeat("p ", 400) + `"}]`,
	} {
		if _, err := Decode(json.RawMessage(`{"rules":` + rules + `}`)); err == nil {
			t.Errorf("taken: %.80s", rules)
		}
	}
}

func TestCheck_tellsWhatNoPageCanMend(t *testing.T) {
	schema := json.RawMessage(`{"properties":{"items":{"items":{"properties":{"name":{"type":"string"}},"required":["name"]}},"title":{}},"required":["title"]}`)
	for _, c := range []struct {
		rules string
		want  int
	}{
		{`[{"path":"title","selector":"h1"}]`, 0},
		{`[{"path":"title","selector":"h1"},{"path":"other","selector":"p"}]`, 1},
		{`[{"path":"title","selector":"h1"},{"path":"items[].name","selector":"p"}]`, 1},
		{`[{"path":"items[]","selector":"p"}]`, 2},
		{`[{"path":"title","selector":"h1"},{"path":"title","selector":"h1"}]`, 1},
		{`[{"path":"title","selector":"h1"},{"path":"title[]","selector":"h1"},{"path":"title.x","selector":"h1"}]`, 1},
	} {
		r, err := Decode(json.RawMessage(`{"rules":` + c.rules + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := Check(r, schema); len(got) != c.want {
			t.Errorf("%s: %q, want %d problems", c.rules, got, c.want)
		}
	}
}

func TestApply_boundsLists(t *testing.T) {
	body := strings.Repeat("<p>x</p>", maxElements+500)
	data, _ := applyTo(t, body, `[{"path":"a[]","selector":"p"}]`, "")
	if n := strings.Count(data, `"x"`); n != maxElements {
		t.Errorf("%d elements, want %d", n, maxElements)
	}
	root := parse(t, strings.Repeat("<div>", 100)+"x")
	nested := Recipe{Rules: []Rule{{Path: "a[]", Selector: "div"}, {Path: "a[].b[]", Selector: "div"}, {Path: "a[].b[].c", Selector: "div"}}}
	for visits, drained := range map[int]bool{10_000: true, maxVisits: false} {
		if _, r, err := apply(t.Context(), Page{Root: root}, nested, nil, visits); err != nil || r.Drained != drained {
			t.Errorf("%d visits: drained %t, %v", visits, r.Drained, err)
		}
	}
}

func TestApply_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err := Apply(ctx, Page{Root: parse(t, strings.Repeat("<p>x", 1000))}, Recipe{Rules: []Rule{{Path: "a", Selector: "b"}}}, nil)
	if err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestSample_showsWhatSelectorsNeed(t *testing.T) {
	body := `<body><div id="main" class="a b"><h1 itemprop="name">Blue Vase</h1><script>x()</script><p hidden>secret</p><p style="display: none">secret</p><ul>` +
		strings.Repeat(`<li class="it">text</li>`, 20) + `</ul><a href="/x">more</a></div></body>`
	got := Sample(parse(t, body), 4000)
	for _, want := range []string{`div#main.a.b`, `h1[itemprop="name"] "Blue Vase"`, `… 17 more like li.it`, `a[href="/x"] "more"`} {
		if !strings.Contains(got, want) {
			t.Errorf("missing %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "secret") || strings.Contains(got, "x()") {
		t.Errorf("it shows what readers don't see:\n%s", got)
	}
}

func TestSample_keepsToItsLimit(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, `<div class="c%d"><p>%s</p></div>`, i, strings.Repeat("long text ", 50))
	}
	root := parse(t, b.String())
	for _, limit := range []int{0, 10, 1000, 20_000} {
		if n := len(Sample(root, limit)); n > limit {
			t.Errorf("%d bytes, want at most %d", n, limit)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add(shop, `[{"path":"items[]","selector":"li"},{"path":"items[].n","selector":"i","transform":"number"}]`, `{"properties":{"items":{"items":{"$ref":"#"}}}}`)
	f.Add(`<p>x`, `[{"path":"[][]","selector":""},{"path":"[][].a","selector":":scope > p","attribute":"x","transform":"date"}]`, `{"type":["null","array"]}`)
	f.Fuzz(func(t *testing.T, body, rules, schema string) {
		r, err := Decode(json.RawMessage(`{"rules":` + rules + `}`))
		if err != nil {
			return
		}
		root := parse(t, body)
		if n := len(Sample(root, 500)); n > 500 {
			t.Fatalf("a sample of %d bytes", n)
		}
		Check(r, json.RawMessage(schema))
		data, report, err := Apply(t.Context(), Page{Root: root}, r, json.RawMessage(schema))
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("no JSON: %q", data)
		}
		report.Problems()
	})
}
