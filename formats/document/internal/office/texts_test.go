package office

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/winnow-go/winnow/formats/document/internal/xmltree"
)

func TestCSV_delimitersAreFound(t *testing.T) {
	const want = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>1</td><td>2,5</td></tr></table>"
	for name, in := range map[string]string{
		"comma":       "a,b\r\n1,\"2,5\"\r\n",
		"semicolon":   "a;b\n1;2,5\n",
		"tab":         "a\tb\n1\t2,5\n",
		"bar":         "a|b\n1|2,5",
		"told inside": "sep=;\na;b\n1;2,5\n",
		"BOM":         "\xEF\xBB\xBFa;b\n1;2,5\n",
	} {
		if got := bodyOfDoc(t, CSV, []byte(in), Options{}); got != want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

func TestCSV_rules(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"quotes":               {"a,b\n\"x \"\"y\"\"\nz\",2", "<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>x &#34;y&#34;<br>z</td><td>2</td></tr></table>"},
		"lines of any width":   {"a,b,c\n1\n1,2,3,4", "<table><tr><td>a</td><td>b</td><td>c</td><td></td></tr><tr><td>1</td><td></td><td></td><td></td></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>"},
		"a stray quote":        {"a,b\n5\" disk,2", "<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>5&#34; disk</td><td>2</td></tr></table>"},
		"numbers are no names": {"1,2\n3,4", "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"},
		"nothing":              {"", ""},
	} {
		if got := bodyOfDoc(t, CSV, []byte(c.in), Options{}); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, c.want)
		}
	}
}

