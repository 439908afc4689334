package fetch

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/winnow-go/winnow/fetch/fetchtest"
)

func TestText_everyCharsetOfTheSite(t *testing.T) {
	site, c := fetchtest.New(t), newClient(t)
	for path, want := range map[string]struct{ charset, text string }{
		"/windows-1251":            {"windows-1251", fetchtest.Cyrillic},
		"/xml-windows-1251":        {"windows-1251", fetchtest.Cyrillic},
		"/shift_jis":               {"shift_jis", fetchtest.Japanese},
		"/gbk":                     {"gbk", fetchtest.Chinese},
		"/utf16":                   {"utf-16le", fetchtest.Cyrillic},
		"/utf16?be=1":              {"utf-16be", fetchtest.Cyrillic},
		"/utf16?bom=0&xml=1":       {"utf-16le", fetchtest.Cyrillic},
		"/utf16?bom=0&xml=1&be=1":  {"utf-16be", fetchtest.Cyrillic},
		"/utf16?xml=1":             {"utf-16le", fetchtest.Cyrillic},
		"/no-charset-windows-1251": {"windows-1251", fetchtest.Cyrillic},
		"/no-charset-shift_jis":    {"shift_jis", fetchtest.Japanese},
		"/no-charset-gbk":          {"gb18030", fetchtest.Chinese},
		"/no-charset-euc-jp":       {"euc-jp", fetchtest.Japanese},
		"/no-charset-windows-1252": {"windows-1252", fetchtest.Western},
		"/no-charset-utf8":         {"utf-8", fetchtest.Cyrillic},
		"/unknown-charset":         {"utf-8", fetchtest.Cyrillic},
		"/broken-charset":          {"windows-1251", "good яю bad Г end"},
		"/json":                    {"utf-8", "winnow"},
	} {
		t.Run(path, func(t *testing.T) {
			resp := mustDo(t, c, Request{URL: site.URL(path)})
			text, charset := Text(resp.Body, resp.Header.Get("Content-Type"))
			if charset != want.charset || !strings.Contains(string(text), want.text) {
				t.Errorf("%s: %q, want %s with %q", charset, text, want.charset, want.text)
			}
			if bytes.HasPrefix(text, []byte("\ufeff")) {
				t.Error("the byte order mark is left")
			}
		})
	}
}

