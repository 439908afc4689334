package office

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/document/internal/pictures"
)

// dot is a PNG of one color.
func dot(tb testing.TB, shade uint8) string {
	tb.Helper()
	var b bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, 2, 2))
	img.Pix[0] = shade
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// album keeps pictures under addresses that count up.
type album struct{ kept []pictures.Picture }

func (a *album) set() *pictures.Set {
	return pictures.New(func(p pictures.Picture) (string, error) {
		a.kept = append(a.kept, p)
		return "kept/" + itoa(len(a.kept)) + ".png", nil
	}, pictures.Limits{Count: 100, Bytes: 1 << 20})
}

// pictured reads a file whose pictures are kept: want is its HTML, kept how many there are and warnings all that is said.
func pictured(t *testing.T, read reader, body []byte, want string, kept int, warnings ...string) {
	t.Helper()
	var a album
	set := a.set()
	got := bodyOfDoc(t, read, body, Options{Pictures: set})
	if got != want || len(a.kept) != kept || !slices.Equal(set.Warnings(), warnings) {
		t.Errorf("got  %s\nwant %s\n%d kept, want %d; %q", got, want, len(a.kept), kept, set.Warnings())
	}
}

func emf() string { return "\x01\x00\x00\x00" + strings.Repeat("\x00", 36) + " EMF" }

// wpic is a drawing that shows the picture of a relation.
func wpic(id, descr string) string {
	return `<w:r><w:drawing><wp:inline><wp:docPr descr="` + descr + `"/><a:graphic><a:graphicData>` + picIn(id, "") + `</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
}

func picIn(id, descr string) string {
	return `<pic:pic><pic:nvPicPr><pic:cNvPr descr="` + descr + `"/></pic:nvPicPr><pic:blipFill><a:blip r:embed="` + id + `"/></pic:blipFill></pic:pic>`
}

// pictureDocx has the pictures one, two and, again, one; an EMF; one that is missing.
func pictureDocx(tb testing.TB, body string) []byte {
	relations := strings.Replace(docxRelsXML, "</Relationships>", relTo("one", "image", "media/one.png")+relTo("two", "image", "/word/media/two.jpg")+
		relTo("again", "image", "media/copy.png")+relTo("emf", "image", "media/three.emf")+relTo("gone", "image", "media/gone.png")+"</Relationships>", 1)
	open := strings.Replace(docxOpen, "<w:document ", `<w:document xmlns:v="urn:schemas-microsoft-com:vml" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" `, 1)
	return archive(tb, "word/document.xml", open+body+"</w:body></w:document>", "word/_rels/document.xml.rels", relations,
		"word/styles.xml", docxStylesXML, "word/numbering.xml", docxNumberingXML,
		"word/media/one.png", dot(tb, 1), "word/media/two.jpg", dot(tb, 2), "word/media/copy.png", dot(tb, 1), "word/media/three.emf", emf())
}

