package office

import (
	"context"
	"strings"
	"testing"
	"time"
)

const docxOpen = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
	`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ` +
	`xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
	`xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><w:body>`

const docxStylesXML = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
	`<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="N"/><w:rPr><w:b/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="My"><w:name w:val="my heading"/><w:basedOn w:val="H2"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Out"><w:name w:val="outlined"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Q"><w:name w:val="Quote"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Pre"><w:name w:val="HTML Preformatted"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="NumH"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style>` +
	`<w:style w:type="character" w:styleId="Strong"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Loop1"><w:name w:val="loop 1"/><w:basedOn w:val="Loop2"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Loop2"><w:name w:val="loop 2"/><w:basedOn w:val="Loop1"/></w:style></w:styles>`

const docxNumberingXML = `<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
	`<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>` +
	`<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%2)"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:numFmt w:val="upperRoman"/><w:lvlText w:val="Part %1:"/></w:lvl></w:abstractNum>` +
	`<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>` +
	`<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>`

const docxRelsXML = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
	`<Relationship Id="web" Type="http://x/hyperlink" Target="https://example.org/a?b=1&amp;c=2" TargetMode="External"/>` +
	`<Relationship Id="js" Type="http://x/hyperlink" Target="javascript:alert(1)" TargetMode="External"/>` +
	`<Relationship Id="file" Type="http://x/hyperlink" Target="file:///etc/passwd" TargetMode="External"/>` +
	`<Relationship Id="pic" Type="http://x/image" Target="media/image1.png"/>` +
	`<Relationship Id="ext" Type="http://x/image" Target="https://example.org/p.png" TargetMode="External"/></Relationships>`

const docxFootnotesXML = `<w:footnotes xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">` +
	`<w:footnote w:id="0" w:type="separator"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote>` +
	`<w:footnote w:id="2"><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote></w:footnotes>`

// docxOf makes a file of the content of its body.
func docxOf(tb testing.TB, body string) []byte {
	return archive(tb, "[Content_Types].xml", "<Types/>", "word/document.xml", docxOpen+body+"</w:body></w:document>",
		"word/styles.xml", docxStylesXML, "word/numbering.xml", docxNumberingXML, "word/_rels/document.xml.rels", docxRelsXML,
		"word/footnotes.xml", docxFootnotesXML)
}

// p and r are a paragraph and a run with properties.
func wp(props, runs string) string { return "<w:p><w:pPr>" + props + "</w:pPr>" + runs + "</w:p>" }

func wr(props, text string) string {
	return "<w:r><w:rPr>" + props + `</w:rPr><w:t xml:space="preserve">` + text + "</w:t></w:r>"
}

func style(id string) string { return `<w:pStyle w:val="` + id + `"/>` }

func num(id, level string) string {
	return `<w:numPr><w:ilvl w:val="` + level + `"/><w:numId w:val="` + id + `"/></w:numPr>`
}

