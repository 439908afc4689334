package engine

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/winnow-go/winnow/engine/internal/page"
)

// charsetSite serves a page in an encoding, with what its path and its query declare.
type charsetSite struct{ pages map[string]charsetPage }

type charsetPage struct{ contentType, body, text string }

func (s *charsetSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := s.pages[r.URL.Path]
	w.Header().Set("Content-Type", p.contentType)
	http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", Path: "/"})
	_, _ = w.Write([]byte(p.body))
}

func encodedAs(t *testing.T, charset, text string) string {
	t.Helper()
	e, err := htmlindex.Get(charset)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The texts are short: Chromium knows nearly all of them, but never UTF-8, and takes what is left for what the host's country was used to.
const (
	germanText   = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich."
	frenchText   = "Dès Noël où un zéphyr haï me vêt de glaçons, je dîne d'exquis rôtis."
	czechText    = "Příliš žluťoučký kůň úpěl ďábelské ódy. Všichni lidé se rodí svobodní."
	russianText  = "Съешь ещё этих мягких французских булок, да выпей чаю."
	japaneseText = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
	chineseText  = "道可道，非常道。名可名，非常名。无名天地之始；有名万物之母。"
	koreanText   = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."
)

func charsetPages(t *testing.T) map[string]charsetPage {
	html := func(text string) string { return "<!DOCTYPE html><title>t</title><main><p>" + text + "</p></main>" }
	late := func(meta, text string) string {
		return "<head><style>" + strings.Repeat("a{}\n", 800) + "</style>" + meta + "</head>" + "<main><p>" + text + "</p></main>"
	}
	return map[string]charsetPage{
		"/windows-1252": {"text/html", html(encodedAs(t, "windows-1252", germanText)), germanText},
		"/french":       {"text/html", html(encodedAs(t, "windows-1252", frenchText)), frenchText},
		"/shift_jis":    {"text/html", html(encodedAs(t, "shift_jis", japaneseText)), japaneseText},
		"/euc-jp":       {"text/html", html(encodedAs(t, "euc-jp", japaneseText)), japaneseText},
		"/gbk":          {"text/html", html(encodedAs(t, "gbk", chineseText)), chineseText},
		"/euc-kr":       {"text/html", html(encodedAs(t, "euc-kr", koreanText)), koreanText},
		"/koi8-r":       {"text/html", html(encodedAs(t, "koi8-r", russianText)), russianText},
		"/windows-1251": {"text/html", html(encodedAs(t, "windows-1251", russianText)), russianText},
		"/iso-8859-2":   {"text/html", html(encodedAs(t, "iso-8859-2", czechText)), czechText},
		"/utf-8":        {"text/html", html(russianText), russianText},
		"/utf-8/kana":   {"text/html", html(japaneseText), japaneseText},
		"/bom":          {"text/html; charset=windows-1252", "\ufeff" + html(russianText), russianText},
		"/header":       {"text/html; charset=koi8-r", "<meta charset=utf-8>" + html(encodedAs(t, "koi8-r", russianText)), russianText},
		"/unknown":      {"text/html; charset=nonsense", html(encodedAs(t, "koi8-r", russianText)), russianText},
		"/late":         {"text/html", late("<meta charset=koi8-r>", encodedAs(t, "koi8-r", russianText)), russianText},
		"/late/wrong":   {"text/html", late("<meta charset=windows-1252>", encodedAs(t, "koi8-r", russianText)), ""},
		"/xml":          {"text/html", `<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>` + html(encodedAs(t, "windows-1251", russianText)), russianText},
		"/wrong":        {"text/html; charset=iso-8859-1", html(germanText), germanText},
		"/wrong/meta":   {"text/html", "<meta charset=windows-1251>" + html(russianText), russianText},
		"/wrong/utf-8":  {"text/html; charset=utf-8", html(encodedAs(t, "windows-1252", frenchText)), frenchText},
		"/iso-2022-jp":  {"text/html", html(encodedAs(t, "iso-2022-jp", japaneseText)), japaneseText},
		"/controls":     {"text/html; charset=windows-1252", html("a\x81b " + russianText), ""},
		"/plain":        {"text/plain", russianText, russianText},
		"/plain/koi8-r": {"text/plain", encodedAs(t, "koi8-r", russianText), russianText},
		"/plain/kana":   {"text/plain; charset=shift_jis", encodedAs(t, "shift_jis", japaneseText), japaneseText},
		"/script":       {"text/javascript", encodedAs(t, "koi8-r", "// "+russianText), russianText},
	}
}

// What declares no charset, a wrong one, or several, is read alike by plain HTTP and in the browser, also where a country's hosts have another default.
func TestScrape_charsetsAreReadAlikeByHTTPAndBrowser(t *testing.T) {
	t.Parallel()
	s := &charsetSite{charsetPages(t)}
	e := hostEngine(t, map[string]http.Handler{"a.example": s, "a.jp": s, "a.cz": s})
	few := []string{"/shift_jis", "/french", "/utf-8", "/late", "/xml", "/wrong", "/plain/koi8-r"}
	for path, p := range s.pages {
		if raced && !slices.Contains(few, path) {
			continue
		}
		hosts := []string{"a.jp"}
		if strings.Count(path, "/") == 1 && !raced {
			hosts = append(hosts, "a.example")
		}
		if path == "/french" {
			hosts = append(hosts, "a.cz")
		}
		for _, host := range hosts {
			t.Run(host+path, func(t *testing.T) {
				t.Parallel()
				byHTTP, err1 := e.Scrape(t.Context(), "https://"+host+path, ScrapeOptions{Render: RenderNever, MaxAge: fresh})
				inBrowser, err2 := e.Scrape(t.Context(), "https://"+host+path, ScrapeOptions{Render: RenderAlways, MaxAge: fresh})
				if err1 != nil || err2 != nil {
					t.Fatal(err1, err2)
				}
				if !strings.Contains(byHTTP.Markdown, p.text) || byHTTP.Markdown != inBrowser.Markdown || byHTTP.Metadata.ContentType != inBrowser.Metadata.ContentType {
					t.Errorf("got %s %q\nand %s %q, %s", byHTTP.Metadata.ContentType, byHTTP.Markdown, inBrowser.Metadata.ContentType, inBrowser.Markdown, inBrowser.Warning)
				}
			})
		}
	}
}

// In auto the browser is told at once, and what comes with the answer counts all the same: cookies, the address, the status; and the
// caller's headers are sent.
func TestScrape_autoTellsTheBrowserTheCharset(t *testing.T) {
	t.Parallel()
	e := hostEngine(t, map[string]http.Handler{"a.jp": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/go" {
			http.Redirect(w, r, "/here?a=*&b=%5C", http.StatusFound)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "yes", Path: "/"})
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("<p>" + russianText + "<p>For " + r.Header.Get("X-Own") + "<p id=stock></p><script>fetch('/x').then(() => { stock.textContent = 'Seven pieces are left here: ' + document.cookie + document.characterSet })</script>"))
	})})
	doc, err := e.Scrape(t.Context(), "https://a.jp/go", ScrapeOptions{Headers: map[string]string{"X-Own": "mine"}, SkipTLSVerification: new(true)})
	if err != nil {
		t.Fatal(err)
	}
	m := doc.Metadata
	if m.RenderedBy != string(page.ByBrowser) || m.StatusCode != http.StatusNotFound || m.URL != "https://a.jp/here?a=*&b=%5C" || m.ContentType != "text/html" ||
		!strings.Contains(doc.Markdown, russianText) || !strings.Contains(doc.Markdown, "Seven pieces are left here: seen=yesUTF-8") ||
		!strings.Contains(doc.Markdown, "For mine") {
		t.Errorf("%s %d %s %s: %q, %q", m.RenderedBy, m.StatusCode, m.URL, m.ContentType, doc.Markdown, doc.Warning)
	}
}
