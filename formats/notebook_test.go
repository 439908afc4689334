package formats

import (
	"strings"
	"testing"
)

func TestParse_notebooks(t *testing.T) {
	const head = `{"nbformat":4,"nbformat_minor":5,"metadata":{"language_info":{"name":"Python"}},"cells":[`
	for name, c := range map[string]struct{ in, want string }{
		"text, code and what it writes": {head + `{"cell_type":"markdown","source":["# Oats\n","**Two** sacks."]},{"cell_type":"code","source":"print(2)","outputs":[{"output_type":"stream","name":"stdout","text":["2\n"]}]}]}`,
			"# Oats\n**Two** sacks.\n\n```python\nprint(2)\n```\n\n```\n2\n```"},
		"the richest form": {head + `{"cell_type":"code","source":"t","outputs":[{"output_type":"execute_result","data":{"text/plain":"   a\n0  1","text/html":["<table><thead><tr><th>a</th></tr></thead>","<tr><td>1</td></tr></table>"]}}]}]}`,
			"```python\nt\n```\n\n| a |\n|---|\n| 1 |"},
		"an image":             {head + `{"cell_type":"code","source":"p","outputs":[{"output_type":"display_data","data":{"text/plain":"<Figure>","image/png":"aGk=\n"}}]}]}`, "```python\np\n```\n\n![Output](data:image/png;base64,aGk=)"},
		"an attached image":    {head + `{"cell_type":"markdown","source":"![x](attachment:a.png)","attachments":{"a.png":{"image/png":"aGk="}}}]}`, "![x](data:image/png;base64,aGk=)"},
		"an error in colors":   {head + `{"cell_type":"code","source":"x","outputs":[{"output_type":"error","ename":"NameError","evalue":"\u001b[31mx\u001b[0m","traceback":["…"]}]}]}`, "```python\nx\n```\n\n```\nNameError: x\n```"},
		"progress":             {head + `{"cell_type":"code","source":"x","outputs":[{"output_type":"stream","text":" 1%\r50%\r100%\ndone"}]}]}`, "```python\nx\n```\n\n```\n100%\ndone\n```"},
		"fences in code":       {head + "{\"cell_type\":\"code\",\"source\":\"```\"}]}", "````python\n```\n````"},
		"version 3":            {`{"nbformat":3,"worksheets":[{"cells":[{"cell_type":"heading","level":2,"source":["Part"]},{"cell_type":"code","input":"1","outputs":[{"output_type":"pyout","text":["1"]}]}]}]}`, "## Part\n\n```\n1\n```\n\n```\n1\n```"},
		"values that are none": {head + `{"cell_type":"code","source":7,"outputs":[{"data":{"application/json":{"a":1},"text/plain":"b"}}]}]}`, "```\nb\n```"},
		"no notebook":          {`{"nbformat":"x"}`, "```json\n{\n  \"nbformat\": \"x\"\n}\n```"},
	} {
		for _, mediaType := range []string{"application/json", ""} {
			dom, err := Parse(t.Context(), Source{MediaType: mediaType, Body: []byte(c.in)})
			if err != nil {
				t.Fatal(err)
			}
			out, err := dom.Render(t.Context(), Options{Formats: []Type{Markdown}})
			if err != nil || out.Markdown != c.want {
				t.Errorf("%s, %q: got %q, want %q, %v", name, mediaType, out.Markdown, c.want, err)
			}
		}
	}
}

func TestParse_notebooksWithoutTheirImages(t *testing.T) {
	const in = `{"nbformat":4,"cells":[{"cell_type":"code","source":"p","outputs":[{"data":{"image/svg+xml":"<svg/>"}}]}]}`
	dom, err := Parse(t.Context(), Source{MediaType: "text/plain", Body: []byte(in)})
	if err != nil {
		t.Fatal(err)
	}
	out, err := dom.Render(t.Context(), Options{Formats: []Type{Markdown}, RemoveBase64Images: true})
	if want := "```\np\n```\n\n![Output](<Base64-Image-Removed>)"; err != nil || out.Markdown != want {
		t.Errorf("got %q, want %q, %v", out.Markdown, want, err)
	}
}

// FuzzParse_notebook looks for cells and outputs that the reader can't take.
func FuzzParse_notebook(f *testing.F) {
	f.Add(`{"cell_type":"code","source":["a"],"outputs":[{"data":{"text/html":"<p>x","image/png":["a","b"]},"text":{}}]}`)
	f.Add(`{"cell_type":"markdown","source":null,"attachments":{"":{"":""}}}`)
	f.Fuzz(func(t *testing.T, cell string) {
		dom, err := Parse(t.Context(), Source{Body: []byte(`{"nbformat":4,"cells":[` + cell + "]}")})
		if err != nil {
			t.Fatal(err)
		}
		out, err := dom.Render(t.Context(), Options{Formats: []Type{Markdown, Links, Images}, RemoveBase64Images: true})
		if err != nil || out.Markdown != strings.ToValidUTF8(out.Markdown, "") {
			t.Errorf("got %q, %v", out.Markdown, err)
		}
	})
}