func TestDOCX_picturesOfTheFile(t *testing.T) {
	vml := `<w:r><w:pict><v:shape alt="Old"><v:imagedata r:id="two"/></v:shape></w:pict></w:r>`
	group := `<w:r><w:drawing><wp:anchor><wp:docPr descr="Both"/><wpg>` + picIn("one", "Left") + picIn("two", "Right") + `</wpg></wp:anchor></w:drawing></w:r>`
	boxed := `<w:r><w:drawing><wp:docPr descr="A sign"/>` + picIn("one", "Sign") + `<wps:txbx><w:txbxContent>` + wp("", wr("", "Stop")+wpic("two", "In the box")) + `</w:txbxContent></wps:txbx></w:drawing></w:r>`
	const kinds = "Pictures were left out (of kinds that browsers don't show): three.emf."
	for name, c := range map[string]struct {
		body, want string
		kept       int
		warnings   []string
	}{
		"in their places": {wp("", wr("", "a ")+wpic("one", "First")+wr("", " b")) + wp("", wpic("two", "")),
			`<p>a <img src="kept/1.png" alt="First"> b</p><p><img src="kept/2.png" alt=""></p>`, 2, nil},
		"one in several places": {wp("", wpic("one", "A")) + wp("", wpic("one", "B")) + wp("", wpic("again", "C")),
			`<p><img src="kept/1.png" alt="A"></p><p><img src="kept/1.png" alt="B"></p><p><img src="kept/1.png" alt="C"></p>`, 1, nil},
		"VML":                 {wp("", vml), `<p><img src="kept/1.png" alt="Old"></p>`, 1, nil},
		"a group":             {wp("", group), `<p><img src="kept/1.png" alt="Left"><img src="kept/2.png" alt="Right"></p>`, 2, nil},
		"beside and in a box": {wp("", boxed), `<p><img src="kept/2.png" alt="Sign"></p><p>Stop<img src="kept/1.png" alt="In the box"></p>`, 2, nil},
		"in a cell": {`<w:tbl><w:tr><w:tc>` + wp("", wr("", "x")) + `</w:tc><w:tc>` + wp("", wpic("one", "P")) + `</w:tc></w:tr></w:tbl>`,
			`<table><tr><td>x</td><td><img src="kept/1.png" alt="P"></td></tr></table>`, 1, nil},
		"of a kind that isn't shown": {wp("", wpic("emf", "Chart")), `<p><span role="img">Chart</span></p>`, 0, []string{kinds}},
		"missing":                    {wp("", wpic("gone", "Gone")), `<p><span role="img">Gone</span></p>`, 0, []string{"Pictures were left out (damaged or missing): gone.png."}},
		"no relation":                {wp("", wpic("none", "None")), `<p><span role="img">None</span></p>`, 0, nil},
		"of the web":                 {wp("", strings.Replace(wpic("x", "Web"), `r:embed="x"`, `r:embed="one" r:link="ext"`, 1)), `<p><img src="https://example.org/p.png" alt="Web"></p>`, 0, nil},
	} {
		t.Run(name, func(t *testing.T) { pictured(t, DOCX, pictureDocx(t, c.body), c.want, c.kept, c.warnings...) })
	}
}

func TestReaders_readNoPicturesThatNobodyWants(t *testing.T) {
	got := bodyOfDoc(t, DOCX, pictureDocx(t, wp("", wpic("one", "First")+wpic("gone", "Gone"))), Options{})
	if want := `<p><span role="img">First</span><span role="img">Gone</span></p>`; got != want {
		t.Errorf("got %s", got)
	}
}

func TestPPTX_picturesOfTheFile(t *testing.T) {
	pic := func(id, props string) string {
		return `<p:pic><p:nvPicPr><p:cNvPr ` + props + `/></p:nvPicPr><p:blipFill><a:blip r:embed="` + id + `"/></p:blipFill></p:pic>`
	}
	object := `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr descr="Object"/></p:nvGraphicFramePr><a:graphic><a:graphicData><mc:AlternateContent><mc:Choice><p:oleObj/></mc:Choice><mc:Fallback><p:oleObj>` + pic("one", "") + `</p:oleObj></mc:Fallback></mc:AlternateContent></a:graphicData></a:graphic></p:graphicFrame>`
	slide := slideOf(shapeOf("title", ap("", "T")) + pic("one", `descr="First"`) + "<p:grpSp>" + pic("two", `title="Second"`) + "</p:grpSp>" + object + pic("two", `descr="Secret" hidden="1"`))
	body := pptxOf(t, []string{slide}, "ppt/slides/_rels/slide1.xml.rels", rels(relTo("one", "image", "../media/1.png"), relTo("two", "image", "../media/2.png")),
		"ppt/media/1.png", dot(t, 1), "ppt/media/2.png", dot(t, 2))
	want := `<h2>T</h2><p><img src="kept/1.png" alt="First"></p><p><img src="kept/2.png" alt="Second"></p><p><img src="kept/1.png" alt="Object"></p><p><span role="img">Secret</span></p>`
	pictured(t, PPTX, body, want, 2)
}