func TestCSV_encodingsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		enc  encoding.Encoding
		text string
	}{
		"windows-1252": {charmap.Windows1252, "Größe;Straße;Müller\nfür;süß;schön\n"},
		"Shift_JIS":    {japanese.ShiftJIS, "名前,住所\n佐藤,東京\n"},
		"EUC-JP":       {japanese.EUCJP, "なまえ,ひらがな\nさとう,とうきょう\n"},
		"EUC-KR":       {korean.EUCKR, "이름,주소\n서울,부산\n"},
		"GBK":          {simplifiedchinese.GBK, "姓名,地址,中国\n北京,上海,我们\n"},
		"Big5":         {traditionalchinese.Big5, "姓名,地址,中國\n臺北,高雄,我們\n"},
		"UTF-16":       {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), "ä;ö\n1;2\n"},
	} {
		body, err := c.enc.NewEncoder().Bytes([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		got := bodyOfDoc(t, CSV, body, Options{})
		for _, cell := range strings.FieldsFunc(c.text, func(r rune) bool { return strings.ContainsRune(",;\n", r) }) {
			if !strings.Contains(got, ">"+cell+"<") {
				t.Errorf("%s: no %q in %s", name, cell, got)
			}
		}
	}
}

func TestCSV_aToldCharsetCounts(t *testing.T) {
	body, err := charmap.Windows1251.NewEncoder().Bytes([]byte("да,нет\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := bodyOfDoc(t, CSV, body, Options{Charset: "windows-1251"}); !strings.Contains(got, "<td>да</td><td>нет</td>") {
		t.Errorf("got %s", got)
	}
}

// bookOf makes a book of chapters: pairs of manifest attributes and XHTML.
func bookOf(tb testing.TB, parts []string, chapters ...string) []byte {
	var items, spine string
	for i := 0; i < len(chapters); i += 2 {
		n := itoa(i/2 + 1)
		items += `<item id="c` + n + `" href="text/c%20` + n + `.xhtml" media-type="application/xhtml+xml"` + chapters[i] + `/>`
		spine = `<itemref idref="c` + n + `"/>` + spine // the other way round
		parts = append(parts, "OPS/text/c "+n+".xhtml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>`+chapters[i+1]+`</body></html>`)
	}
	parts = append(parts, "mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
		"OPS/book.opf", `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator><dc:language>en</dc:language></metadata>`+
			`<manifest>`+items+`</manifest><spine>`+spine+`</spine></package>`)
	return archive(tb, parts...)
}

func TestEPUB_chaptersComeInTheSpinesOrder(t *testing.T) {
	body := bookOf(t, nil, "", "<h1>Last</h1>", ` properties="nav"`, "<nav>contents</nav>", "", "<h1>First</h1>")
	doc, err := EPUB(t.Context(), body, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := squeeze(doc.Body); got != "<h1>First</h1><h1>Last</h1>" || doc.Meta.Title != "Book" || doc.Meta.Author != "Ann, Bo" || doc.Meta.Language != "en" {
		t.Errorf("got %s %+v", got, doc.Meta)
	}
}

func TestEPUB_chaptersAreReducedToStructure(t *testing.T) {
	body := bookOf(t, nil, "", `<p onclick="x()" style="color:red">a<script>alert(1)</script><img src="../cover.jpg" alt="Cover"/><a href="c%202.xhtml#x">in</a> <a href="https://example.org/">out</a></p><svg><text>no</text></svg><div/><p>b`)
	want := `<p>a<span role="img">Cover</span><a>in</a> <a href="https://example.org/">out</a></p><div></div><p>b</p>`
	if got := bodyOfDoc(t, EPUB, body, Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEPUB_notesStayLinkedAcrossChapters(t *testing.T) {
	body := bookOf(t, nil, "", `<p id="n1">The note. <a epub:type="backlink" href="c%202.xhtml#r1">back</a></p>`, "", `<p>a<a epub:type="noteref" id="r1" href="c%201.xhtml#n1">1</a></p>`)
	want := `<p>a<a id="OPS-text-c-2.xhtml-r1" href="#OPS-text-c-1.xhtml-n1">1</a></p><p id="OPS-text-c-1.xhtml-n1">The note. <a href="#OPS-text-c-2.xhtml-r1">back</a></p>`
	if got := bodyOfDoc(t, EPUB, body, Options{}); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEPUB_lockedChaptersAreAnError(t *testing.T) {
	lock := func(uri string) []string {
		return []string{"META-INF/encryption.xml", `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="` + uri + `"/></enc:CipherData></enc:EncryptedData></encryption>`}
	}
	if _, err := EPUB(t.Context(), bookOf(t, lock("OPS/text/c%201.xhtml"), "", "x"), Options{}); !errors.Is(err, ErrEncrypted) {
		t.Errorf("got %v", err)
	}
	if got := bodyOfDoc(t, EPUB, bookOf(t, lock("OPS/font.otf"), "", "<p>x</p>"), Options{}); got != "<p>x</p>" {
		t.Errorf("got %s", got)
	}
}

func TestEML_rules(t *testing.T) {
	const head = "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: b@example.org\r\nSubject: =?iso-8859-1?Q?Gr=FC=DFe?=\r\nDate: Wed, 01 May 2024 10:00:00 +0000\r\n"
	const top = `<h1>Grüße</h1><p><strong>From:</strong> Jörg &lt;j@example.org&gt;<br><strong>To:</strong> b@example.org<br><strong>Date:</strong> Wed, 01 May 2024 10:00:00 +0000</p>`
	for name, c := range map[string]struct{ in, want string }{
		"plain text":         {"\r\nHello\r\nthere\r\n\r\n> quoted\r\n> more\r\n", "<p>Hello<br>there</p><blockquote><p>quoted<br>more</p></blockquote>"},
		"quoted-printable":   {"Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nsch=F6n=\r\n so", "<p>schön so</p>"},
		"base64":             {"Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+SGk8c2NyaXB0Png8L3NjcmlwdD48L3A+\r\n", "<p>Hi</p>"},
		"of two, the richer": {"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nplain\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--b--\r\n", "<p>rich</p>"},
		"attachments":        {"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\nContent-Type: application/pdf; name=x\r\nContent-Disposition: attachment; filename=\"a.pdf\"\r\n\r\n%PDF\r\n--b--\r\n", "<p>text</p><ul><li>Attachment: a.pdf</li></ul>"},
		"a forwarded letter": {"Content-Type: message/rfc822\r\n\r\nSubject: Inner\r\n\r\nold", "<h2>Inner</h2><p>old</p>"},
		"no end":             {"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext", "<p>text</p>"},
	} {
		if got := bodyOfDoc(t, EML, []byte(head+c.in), Options{}); got != top+c.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, top+c.want)
		}
	}
}

func TestBookMeta_aSubjectIsNoDescription(t *testing.T) {
	root, err := xmltree.Parse(t.Context(), []byte(`<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject>Farming</dc:subject></metadata>`))
	if err != nil {
		t.Fatal(err)
	}
	if m := bookMeta(root); m.Subject != "" || !slices.Equal(m.Keywords, []string{"Farming"}) {
		t.Errorf("got %q, %q", m.Subject, m.Keywords)
	}
}
