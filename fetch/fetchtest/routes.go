package fetchtest

import "net/http"

// routes is everything the site answers. Numbers in queries are bounded; a path that isn't here is a 404.
func (s *Site) routes() http.Handler {
	m := http.NewServeMux()
	for path, h := range map[string]http.HandlerFunc{
		// pages
		"/article": page(articlePage), // a text with navigation and footer around it
		"/table":   page(tablePage),
		"/js":      page(jsPage),    // ?ms= delay (default 200): the script puts the content in after it
		"/spa":     page(spaPage),   // an empty #root that a script fills at once
		"/links":   page(linksPage), // relative, absolute, with <base>-less forms, mailto, fragment, repeated
		"/images":  page(imagesPage),
		"/meta":    page(metaPage), // title, description, Open Graph, Dublin Core, canonical…
		"/deep":    deep,           // ?n= nested elements (default 1000, at most 200000) around one text
		"/app.js":  script,
		// other types
		"/json":  typed("application/json", `{"name":"winnow","tags":["a","b"],"size":3}`),
		"/text":  typed("text/plain; charset=utf-8", "plain text\nsecond line: naïve café\n"),
		"/xml":   typed("application/xml", `<?xml version="1.0"?><list><item id="1">one</item><item id="2">two</item></list>`),
		"/pdf":   typed("application/pdf", onePagePDF()),
		"/png":   typed("image/png", onePNG()),
		"/octet": typed("application/octet-stream", "\x00\x01\x02\x03 not known to anybody \xfe\xff"),
		"/lying": lying, // ?as=type&kind=html|pdf|png|json: a body under another type
		// redirects and cookies
		"/redirect/{n}":  redirectN,  // n hops to /article
		"/redirect-to":   redirectTo, // ?url=&status= (default 302)
		"/loop":          redirectLoop,
		"/cookies/set":   setCookies, // sets the query as cookies and redirects to /cookies/show
		"/cookies/show":  showCookies,
		"/cookies/count": countCookies, // redirects to itself until its cookie says 3: a loop that ends
		"/headers":       showHeaders,  // the request's headers as JSON
		// status codes
		"/status/{n}":             status,
		"/status/{n}/retry-after": statusRetryAfter, // ?s= seconds (default 1)
		"/flaky":                  s.flaky,          // ?fail=N&status=503&key=: fails N times, then a page
		// silence, length, broken connections
		"/slow":         s.slow,    // ?ms= before the first byte
		"/never":        s.never,   // headers, then nothing
		"/silent":       s.silent,  // not even headers
		"/endless":      s.endless, // a body without an end
		"/huge":         huge,      // ?bytes= (at most 1 GiB), with Content-Length; &chunked=1 without
		"/truncated":    truncated, // a Content-Length that is larger than the body
		"/truncated/te": truncatedChunks,
		"/reset":        reset, // the connection is reset before a response
		"/reset/body":   resetBody,
		"/empty":        empty, // the connection is closed before a response
		"/rubbish":      rubbish,
		"/big-headers":  bigHeaders, // ?bytes= (default 1 MiB) of response headers
		// content-encodings
		"/gzip":        encoded("gzip", gzipped),
		"/deflate":     encoded("deflate", zlibbed),
		"/deflate/raw": encoded("deflate", deflated),
		"/br":          encoded("br", brotlied),
		"/zstd":        encoded("zstd", zstded),
		"/gzip/twice":  encoded("gzip, gzip", func(b []byte) []byte { return gzipped(gzipped(b)) }),
		"/gzip/tail":   encoded("gzip", func(b []byte) []byte { return append(gzipped(b), "rubbish"...) }),
		"/gzip-bomb":   gzipBomb, // ?mb= (default 200) of zeros
		"/zstd-bomb":   zstdBomb,
		"/broken-gzip": encoded("gzip", func(b []byte) []byte { return gzipped(b)[:60] }),
		"/broken-br":   encoded("br", func([]byte) []byte { return []byte("\xff\xff\xff not brotli") }),
		"/broken-zstd": encoded("zstd", func([]byte) []byte { return []byte("\x28\xb5\x2f\xfd\xff\xff\xff\xff") }),
		// charsets
		"/windows-1251":            inCharset("text/html; charset=windows-1251", "", windows1251Bytes),
		"/shift_jis":               inCharset("text/html", `<meta charset="shift_jis">`, shiftJISBytes),
		"/gbk":                     inCharset("text/html", `<meta http-equiv="Content-Type" content="text/html; charset=gbk">`, gbkBytes),
		"/utf16":                   utf16Page,
		"/xml-windows-1251":        xml1251,
		"/no-charset-windows-1251": inCharset("text/html", "", windows1251Bytes),
		"/no-charset-shift_jis":    inCharset("text/html", "", shiftJISBytes),
		"/no-charset-gbk":          inCharset("text/html", "", gbkBytes),
		"/no-charset-euc-jp":       inCharset("text/html", "", eucJPBytes),
		"/no-charset-windows-1252": inCharset("text/html", "", windows1252Bytes),
		"/no-charset-utf8":         inCharset("text/html", "", Cyrillic),
		"/broken-charset":          inCharset("text/html; charset=utf-8", "", "good \xff\xfe bad \xc3 end"),
		"/unknown-charset":         inCharset("text/html; charset=no-such-thing", "", Cyrillic),
	} {
		m.HandleFunc(path, h)
	}
	return m
}