func TestText_orderOfDeclarations(t *testing.T) {
	const html = "text/html"
	for _, test := range []struct {
		name, body, contentType, charset, want string
	}{
		{"BOM beats header", "\xef\xbb\xbfä", html + "; charset=windows-1252", "utf-8", "ä"},
		{"header beats meta", "<meta charset=utf-8>\xe4", html + "; charset=windows-1252", "windows-1252", "<meta charset=utf-8>ä"},
		{"valid UTF-8 beats a header of single bytes", "ä", html + "; charset=windows-1252", "utf-8", "ä"},
		{"but not where it isn't all", "ä \xe4.", html + "; charset=windows-1252", "windows-1252", "Ã¤ ä."},
		{"and not a header of several bytes", "ﾃ､", html + "; charset=shift_jis", "shift_jis", ""},
		{"valid UTF-8 that is cut off", "ä \xe2\x82", html + "; charset=windows-1252", "utf-8", "ä \ufffd"},
		{"UTF-8 is declared and is none", "caf\xe9", html + "; charset=utf-8", "windows-1252", "café"},
		{"UTF-8 is declared, and some bytes are none", strings.Repeat("ä", 50) + "\xff", html + "; charset=utf-8", "utf-8", strings.Repeat("ä", 50) + "\ufffd"},
		{"UTF-8 is declared, and the end is cut off", "café caf\xc3", html + "; charset=utf-8", "utf-8", "café caf\ufffd"},
		{"UTF-8 by its mark", "\ufeffcaf\xe9", html, "utf-8", "caf\ufffd"},
		{"meta says UTF-8 and it is none", "<meta charset=utf-8>caf\xe9", html, "windows-1252", "<meta charset=utf-8>café"},
		{"shifts of ISO-2022-JP", "\x1b$BF|K\\\x1b(B.", html, "iso-2022-jp", "日本."},
		{"one shift is none", "\x1b$BF|K\\", html, "utf-8", ""},
		{"meta beats the XML declaration", `<?xml version="1.0" encoding="koi8-r"?><meta charset="utf-8">`, html, "utf-8", ""},
		{"XML declaration beats meta in XML", `<?xml version="1.0" encoding="koi8-r"?><meta charset="utf-8"/>`, "application/xhtml+xml", "koi8-r", ""},
		{"XML declaration alone", `<?xml version="1.0" encoding="koi8-r"?><p>`, html, "koi8-r", ""},
		{"controls of windows-1252", "\x81\x8d\xe4", html + "; charset=windows-1252", "windows-1252", "\u0081\u008dä"},
		{"bytes that mean nothing", "\xaa\x81", html + "; charset=windows-1253", "windows-1253", "\ufffd\u0081"},
		{"XML declaration in single quotes", "<?xml version='1.0' encoding='koi8-r'?>", "application/xml", "koi8-r", ""},
		{"XML declaration with spaces", `<?xml version="1.0"  encoding = "KOI8-R" ?>`, "application/rss+xml", "koi8-r", ""},
		{"XML declaration without encoding", `<?xml version="1.0"?><p>ä</p>`, "application/xml", "utf-8", ""},
		{"XML declaration broken", `<?xml encoding=koi8-r?><p>`, "application/xml", "utf-8", ""},
		{"valid UTF-8 beats a meta of single bytes", "<meta charset=windows-1252>ä", html, "utf-8", "<meta charset=windows-1252>ä"},
		{"meta in capitals", "<META CHARSET='KOI8-R'>", html, "koi8-r", ""},
		{"meta http-equiv", `<meta content="text/html; charset=koi8-r" http-equiv="Content-type">`, html, "koi8-r", ""},
		{"meta http-equiv quoted inside", `<meta http-equiv=content-type content='text/html; charset="koi8-r"'>`, html, "koi8-r", ""},
		{"meta content without http-equiv", `<meta content="text/html; charset=koi8-r">`, html, "utf-8", ""},
		{"meta in a comment", "<!-- <meta charset=koi8-r> --><meta charset=utf-8>", html, "utf-8", ""},
		{"meta in a script", `<script>"<meta charset=koi8-r>"</script>`, html, "utf-8", ""},
		{"meta unknown, then known", "<meta charset=nonsense><meta charset=koi8-r>", html, "koi8-r", ""},
		{"meta says utf-16", "<meta charset=utf-16>ä", html, "utf-8", ""},
		{"meta says x-user-defined", "<meta charset=x-user-defined>\xe4", html, "windows-1252", "<meta charset=x-user-defined>ä"},
		{"meta late in the head", "<head><style>" + strings.Repeat("a{}", 2000) + "</style><meta charset=koi8-r></head>", html, "koi8-r", ""},
		{"meta in the body after the first bytes", "<head></head><body>" + strings.Repeat("<p>text</p>", 200) + "<meta charset=koi8-r>", html, "utf-8", ""},
		{"meta without any type", "<meta charset=koi8-r>", "", "koi8-r", ""},
		{"meta in JSON", `{"a":"<meta charset=koi8-r>"}`, "application/json", "utf-8", ""},
		{"meta in plain text", "<meta charset=koi8-r>", "text/plain", "utf-8", ""},
		{"label iso-8859-1", "\xe4", html + "; charset=iso-8859-1", "windows-1252", "ä"},
		{"label gb2312", "\xc4\xe3", html + "; charset=gb2312", "gbk", "你"},
		{"header in quotes", "\xe4", html + `; charset="windows-1252"`, "windows-1252", "ä"},
		{"header in wrong quotes", "\xe4", html + `; charset='windows-1252'`, "windows-1252", "ä"},
		{"header twice", "\xe4", html + `; charset=windows-1252; charset=utf-8`, "windows-1252", "ä"},
		{"header with rubbish", "\xe4", html + `;; a=b=c; Charset = windows-1252 ;`, "windows-1252", "ä"},
		{"header says utf-16le", "a\x00\xe4\x00", html + "; charset=utf-16", "utf-16le", "aä"},
		{"header says utf-16be", "\x00a\x00\xe4", html + "; charset=utf-16be", "utf-16be", "aä"},
		{"half a UTF-16 character", "\xff\xfea\x00\x00\xd8", html, "utf-16le", "a\ufffd"},
		{"odd length of UTF-16", "\xff\xfea\x00b", html, "utf-16le", "a\ufffd"},
		{"replacement", "\x1b$)Cabc", html + "; charset=iso-2022-kr", "replacement", "\ufffd"},
		{"nothing", "", "", "utf-8", ""},
		{"ASCII", "plain", "text/plain", "utf-8", "plain"},
		{"UTF-8 with some bad bytes", strings.Repeat("ä", 50) + "\xff", "text/plain", "utf-8", strings.Repeat("ä", 50) + "\ufffd"},
		{"one western byte", "caf\xe9", "text/plain", "windows-1252", "café"},
		{"NULs are kept", "a\x00b", "text/plain", "utf-8", "a\x00b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, charset := Text([]byte(test.body), test.contentType)
			if charset != test.charset {
				t.Errorf("charset %s, want %s", charset, test.charset)
			}
			if test.want != "" && string(text) != test.want {
				t.Errorf("text %q, want %q", text, test.want)
			}
		})
	}
}