func TestXLSX_picturesComeAfterTheirSheet(t *testing.T) {
	anchor := func(row, col, pic string) string {
		return `<xdr:twoCellAnchor><xdr:from><xdr:col>` + col + `</xdr:col><xdr:row>` + row + `</xdr:row></xdr:from>` + pic + `</xdr:twoCellAnchor>`
	}
	pic := func(id, props string) string {
		return `<xdr:pic><xdr:nvPicPr><xdr:cNvPr ` + props + `/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="` + id + `"/></xdr:blipFill></xdr:pic>`
	}
	drawing := `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		anchor("7", "0", pic("one", `descr="Low"`)) + anchor("2", "5", "<xdr:grpSp>"+pic("two", `descr="Right"`)+"</xdr:grpSp>") + anchor("2", "1", pic("one", `descr="Left"`)) +
		anchor("1", "1", pic("one", `hidden="1"`)) + `</xdr:wsDr>`
	parts := []string{"xl/worksheets/_rels/sheet1.xml.rels", rels(relTo("d", "drawing", "../drawings/drawing1.xml")),
		"xl/drawings/drawing1.xml", drawing, "xl/drawings/_rels/drawing1.xml.rels", rels(relTo("one", "image", "../media/1.png"), relTo("two", "image", "../media/2.png")),
		"xl/media/1.png", dot(t, 1), "xl/media/2.png", dot(t, 2)}
	images := `<p><img src="kept/1.png" alt="Left"></p><p><img src="kept/2.png" alt="Right"></p><p><img src="kept/1.png" alt="Low"></p>`
	cells := `<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>`
	pictured(t, XLSX, sheetFile(t, cells+`<drawing r:id="d"/>`, slices.Clone(parts)...), `<h2>S</h2><table><tr><td>1</td></tr></table>`+images, 2)
	pictured(t, XLSX, sheetFile(t, `<sheetData/><drawing r:id="d"/>`, slices.Clone(parts)...), `<h2>S</h2>`+images, 2)
	if got := bodyOfDoc(t, XLSX, sheetFile(t, `<sheetData/>`, slices.Clone(parts)...), Options{}); got != "" {
		t.Errorf("without pictures: got %s", got)
	}
}

func TestODF_picturesOfTheFile(t *testing.T) {
	frame := func(images string) string { return "<draw:frame>" + images + "<svg:desc>A cat</svg:desc></draw:frame>" }
	img := func(href string) string { return `<draw:image xlink:href="` + href + `"/>` }
	text := "<text:p>a" + frame(img("Pictures/1.png")) + "</text:p>" + frame(img("./Pictures/2.emf")+img("Pictures/2.png")) + "<text:p>" + frame(img("https://example.org/x.png")) + "</text:p>"
	body := odfOf(t, text)
	body = withParts(t, body, "Pictures/1.png", dot(t, 1), "Pictures/2.png", dot(t, 2), "Pictures/2.emf", emf())
	want := `<p>a<img src="kept/1.png" alt="A cat"></p><p><img src="kept/2.png" alt="A cat"></p><p><img src="https://example.org/x.png" alt="A cat"></p>`
	pictured(t, ODT, body, want, 2)
}

// withParts adds parts to an archive.
func withParts(tb testing.TB, body []byte, parts ...string) []byte {
	p, err := openPack(body, Limits{}.withDefaults())
	if err != nil {
		tb.Fatal(err)
	}
	for name := range p.files {
		data, err := p.read(name)
		if err != nil {
			tb.Fatal(err)
		}
		parts = append(parts, name, string(data))
	}
	return archive(tb, parts...)
}

func TestEPUB_picturesOfTheFile(t *testing.T) {
	cover := `<svg xmlns:xlink="http://www.w3.org/1999/xlink"><title>no</title><image width="9" xlink:href="../pics/the%20cover.jpg"/></svg>`
	text := `<p>a<img src="../pics/two.png#x" alt="Two &amp; 2"/><img src="/OPS/pics/two.png" alt=""/><img src="https://example.org/w.png" alt="web"/></p>` +
		`<p><img src="file:///etc/passwd" alt="no"/><img src="data:image/png;base64,AAAA" alt="data"/><img src="../../../x.emf" alt="e"/><img href="../pics/two.png"/></p>`
	body := bookOf(t, []string{"OPS/pics/the cover.jpg", dot(t, 1), "OPS/pics/two.png", dot(t, 2), "x.emf", emf()}, "", text, "", cover)
	want := `<img src="kept/1.png" alt=""><p>a<img src="kept/2.png" alt="Two &amp; 2"><img src="kept/2.png" alt=""><img src="https://example.org/w.png" alt="web"></p>` +
		`<p><span role="img">no</span><span role="img">data</span><span role="img">e</span></p>`
	pictured(t, EPUB, body, want, 2, "Pictures were left out (of kinds that browsers don't show): x.emf.")
}

func TestEPUB_encryptedPicturesAreNamed(t *testing.T) {
	lock := `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherReference URI="OPS/p.png"/></encryption>`
	body := bookOf(t, []string{"META-INF/encryption.xml", lock, "OPS/p.png", dot(t, 1)}, "", `<p>a<img src="../p.png" alt="P"/></p>`)
	pictured(t, EPUB, body, `<p>a<span role="img">P</span></p>`, 0, "Pictures were left out (damaged or missing): p.png.")
}

// Pictures take nothing of what the text may unpack to, and a file of many that are nothing but zeros ends soon.
func TestDOCX_picturesAreNoBombs(t *testing.T) {
	zeros, body, relations, parts := strings.Repeat("\x00", 3<<20), "", []string{}, []string{}
	for i := range 20 {
		id := "z" + itoa(i)
		body += wp("", wpic(id, "Z"))
		relations = append(relations, relTo(id, "image", "media/"+id+".png"))
		parts = append(parts, "word/media/"+id+".png", zeros)
	}
	open := strings.Replace(docxOpen, "<w:document ", `<w:document xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" `, 1)
	file := archive(t, append(parts, "word/document.xml", open+body+wp("", wr("", "The end"))+"</w:body></w:document>", "word/_rels/document.xml.rels", rels(relations...))...)
	set := pictures.New(func(pictures.Picture) (string, error) { return "x", nil }, pictures.Limits{Count: 100, Bytes: 4 << 20})
	doc, err := DOCX(t.Context(), file, Options{Pictures: set, Limits: Limits{Unzipped: 1 << 20}})
	if err != nil || !strings.Contains(string(doc.Body), "The end") {
		t.Fatalf("got %v, %v", doc, err)
	}
	got := set.Warnings()
	if len(got) != 2 || !strings.Contains(got[0], "don't show): z0.png.") || !strings.Contains(got[1], "one file): z1.png, ") {
		t.Errorf("got %q", got)
	}
}

func TestReaders_pictureStoreFails(t *testing.T) {
	full := errors.New("disk full")
	set := pictures.New(func(pictures.Picture) (string, error) { return "", full }, pictures.Limits{Count: 9, Bytes: 1 << 20})
	if _, err := DOCX(t.Context(), pictureDocx(t, wp("", wpic("one", "A")+wpic("two", "B"))), Options{Pictures: set}); err != nil || set.Err() != full {
		t.Errorf("got %v, %v", err, set.Err())
	}
}

func FuzzDOCX_pictures(f *testing.F) {
	f.Add([]byte(wp("", wpic("one", "A"))), []byte(dot(f, 1)))
	f.Add([]byte(wp("", `<w:r><w:pict><v:shape alt="Old"><v:imagedata r:id="two"/></v:shape></w:pict></w:r>`)), []byte("<svg><script/></svg>"))
	f.Fuzz(func(t *testing.T, body, picture []byte) {
		file := withParts(t, pictureDocx(t, string(body)), "word/media/two.jpg", string(picture))
		var a album
		o := Options{Limits: fuzzLimits, Pictures: a.set()}
		if doc, err := DOCX(t.Context(), file, o); err == nil {
			checkHTML(t, doc.Body)
		}
	})
}
