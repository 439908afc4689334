package office

import (
	"strings"
	"testing"
)

const pptxNS = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
	`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"`

func rels(entries ...string) string {
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + strings.Join(entries, "") + "</Relationships>"
}

func relTo(id, kind, target string) string {
	return `<Relationship Id="` + id + `" Type="http://x/` + kind + `" Target="` + target + `"/>`
}

// pptxOf makes a presentation of the trees of its slides. Parts are more parts of the file.
func pptxOf(tb testing.TB, slides []string, parts ...string) []byte {
	ids, entries := "", []string{}
	for i := range slides {
		n := itoa(i + 1)
		ids += `<p:sldId id="` + n + `" r:id="s` + n + `"/>`
		// Names and order differ on purpose.
		entries = append(entries, relTo("s"+n, "slide", "slides/slide"+itoa(len(slides)-i)+".xml"))
		parts = append(parts, "ppt/slides/slide"+itoa(len(slides)-i)+".xml", slides[i])
	}
	parts = append(parts, "ppt/presentation.xml", "<p:presentation "+pptxNS+"><p:sldIdLst>"+ids+"</p:sldIdLst></p:presentation>",
		"ppt/_rels/presentation.xml.rels", rels(entries...))
	return archive(tb, parts...)
}

func slideOf(shapes string) string {
	return "<p:sld " + pptxNS + "><p:cSld><p:spTree>" + shapes + "</p:spTree></p:cSld></p:sld>"
}

func shapeOf(placeholder string, paragraphs ...string) string {
	if placeholder != "" {
		placeholder = `<p:ph type="` + placeholder + `"/>`
	}
	return "<p:sp><p:nvSpPr><p:nvPr>" + placeholder + "</p:nvPr></p:nvSpPr><p:txBody>" + strings.Join(paragraphs, "") + "</p:txBody></p:sp>"
}

func ap(props, text string) string {
	return "<a:p>" + props + "<a:r><a:t>" + text + "</a:t></a:r></a:p>"
}