func TestText_detectsUndeclaredParagraphs(t *testing.T) {
	for charset, text := range map[string]string{
		"windows-1251": fetchtest.Cyrillic,
		"koi8-r":       fetchtest.Cyrillic,
		"shift_jis":    fetchtest.Japanese,
		"euc-jp":       fetchtest.Japanese,
		"gb18030":      fetchtest.Chinese,
		"big5":         "道可道，非常道。名可名，非常名。無名天地之始；有名萬物之母。故常無欲，以觀其妙；常有欲，以觀其徼。此兩者，同出而異名，同謂之玄。",
		"euc-kr":       "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
		"windows-1252": fetchtest.Western,
		"windows-1253": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση.",
		"windows-1254": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler ve birbirlerine karşı kardeşlik zihniyeti ile hareket etmelidirler.",
		"utf-16le":     "Every page has some plain words in it.",
		"utf-16be":     "Every page has some plain words in it.",
	} {
		body := encodeAs(t, charset, text)
		// In front of it lies more ASCII than the sample is long.
		for _, before := range []string{"", strings.Repeat("<i></i>\n", 4000)} {
			if strings.HasPrefix(charset, "utf-16") && before != "" {
				continue
			}
			got, found := Text(append([]byte(before), body...), "")
			if string(got) != before+text {
				t.Errorf("%s was taken for %s: %.300q", charset, found, got[len(before):])
			}
		}
	}
}

func encodeAs(t testing.TB, charset, text string) []byte {
	t.Helper()
	e, err := htmlindex.Get(charset)
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The detector's goroutines give equal results in any order.
func TestText_detectionIsDeterministic(t *testing.T) {
	for _, body := range [][]byte{[]byte("\xe9\xe8\xe0 un"), []byte("\xc4\xe3\xba\xc3"), []byte("a \xf5 b \xb1 c \xe6")} {
		_, first := Text(body, "")
		for range 200 {
			if _, got := Text(body, ""); got != first {
				t.Fatalf("%q: %s and %s", body, first, got)
			}
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "plain", "\xef\xbb\xbfä", "\xff\xfea\x00", "\xfe\xff\x00a", "<?xml version='1.0' encoding='koi8-r'?>\xe4", "<meta charset=gbk>\xc4\xe3\xff",
		"caf\xe9", "\x1b$B%F\x1b(B", "\x84\x31\xa4\x37", "<?xml encoding=", "\x00<\x00?", "a\x00b\x00c\x00d\x00",
	} {
		f.Add([]byte(s), "text/html")
		f.Add([]byte(s), "text/plain; charset=iso-2022-jp")
		f.Add([]byte(s), "; charset=gb18030")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		before := bytes.Clone(body)
		text, charset := Text(body, contentType)
		if !utf8.Valid(text) {
			t.Errorf("%s: not UTF-8", charset)
		}
		if !bytes.Equal(before, body) {
			t.Error("the body was changed")
		}
		if len(text) > 3*len(body)+3 {
			t.Errorf("%d bytes became %d", len(body), len(text))
		}
		if canonical(charset) != charset {
			t.Errorf("%q is not a name of the standard", charset)
		}
	})
}

func BenchmarkText(b *testing.B) {
	page := func(charset, text string) []byte {
		return append([]byte("<!DOCTYPE html><html><head><title>t</title></head><body>"), encodeAs(b, charset, strings.Repeat("<p>"+text+"</p>\n", 150))...)
	}
	for _, bench := range []struct {
		name, contentType string
		body              []byte
	}{
		{"utf-8", "text/html", page("utf-8", fetchtest.Cyrillic)},
		{"windows-1251 declared", "text/html; charset=windows-1251", page("windows-1251", fetchtest.Cyrillic)},
		{"windows-1251 detected", "text/html", page("windows-1251", fetchtest.Cyrillic)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.SetBytes(int64(len(bench.body)))
			b.ReportAllocs()
			for b.Loop() {
				Text(bench.body, bench.contentType)
			}
		})
	}
}
