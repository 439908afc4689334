package office

import (
	"strings"
	"testing"
)

func TestRTF_rules(t *testing.T) {
	const head = `{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Cyr;}{\f2\fcharset2 Symbol;}{\f3\fcharset128 Min;}}` +
		`{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s2 Subhead{\*\x y};}{\s3\outlinelevel1 Mine;}{\s4 HTML Preformatted;}{\*\cs5 heading 3;}}` +
		`{\*\listtable{\list{\listlevel\levelnfc0\levelstartat4{\leveltext x;}}{\listlevel\levelnfc23}\listid7}}{\*\listoverridetable{\listoverride\listid7\ls1}}`
	row := func(def, cells string) string { return `\trowd` + def + `\pard\intbl ` + cells + `\row ` }
	for name, c := range map[string]struct{ in, want string }{
		"paragraphs":                 {`one\par two\line three\par`, "<p>one</p><p>two<br>three</p>"},
		"looks end with their group": {`a{\b b}c \i d\i0  e`, "<p>a<strong>b</strong>c <em>d</em> e</p>"},
		"raised":                     {`x{\super 2}\sub 3\nosupersub`, "<p>x<sup>2</sup><sub>3</sub></p>"},
		"symbols":                    {`\'e9\emdash\~\ldblquote x\rdblquote\{\}\\`, "<p>é—\u00A0“x”{}\\</p>"},
		"characters in Unicode":      {`\u228\'3f\u8364?\u-10179?\u-8694? z`, "<p>ä€😊 z</p>"},
		"what stands for them":       {`\uc2\u228 ab c\uc0\u228 d`, "<p>ä cäd</p>"},
		"a font's code page":         {`{\f1\'cf\'f0\'e8\'e2\'e5\'f2}`, "<p>Привет</p>"},
		"two bytes a character":      {`{\f3\'93\'fa\'96\'7b}`, "<p>日本</p>"},
		"a symbol font":              {`{\f2 a\'b7}`, "<p>α•</p>"},
		"hidden and deleted":         {`a{\v b}{\deleted c}d`, "<p>ad</p>"},
		"what isn't shown":           {`a{\header h}{\*\unknown u}{\pict 0102}{\*\bkmkstart x}b`, "<p>ab</p>"},
		"binary data":                {"a{\\pict\\bin5 }}{{\\}b", "<p>ab</p>"},
		"headings by style":          {`\pard\s1 Head\par\pard\s3 Sub\par\pard text\par`, "<h1>Head</h1><h2>Sub</h2><p>text</p>"},
		"headings by level":          {`\pard\outlinelevel2 Head\par`, "<h3>Head</h3>"},
		"code":                       {`\pard\s4 a\par b\par`, "<pre><code>ab</code></pre>"},
		"a link":                     {`{\field{\*\fldinst{HYPERLINK "https://example.org/"}}{\fldrslt{\ul here}}} on`, `<p><a href="https://example.org/">here</a> on</p>`},
		"a script is no link":        {`{\field{\*\fldinst{HYPERLINK "javascript:x"}}{\fldrslt here}}`, `<p>here</p>`},
		"lists": {`\pard\ls1\ilvl0{\listtext 4.\tab}a\par{\listtext 5.\tab}b\par\pard\ls1\ilvl1{\listtext o\tab}c\par`,
			`<ol start="4"><li>a</li><li>b<ul><li>c</li></ul></li></ol>`},
		"marks of old lists":    {`\pard{\pntext\'b7\tab}a\par{\pntext\'b7\tab}b\par`, "<ul><li>a</li><li>b</li></ul>"},
		"marks that were typed": {`\pard\li360\fi-360 \bullet\tab a\par \bullet\tab b\par`, "<ul><li>a</li><li>b</li></ul>"},
		"tables":                {row(`\cellx1\cellx2`, `a\cell b\cell`) + row(`\cellx1\cellx2`, `c\cell d\cell`) + `\pard end`, "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table><p>end</p>"},
		"merged cells": {row(`\clmgf\cellx1\clmrg\cellx2\clvmgf\cellx3`, `a\cell\cell b\cell`) + row(`\cellx1\cellx2\clvmrg\cellx3`, `c\cell d\cell\cell`),
			`<table><tr><td colspan="2">a</td><td rowspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>`},
		"text after a table that seems to be in it": {row(`\cellx1\cellx2`, `a\cell b\cell`) + `c\par`, "<table><tr><td>a</td><td>b</td></tr></table><p>c</p>"},
		"a cell without a row":                      {`\intbl a\par`, "<p>a</p>"},
		"a note":                                    {`a{\super\chftn}{\footnote\pard The note.}b`, `<p>a<sup><a id="note-ref-1" href="#note-1">1</a></sup>b</p><hr><section role="doc-endnotes"><ol><li id="note-1">The note. <a href="#note-ref-1">↩</a></li></ol></section>`},
		"it breaks off":                             {`a{\b b{\i c`, "<p>a<strong>b</strong><strong><em>c</em></strong></p>"},
		"too many ends":                             {`a}}}b`, "<p>ab</p>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bodyOfDoc(t, RTF, []byte(head+c.in+"}"), Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Programs write parts of files too, without a header and font table; rows are groups there.
func TestRTF_withoutAHeader(t *testing.T) {
	cell := func(text string) string { return `{{\pard\intbl \ql \f0 \sa0 ` + text + "\\par}\n\\cell}\n" }
	row := func(a, b string) string {
		return "{\n\\trowd \\trgaph120\n\\cellx2160\\cellx4320\n\\trkeep\\intbl\n{\n" + cell(a) + cell(b) + "}\n\\intbl\\row}\n"
	}
	in := `{\pard \ql \f0 Before.\par}` + "\n" + row("Name", "Price") + row("oats", "12") + `{\pard \ql \f0 After.\par}`
	want := "<p>Before.</p><table><tr><td>Name</td><td>Price</td></tr><tr><td>oats</td><td>12</td></tr></table><p>After.</p>"
	if got := bodyOfDoc(t, RTF, []byte(in), Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := RTF(t.Context(), []byte("{no rich text}"), Options{}); err == nil {
		t.Error("want an error")
	}
}

func TestRTF_metadata(t *testing.T) {
	doc, err := RTF(t.Context(), []byte(`{\rtf1{\info{\title A title}{\author Ann}{\keywords a, b}{\creatim\yr2024\mo5\dy1\hr10\min5}}text}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := doc.Meta
	if m.Title != "A title" || m.Author != "Ann" || len(m.Keywords) != 2 || m.Created.Format("2006-01-02 15:04") != "2024-05-01 10:05" || squeeze(doc.Body) != "<p>text</p>" {
		t.Errorf("got %+v %s", m, doc.Body)
	}
}

func TestRTF_hostileFilesEnd(t *testing.T) {
	for name, in := range map[string]string{
		"groups without end": strings.Repeat("{", 1_000_000),
		"notes in notes":     strings.Repeat(`{\footnote x`, 1000),
		"fields in fields":   strings.Repeat(`{\field{\*\fldinst HYPERLINK "https://x/"}{\fldrslt x`, 400),
		"cells without rows": strings.Repeat(`\intbl x\cell`, 100_000),
		"rows that go on":    strings.Repeat(`\trowd\clvmrg\cellx1\intbl x\cell\row`, 20_000),
		"a huge number":      `\bin99999999999 x\u99999999999 y\uc99999 z`,
		"styles in styles":   `{\stylesheet` + strings.Repeat("{", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			doc, err := RTF(t.Context(), []byte(`{\rtf1 start\par `+in), Options{})
			if err != nil || !strings.HasPrefix(squeeze(doc.Body), "<p>start</p>") {
				t.Errorf("got %.80s, %v", doc.Body, err)
			}
		})
	}
}