func TestPPTX_rules(t *testing.T) {
	cell := func(attrs, text string) string {
		return "<a:tc" + attrs + "><a:txBody>" + ap("", text) + "</a:txBody></a:tc>"
	}
	for name, c := range map[string]struct{ shapes, want string }{
		"the title is a heading":      {shapeOf("body", ap("", "text")) + shapeOf("ctrTitle", ap("", "Title")), "<h2>Title</h2><p>text</p>"},
		"a slide without a title":     {shapeOf("", ap("", "text")), "<h2>Slide 1</h2><p>text</p>"},
		"a body of many is a list":    {shapeOf("title", ap("", "T")) + shapeOf("body", ap("", "a"), ap(`<a:pPr lvl="1"/>`, "b"), ap("", "c")), "<h2>T</h2><ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"},
		"a body may say it is none":   {shapeOf("title", ap("", "T")) + shapeOf("body", ap("<a:pPr><a:buNone/></a:pPr>", "a"), ap("<a:pPr><a:buNone/></a:pPr>", "b")), "<h2>T</h2><p>a</p><p>b</p>"},
		"numbers":                     {shapeOf("title", ap("", "T")) + shapeOf("", ap(`<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>`, "a"), ap(`<a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr>`, "b")), "<h2>T</h2><ol><li>a</li><li>b</li></ol>"},
		"footers and numbers are not": {shapeOf("title", ap("", "T")) + shapeOf("ftr", ap("", "foot")) + shapeOf("sldNum", ap("", "3")) + shapeOf("dt", ap("", "today")), "<h2>T</h2>"},
		"groups are read":             {shapeOf("title", ap("", "T")) + "<p:grpSp>" + shapeOf("", ap("", "in")) + "</p:grpSp>", "<h2>T</h2><p>in</p>"},
		"a picture's description":     {shapeOf("title", ap("", "T")) + `<p:pic><p:nvPicPr><p:cNvPr id="1" name="x" descr="A dog"/></p:nvPicPr></p:pic>`, `<h2>T</h2><p><span role="img">A dog</span></p>`},
		"a table": {shapeOf("title", ap("", "T")) + `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr firstRow="1"/><a:tr>` + cell(` gridSpan="2"`, "a") + cell(` hMerge="1"`, "") + "</a:tr><a:tr>" +
			cell("", "b") + cell("", "c") + "</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>", `<h2>T</h2><table><thead><tr><th colspan="2">a</th></tr></thead><tr><td>b</td><td>c</td></tr></table>`},
		"looks": {shapeOf("title", ap("", "T")) + shapeOf("", `<a:p><a:r><a:rPr b="1"/><a:t>a</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>2</a:t></a:r><a:br/><a:r><a:rPr strike="sngStrike"/><a:t>c</a:t></a:r></a:p>`), "<h2>T</h2><p><strong>a</strong><sup>2</sup><br><del>c</del></p>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bodyOfDoc(t, PPTX, pptxOf(t, []string{slideOf(c.shapes)}), Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestPPTX_slidesComeInThePresentationsOrder(t *testing.T) {
	slides := []string{slideOf(shapeOf("title", ap("", "First"))), slideOf(shapeOf("title", ap("", "Second"))), slideOf(shapeOf("title", ap("", "Third")))}
	if got := bodyOfDoc(t, PPTX, pptxOf(t, slides), Options{}); got != "<h2>First</h2><h2>Second</h2><h2>Third</h2>" {
		t.Errorf("got %s", got)
	}
}

func TestPPTX_notesFollowTheirSlide(t *testing.T) {
	notes := "<p:notes " + pptxNS + "><p:cSld><p:spTree>" + shapeOf("sldNum", ap("", "1")) + shapeOf("body", ap("", "Say this.")) + "</p:spTree></p:cSld></p:notes>"
	body := pptxOf(t, []string{slideOf(shapeOf("title", ap("", "T")))}, "ppt/slides/_rels/slide1.xml.rels", rels(relTo("n", "notesSlide", "../notesSlides/n.xml")), "ppt/notesSlides/n.xml", notes)
	if got := bodyOfDoc(t, PPTX, body, Options{}); got != "<h2>T</h2><h3>Notes</h3><p>Say this.</p>" {
		t.Errorf("got %s", got)
	}
}

func TestPPTX_hiddenSlidesAreLeftOutWithAWarning(t *testing.T) {
	hidden := strings.Replace(slideOf(shapeOf("title", ap("", "No"))), "<p:sld ", `<p:sld show="0" `, 1)
	doc, err := PPTX(t.Context(), pptxOf(t, []string{hidden, slideOf(shapeOf("title", ap("", "Yes")))}), Options{})
	if err != nil || squeeze(doc.Body) != "<h2>Yes</h2>" || len(doc.Warnings) != 1 || doc.Slides != 1 {
		t.Errorf("got %s, %+v, %v", doc.Body, doc, err)
	}
}

func TestPPTX_valuesOfAChartAreATable(t *testing.T) {
	chart := "<c:chartSpace " + pptxNS + "><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser>" +
		`<c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>2024</c:v></c:pt></c:strCache></c:strRef></c:tx>` +
		`<c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>East</c:v></c:pt><c:pt idx="1"><c:v>West</c:v></c:pt></c:strCache></c:strRef></c:cat>` +
		`<c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>3</c:v></c:pt><c:pt idx="1"><c:v>4.5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`
	frame := `<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="ch"/></a:graphicData></a:graphic></p:graphicFrame>`
	body := pptxOf(t, []string{slideOf(shapeOf("title", ap("", "T")) + frame)}, "ppt/slides/_rels/slide1.xml.rels", rels(relTo("ch", "chart", "../charts/c.xml")), "ppt/charts/c.xml", chart)
	want := "<h2>T</h2><table><caption>Sales</caption><thead><tr><th></th><th>2024</th></tr></thead><tr><td>East</td><td>3</td></tr><tr><td>West</td><td>4.5</td></tr></table>"
	if got := bodyOfDoc(t, PPTX, body, Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