func TestDOCX_rules(t *testing.T) {
	tc := func(props, text string) string {
		return "<w:tc><w:tcPr>" + props + "</w:tcPr>" + wp("", wr("", text)) + "</w:tc>"
	}
	for name, c := range map[string]struct{ body, want string }{
		"runs of one look are one": {wp("", wr("<w:b/>", "bo")+wr("<w:b/>", "ld")+wr("", " end")), "<p><strong>bold</strong> end</p>"},
		"blanks stay outside":      {wp("", wr("<w:b/>", "bold ")+wr("", "end")), "<p><strong>bold</strong> end</p>"},
		"switched off":             {wp("", wr(`<w:b w:val="0"/>`, "plain")), "<p>plain</p>"},
		"a character style":        {wp("", wr(`<w:rStyle w:val="Strong"/>`, "x")), "<p><strong>x</strong></p>"},
		"raised and lowered":       {wp("", wr(`<w:vertAlign w:val="superscript"/>`, "2")+wr(`<w:vertAlign w:val="subscript"/>`, "3")), "<p><sup>2</sup><sub>3</sub></p>"},
		"hidden text":              {wp("", wr("<w:vanish/>", "secret")+wr("", "seen")), "<p>seen</p>"},
		"text is escaped":          {wp("", wr("", "&lt;script&gt; &amp; so")), "<p>&lt;script&gt; &amp; so</p>"},
		"a heading":                {wp(style("H2"), wr("", "Head")), "<h2>Head</h2>"},
		"a style based on one":     {wp(style("My"), wr("", "Head")), "<h2>Head</h2>"},
		"an outline level":         {wp(style("Out"), wr("", "Head")), "<h3>Head</h3>"},
		"styles in a circle":       {wp(style("Loop1"), wr("", "text")), "<p>text</p>"},
		"a numbered heading":       {wp(style("NumH"), wr("", "A")) + wp(style("NumH"), wr("", "B")), "<h1>Part I: A</h1><h1>Part II: B</h1>"},
		"quotations join":          {wp(style("Q"), wr("", "a")) + wp(style("Q"), wr("", "b")), "<blockquote><p>a</p><p>b</p></blockquote>"},
		"code lines join":          {wp(style("Pre"), wr("", "a")) + wp(style("Pre"), "") + wp(style("Pre"), wr("", "  b")), "<pre><code>a  b</code></pre>"},
		"an insertion is accepted": {wp("", "<w:ins>"+wr("", "new")+"</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"), "<p>new</p>"},
		"moved text is there once": {wp("", "<w:moveFrom>"+wr("", "x")+"</w:moveFrom>") + wp("", "<w:moveTo>"+wr("", "x")+"</w:moveTo>"), "<p>x</p>"},
		"a deleted paragraph end":  {wp("<w:rPr><w:del/></w:rPr>", wr("", "one ")) + wp("", wr("", "two")), "<p>one two</p>"},
		"a link":                   {wp("", `<w:hyperlink r:id="web">`+wr("", "here")+"</w:hyperlink>"), `<p><a href="https://example.org/a?b=1&amp;c=2">here</a></p>`},
		"a script is no link":      {wp("", `<w:hyperlink r:id="js">`+wr("", "here")+"</w:hyperlink>"), "<p>here</p>"},
		"a local file is no link":  {wp("", `<w:hyperlink r:id="file">`+wr("", "here")+"</w:hyperlink>"), "<p>here</p>"},
		"a link field": {wp("", `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://example.org/" </w:instrText></w:r>`+
			`<w:r><w:fldChar w:fldCharType="separate"/></w:r>`+wr("", "there")+`<w:r><w:fldChar w:fldCharType="end"/></w:r>`+wr("", " end")), `<p><a href="https://example.org/">there</a> end</p>`},
		"another field shows its result": {wp("", `<w:fldSimple w:instr=" PAGE ">`+wr("", "7")+"</w:fldSimple>"), "<p>7</p>"},
		"a footnote":                     {wp("", wr("", "text")+`<w:r><w:footnoteReference w:id="2"/></w:r>`), `<p>text<sup><a id="note-ref-1" href="#note-1">1</a></sup></p><hr><section role="doc-endnotes"><ol><li id="note-1">The note. <a href="#note-ref-1">↩</a></li></ol></section>`},
		"a footnote referred to twice":   {wp("", `<w:r><w:footnoteReference w:id="2"/></w:r>`+wr("", "a")+`<w:r><w:footnoteReference w:id="2"/></w:r>`), `<p><sup><a id="note-ref-1" href="#note-1">1</a></sup>a<sup><a id="note-ref-1" href="#note-1">1</a></sup></p><hr><section role="doc-endnotes"><ol><li id="note-1">The note. <a href="#note-ref-1">↩</a></li></ol></section>`},
		"a picture's description":        {wp("", `<w:r><w:drawing><wp:inline><wp:docPr id="1" name="P" descr="A cat"/><a:blip r:embed="pic"/></wp:inline></w:drawing></w:r>`), `<p><span role="img">A cat</span></p>`},
		"a picture of the web":           {wp("", `<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="A cat"/><a:blip r:link="ext"/></wp:inline></w:drawing></w:r>`), `<p><img src="https://example.org/p.png" alt="A cat"></p>`},
		"a text box is read once": {wp("", wr("", "around")+`<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>`+wp("", wr("", "inside"))+
			`</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>`+wp("", wr("", "inside"))+`</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>`), "<p>around</p><p>inside</p>"},
		"a content control": {"<w:sdt><w:sdtPr/><w:sdtContent>" + wp("", wr("", "in")) + "</w:sdtContent></w:sdt>", "<p>in</p>"},
		"lists nest": {wp(num("1", "0"), wr("", "a")) + wp(num("1", "1"), wr("", "b")) + wp(num("1", "0"), wr("", "c")),
			"<ol><li>a<ol><li>b</li></ol></li><li>c</li></ol>"},
		"a list goes on after text": {wp(num("1", "0"), wr("", "a")) + wp("", wr("", "text")) + wp(num("1", "0"), wr("", "b")),
			`<ol><li>a</li></ol><p>text</p><ol start="2"><li>b</li></ol>`},
		"a list begins where it says": {wp(num("4", "0"), wr("", "a")), `<ol start="5"><li>a</li></ol>`},
		"bullets":                     {wp(num("2", "0"), wr("", "a")) + wp(num("2", "0"), wr("", "b")), "<ul><li>a</li><li>b</li></ul>"},
		"no list":                     {wp(num("0", "0"), wr("", "a")), "<p>a</p>"},
		"a table with spans": {"<w:tbl><w:tr>" + tc(`<w:gridSpan w:val="2"/>`, "a") + tc(`<w:vMerge w:val="restart"/>`, "b") + "</w:tr><w:tr>" + tc("", "c") + tc("", "d") + tc("<w:vMerge/>", "") + "</w:tr></w:tbl>",
			`<table><tr><td colspan="2">a</td><td rowspan="2">b</td></tr><tr><td>c</td><td>d</td></tr></table>`},
		"a head row": {`<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>` + tc("", "a") + tc("", "b") + "</w:tr><w:tr>" + tc("", "c") + tc("", "d") + "</w:tr></w:tbl>",
			`<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>c</td><td>d</td></tr></table>`},
		"a deleted row":  {`<w:tbl><w:tr><w:trPr><w:del/></w:trPr>` + tc("", "x") + "</w:tr><w:tr>" + tc("", "a") + tc("", "b") + "</w:tr></w:tbl>", "<table><tr><td>a</td><td>b</td></tr></table>"},
		"one cell alone": {"<w:tbl><w:tr>" + tc("", "boxed") + "</w:tr></w:tbl>", "<p>boxed</p>"},
		"an equation": {wp("", `<m:oMath><m:f><m:num><m:r><m:t>a+1</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>`),
			"<p><math><mrow><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac></mrow></math></p>"},
		"a symbol": {wp("", `<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>`), "<p>✓</p>"},
		"breaks":   {wp("", `<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:br w:type="page"/><w:t>c</w:t></w:r>`), "<p>a<br>bc</p>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bodyOfDoc(t, DOCX, docxOf(t, c.body), Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestDOCX_metadata(t *testing.T) {
	body := archive(t, "word/document.xml", docxOpen+wp("", wr("", "x"))+"</w:body></w:document>", "docProps/core.xml",
		`<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">`+
			`<dc:title>A  title</dc:title><dc:creator>Ann</dc:creator><cp:keywords>one, two</cp:keywords><dcterms:created>2024-05-01T10:00:00Z</dcterms:created></cp:coreProperties>`)
	doc, err := DOCX(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := doc.Meta
	if m.Title != "A title" || m.Author != "Ann" || strings.Join(m.Keywords, "|") != "one|two" || !m.Created.Equal(time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v", m)
	}
}

func TestDOCX_titleComesFromTheTextWhenThePropertiesHaveNone(t *testing.T) {
	doc, err := DOCX(t.Context(), docxOf(t, wp(style("T"), wr("", "Shown"))), Options{})
	if err != nil || doc.Meta.Title != "Shown" {
		t.Errorf("got %q, %v", doc.Meta.Title, err)
	}
}

func TestDOCX_strictVariantAndOtherPrefixesReadAlike(t *testing.T) {
	body := archive(t, "word/document.xml", `<n:document xmlns:n="http://purl.oclc.org/ooxml/wordprocessingml/main"><n:body><n:p><n:r><n:t>text</n:t></n:r></n:p></n:body></n:document>`)
	if got := bodyOfDoc(t, DOCX, body, Options{}); got != "<p>text</p>" {
		t.Errorf("got %s", got)
	}
}

func TestDOCX_mainPartHasAnyName(t *testing.T) {
	body := archive(t, "_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="1" Type="http://x/officeDocument" Target="/other/text.xml"/></Relationships>`,
		"other/text.xml", docxOpen+wp("", wr("", "x"))+"</w:body></w:document>")
	if got := bodyOfDoc(t, DOCX, body, Options{}); got != "<p>x</p>" {
		t.Errorf("got %s", got)
	}
}

func TestDOCX_textThatBreaksOffIsKeptWithAWarning(t *testing.T) {
	body := archive(t, "word/document.xml", docxOpen+wp("", wr("", "whole"))+"<w:p><w:r><w:t>half")
	doc, err := DOCX(t.Context(), body, Options{})
	if err != nil || len(doc.Warnings) == 0 || squeeze(doc.Body) != "<p>whole</p><p>half</p>" {
		t.Errorf("got %+v, %v", doc, err)
	}
}

func TestDOCX_endsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := DOCX(ctx, docxOf(t, wp("", wr("", "x"))), Options{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestDOCX_textBeyondTheLimitIsLeftOut(t *testing.T) {
	doc, err := DOCX(t.Context(), docxOf(t, strings.Repeat(wp("", wr("", strings.Repeat("word ", 20))), 100)), Options{Limits: Limits{Text: 1000}})
	if err != nil || len(doc.Body) > 1100 || len(doc.Warnings) == 0 {
		t.Errorf("got %d bytes, %v, %v", len(doc.Body), doc.Warnings, err)
	}
	checkHTML(t, doc.Body)
}

func TestDOCX_valuesOfAChartAreATable(t *testing.T) {
	chart := `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart><c:ser><c:tx><c:v>x</c:v></c:tx><c:val><c:pt idx="0"><c:v>3</c:v></c:pt></c:val></c:ser></c:chart></c:chartSpace>`
	text := wp("", wr("", "before")+`<w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="ch"/></w:drawing></w:r>`)
	body := archive(t, "word/document.xml", docxOpen+text+"</w:body></w:document>", "word/_rels/document.xml.rels", rels(relTo("ch", "chart", "charts/c.xml")), "word/charts/c.xml", chart)
	want := "<p>before</p><table><thead><tr><th></th><th></th></tr></thead><tr><td></td><td>3</td></tr></table>"
	if got := bodyOfDoc(t, DOCX, body, Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
