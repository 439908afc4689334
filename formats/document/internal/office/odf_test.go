package office

import (
	"errors"
	"testing"
)

const odfOpen = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" ` +
	`xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" ` +
	`xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" ` +
	`xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"><office:automatic-styles>` +
	`<style:style style:name="B" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>` +
	`<style:style style:name="Sup" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>` +
	`<style:style style:name="Hid" style:family="text"><style:text-properties text:display="none"/></style:style>` +
	`<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>` +
	`<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>` +
	`<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>` +
	`<text:list-style style:name="Num"><text:list-level-style-number text:level="1" style:num-format="1" text:start-value="3"/><text:list-level-style-bullet text:level="2"/></text:list-style>` +
	`</office:automatic-styles><office:body>`

const odfStylesXML = `<office:document-styles xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0"><office:styles>` +
	`<style:style style:name="Preformatted_20_Text" style:display-name="Preformatted Text" style:family="paragraph"/>` +
	`<style:style style:name="Title" style:family="paragraph"/></office:styles></office:document-styles>`

func odfOf(tb testing.TB, body string) []byte {
	return archive(tb, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", odfOpen+body+"</office:body></office:document-content>", "styles.xml", odfStylesXML)
}

func TestODT_rules(t *testing.T) {
	cell := func(attrs, text string) string {
		return "<table:table-cell" + attrs + "><text:p>" + text + "</text:p></table:table-cell>"
	}
	for name, c := range map[string]struct{ body, want string }{
		"paragraphs":              {"<text:p>a<text:s text:c=\"2\"/>b<text:tab/>c<text:line-break/>d</text:p>", "<p>a  b\tc<br>d</p>"},
		"headings":                {`<text:h text:outline-level="3">Head</text:h>`, "<h3>Head</h3>"},
		"the title":               {`<text:p text:style-name="Title">Head</text:p>`, "<h1>Head</h1>"},
		"spans":                   {`<text:p>a<text:span text:style-name="B">b</text:span><text:span text:style-name="Sup">2</text:span></text:p>`, "<p>a<strong>b</strong><sup>2</sup></p>"},
		"hidden text":             {`<text:p>a<text:span text:style-name="Hid">b</text:span></text:p>`, "<p>a</p>"},
		"code":                    {`<text:p text:style-name="P1">a</text:p><text:p text:style-name="P1">b</text:p>`, "<pre><code>ab</code></pre>"},
		"links":                   {`<text:p><text:a xlink:href="https://example.org/">x</text:a><text:a xlink:href="../other.odt">y</text:a></text:p>`, `<p><a href="https://example.org/">x</a>y</p>`},
		"lists":                   {`<text:list text:style-name="Num"><text:list-item><text:p>a</text:p><text:p>more</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>`, `<ol start="3"><li>a<p>more</p><ul><li>b</li></ul></li></ol>`},
		"notes":                   {`<text:p>a<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>The note.</text:p></text:note-body></text:note></text:p>`, `<p>a<sup><a id="note-ref-1" href="#note-1">1</a></sup></p><hr><section role="doc-endnotes"><ol><li id="note-1">The note. <a href="#note-ref-1">↩</a></li></ol></section>`},
		"deleted text":            {`<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>new</text:p>`, "<p>new</p>"},
		"comments":                {`<text:p>a<office:annotation><text:p>psst</text:p></office:annotation></text:p>`, "<p>a</p>"},
		"a picture's description": {`<text:p><draw:frame><draw:image xlink:href="Pictures/1.png"/><svg:desc>A cat</svg:desc></draw:frame></text:p>`, `<p><span role="img">A cat</span></p>`},
		"a text box":              {`<text:p>a<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame></text:p>`, "<p>a</p><p>boxed</p>"},
		"tables": {"<table:table><table:table-header-rows><table:table-row>" + cell(` table:number-columns-spanned="2"`, "a") + "<table:covered-table-cell/></table:table-row></table:table-header-rows><table:table-row>" +
			cell("", "b") + cell("", "c") + "</table:table-row></table:table>", `<table><thead><tr><th colspan="2">a</th></tr></thead><tr><td>b</td><td>c</td></tr></table>`},
		"sections": {"<text:section><text:p>in</text:p></text:section>", "<p>in</p>"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bodyOfDoc(t, ODT, odfOf(t, "<office:text>"+c.body+"</office:text>"), Options{}); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestODS_sheets(t *testing.T) {
	cell := func(attrs, text string) string {
		return "<table:table-cell" + attrs + "><text:p>" + text + "</text:p></table:table-cell>"
	}
	body := `<office:spreadsheet><table:table table:name="One"><table:table-row>` + cell("", "name") + cell("", "when") + `<table:table-cell table:number-columns-repeated="16000"/></table:table-row>` +
		`<table:table-row table:number-rows-repeated="2">` + cell(` table:number-columns-repeated="2"`, "x") + `</table:table-row>` +
		`<table:table-row>` + cell("", `<text:a xlink:href="https://example.org/">l</text:a>`) + cell(` office:value-type="date" office:date-value="2024-05-01T10:30:00"`, "1. 5. 24") + `</table:table-row>` +
		`<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>` +
		`<table:table table:name="Two" table:style-name="ta2"><table:table-row>` + cell("", "hidden") + `</table:table-row></table:table></office:spreadsheet>`
	doc, err := ODS(t.Context(), odfOf(t, body), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := `<h2>One</h2><table><thead><tr><th>name</th><th>when</th></tr></thead><tr><td>x</td><td>x</td></tr><tr><td>x</td><td>x</td></tr>` +
		`<tr><td><a href="https://example.org/">l</a></td><td>2024-05-01 10:30:00</td></tr></table>`
	if got := squeeze(doc.Body); got != want || len(doc.Warnings) != 1 {
		t.Errorf("got  %s %v\nwant %s", got, doc.Warnings, want)
	}
}

func TestODP_pages(t *testing.T) {
	page := func(attrs, title, text, notes string) string {
		frame := func(attrs, text string) string {
			return "<draw:frame" + attrs + "><draw:text-box><text:p>" + text + "</text:p></draw:text-box></draw:frame>"
		}
		return "<draw:page" + attrs + ">" + frame("", text) + frame(` presentation:class="title"`, title) + "<presentation:notes>" + frame("", notes) + "</presentation:notes></draw:page>"
	}
	body := "<office:presentation>" + page("", "First", "text", "note") + page(` draw:style-name="dp2"`, "Hidden", "x", "y") + page("", "", "only text", "") + "</office:presentation>"
	doc, err := ODP(t.Context(), odfOf(t, body), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "<h2>First</h2><p>text</p><h3>Notes</h3><p>note</p><h2>Slide 2</h2><p>only text</p>"
	if got := squeeze(doc.Body); got != want || doc.Slides != 2 || len(doc.Warnings) != 1 {
		t.Errorf("got  %s (%d, %v)\nwant %s", got, doc.Slides, doc.Warnings, want)
	}
}

func TestODF_encryptedFilesAreToldApart(t *testing.T) {
	body := archive(t, "content.xml", "garbage", "META-INF/manifest.xml", `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry></manifest:manifest>`)
	for _, read := range []reader{ODT, ODS, ODP} {
		if _, err := read(t.Context(), body, Options{}); !errors.Is(err, ErrEncrypted) {
			t.Errorf("got %v", err)
		}
	}
}
