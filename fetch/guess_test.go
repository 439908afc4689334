package fetch

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/fetch/internal/guess"
)

// shortTexts are a line or two in the encodings that the web was written in, by encoding and language.
var shortTexts = map[string]string{
	"windows-1252 es": "El niño comió una manzana en el jardín. ¿Dónde está la estación? Mañana será otro día de sol, según dice el pronóstico del tiempo.",
	"windows-1252 pt": "A população não recebeu informações sobre as eleições. São Paulo é a maior cidade do país e também um centro econômico. Você já está aí?",
	"windows-1252 it": "La città è bella perché c'è il mare. Più tardi andrò a vedere l'università, poi mangerò là.",
	"windows-1252 sv": "Översättning av böcker från svenska är en svår konst. På fredag åker vi till Göteborg för att hälsa på.",
	"windows-1252 da": "Smørrebrød på dansk er både rugbrød og pålæg. Børnene går i skole hver dag på Sjælland.",
	"windows-1252 fi": "Tämä on hyvä päivä lähteä kävelylle. Äiti meni töihin, ja isä jäi kotiin lepäämään.",
	"windows-1252 de": "Über uns: Wir führen Geräte für Küche und Büro. Öffnungszeiten: täglich außer sonntags. Schöne Grüße!",
	"windows-1252 is": "Það er gott veður í dag á Íslandi. Ég ætla að fara í sund og síðan í búðina með móður minni.",
	"windows-1252 en": "It’s a naïve idea – “quoted” © 2020 company. The price is £5 or €6, at 20°C. Don’t panic…",
	"windows-1250 cs": "Dnešní počasí: polojasno, místy déšť. Zítra očekáváme oteplení. Vláda schválila nový zákon o daních z příjmů.",
	"windows-1250 sk": "Slovenská republika je štát v strednej Európe. Ďakujem vám za vašu návštevu. Kôň a mäso sú slová.",
	"windows-1250 pl": "Strona główna, aktualności, kontakt. Dziękujemy za odwiedzenie naszej strony. Łódź jest dużym miastem w Polsce.",
	"windows-1250 hu": "Köszönjük, hogy felkereste honlapunkat. Az időjárás ma esős lesz, de holnapra javul. Budapest gyönyörű város.",
	"windows-1250 ro": "Bună ziua, mulţumim că aţi vizitat pagina noastră. România este o ţară în sud-estul Europei şi are munţi înalţi.",
	"windows-1250 hr": "Zagreb je glavni grad Hrvatske. Vrijeme će biti sunčano, a sutra dolazi kiša. Čaša je puna šećera i đumbira.",
	"iso-8859-2 cs":   "Dnešní počasí: polojasno, místy déšť. Zítra očekáváme oteplení. Vláda schválila nový zákon o daních z příjmů.",
	"iso-8859-2 pl":   "Strona główna, aktualności, kontakt. Dziękujemy za odwiedzenie naszej strony. Łódź jest dużym miastem w Polsce.",
	"iso-8859-2 sl":   "Ljubljana je glavno mesto Slovenije. Danes bo sončno, jutri pa dež. Čaj in žemlja sta na mizi.",
	"windows-1254 tr": "Türkiye Cumhuriyeti'nin başkenti Ankara'dır. Bugün hava güneşli olacak. İletişim için aşağıdaki formu doldurunuz.",
	"windows-1257 lt": "Lietuvos sostinė yra Vilnius. Šiandien bus saulėta diena, o rytoj lis. Ačiū, kad apsilankėte mūsų svetainėje.",
	"windows-1257 lv": "Latvijas galvaspilsēta ir Rīga. Šodien būs saulains laiks, bet rīt līs. Paldies, ka apmeklējāt mūsu mājas lapu.",
	"windows-1257 et": "Täna on ilus ilm. Õpetaja läks kooli ja õpilased tõid raamatud. Žurnaal maksab viis krooni.",
	"windows-1251 ru": "Сегодня ожидается солнечная погода. Правительство приняло новый закон. Добро пожаловать на наш сайт!",
	"koi8-r ru":       "Сегодня ожидается солнечная погода. Правительство приняло новый закон. Добро пожаловать на наш сайт!",
	"iso-8859-5 ru":   "Сегодня ожидается солнечная погода. Правительство приняло новый закон. Добро пожаловать на наш сайт!",
	"ibm866 ru":       "Сегодня ожидается солнечная погода. Правительство приняло новый закон. Добро пожаловать на наш сайт!",
	"windows-1251 bg": "България е държава в Югоизточна Европа. Днес времето ще бъде слънчево, а утре се очаква дъжд.",
	"windows-1251 sr": "Београд је главни град Србије. Данас ће бити сунчано време, а сутра се очекује киша.",
	"windows-1251 uk": "Київ є столицею України. Сьогодні буде сонячна погода, а завтра очікується дощ. Ласкаво просимо на наш сайт.",
	"koi8-u uk":       "Київ є столицею України. Сьогодні буде сонячна погода, а завтра очікується дощ. Ласкаво просимо на наш сайт.",
	"windows-1253 el": "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας. Σήμερα ο καιρός θα είναι ηλιόλουστος. Καλώς ήρθατε στη σελίδα μας.",
	"iso-8859-7 el":   "Η Αθήνα είναι η πρωτεύουσα της Ελλάδας. Σήμερα ο καιρός θα είναι ηλιόλουστος. Καλώς ήρθατε στη σελίδα μας.",
	"windows-1255 he": "ירושלים היא בירת ישראל. היום יהיה מזג אוויר נאה, ומחר צפוי גשם. ברוכים הבאים לאתר שלנו.",
	"windows-1256 ar": "القاهرة هي عاصمة مصر. اليوم سيكون الطقس مشمسا وغدا من المتوقع هطول الأمطار. أهلا وسهلا بكم في موقعنا.",
	"windows-1256 fa": "تهران پايتخت ايران است. امروز هوا آفتابي خواهد بود. به سايت ما خوش آمديد.",
	"windows-874 th":  "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย วันนี้อากาศแจ่มใส พรุ่งนี้อาจมีฝนตก ยินดีต้อนรับสู่เว็บไซต์ของเรา",
	"shift_jis ja":    "東京は日本の首都です。今日は晴れ、明日は雨の予報です。ホームページへようこそ。会社概要、お問い合わせ、採用情報。",
	"euc-jp ja":       "東京は日本の首都です。今日は晴れ、明日は雨の予報です。ホームページへようこそ。会社概要、お問い合わせ、採用情報。",
	"gbk zh":          "北京是中国的首都。今天天气晴朗，明天可能下雨。欢迎访问我们的网站。联系我们，关于我们，产品展示，新闻中心。",
	"big5 zt":         "臺北是臺灣最大的城市。今天天氣晴朗，明天可能下雨。歡迎光臨我們的網站。聯絡我們、關於我們、產品介紹、最新消息。",
	"euc-kr ko":       "서울은 대한민국의 수도입니다. 오늘은 맑고 내일은 비가 올 예정입니다. 저희 홈페이지를 방문해 주셔서 감사합니다.",
}

func TestText_detectsShortTexts(t *testing.T) {
	for of, text := range shortTexts {
		charset, _, _ := strings.Cut(of, " ")
		page := "<!DOCTYPE html><html><head><title>t</title></head><body>\n<script>let words = 'of English in a script'</script><p>" + text + "</p>"
		got, found := Text([]byte(encodeAs(t, charset, page)), "text/html")
		if string(got) != page {
			t.Errorf("%s was taken for %s: %.120q", of, found, got[strings.Index(string(got), "<p>"):])
		}
	}
}

// A word with an accent, and a sign or two, are western.
func TestText_aWordIsWestern(t *testing.T) {
	for _, text := range []string{"The café is open.", "It’s a “test” – really…", "£5 or €6, at 20°C", "© 2020 Company", "½ a cup", "Zürich", "piñata"} {
		if got, charset := Text(encodeAs(t, "windows-1252", text), "text/html"); string(got) != text {
			t.Errorf("%s: %q", charset, got)
		}
	}
}

func TestGuessed(t *testing.T) {
	for _, test := range []struct{ body, contentType, want string }{
		{"<p>plain", "text/html", ""}, {"<p>ä", "text/html", "utf-8"}, {"<p>caf\xe9", "text/html", "windows-1252"}, {"<p>caf\xe9", "text/html; charset=nonsense", "windows-1252"},
		{"<p>ä", "text/html; charset=utf-8", ""}, {"<meta charset=utf-8><p>ä", "text/html", ""}, {"\ufeff<p>ä", "text/html", ""},
		{"<\x00p\x00>\x00a\x00", "text/html", "utf-16le"}, {"<\x00p\x00>\x00a\x00", "text/html; charset=utf-16", ""},
		{"<p>ä", "text/html; charset=iso-8859-1", "utf-8"}, {"<p>\xe4", "text/html; charset=iso-8859-1", ""}, {"<p>caf\xe9", "text/html; charset=utf-8", "windows-1252"},
		{"<p>plain", "text/html; charset=iso-8859-1", ""}, {"<p>\x1b$BF|K\\\x1b(B", "text/html", "iso-2022-jp"},
	} {
		if got := Guessed([]byte(test.body), test.contentType); got != test.want {
			t.Errorf("%q, %s: got %q, want %q", test.body, test.contentType, got, test.want)
		}
	}
}

func TestMisread(t *testing.T) {
	for _, test := range []struct {
		text, contentType string
		want              bool
	}{
		{"<p>plain", "text/html", false}, {"<p>ä", "text/html", true}, {"<p>ä", "text/html; charset=utf-8", false}, {"<p>\ufffd", "text/html; charset=utf-8", true},
		{"<p>schÃ¶n", "text/html; charset=windows-1252", true}, {"<p>schön – “x”", "text/html; charset=windows-1252", false},
		{"<meta charset=windows-1251><p>РЎСЉРµС€СЊ 日本", "text/html", true}, {"<meta charset=windows-1251><p>Съешь", "text/html", false},
		{"<p>schÃ¶n", "text/html; charset=shift_jis", false}, {"<p>\x1b$BF|K\\\x1b(B", "text/html", true}, {"<p>\x1b[1m$B", "text/html", false},
	} {
		if got := Misread([]byte(test.text), test.contentType); got != test.want {
			t.Errorf("%q, %s: got %v", test.text, test.contentType, got)
		}
	}
}

// No markup keeps a guess from ending, or from finding the words beside it.
func TestForeignWords(t *testing.T) {
	for body, want := range map[string]string{
		"<p>a \xe4b c</p>": "\xe4b ", "<script>\xe4</SCRIPT>\xf6": "\xf6 ", "<style>\xe4": "", "<!-- \xe4 --> \xf6": "\xf6 ", "<": "", "<a\xe4": "a\xe4 ", "a < \xe4": "\xe4 ",
		"<img alt=\xe4>": "", strings.Repeat("<", 3000) + " \xe4": "\xe4 ",
	} {
		if got := string(guess.Words([]byte(body))); got != want {
			t.Errorf("%.40q: got %q, want %q", body, got, want)
		}
	}
	if n := len(guess.Words([]byte(strings.Repeat("\xe4 ", guess.MaxWords)))); n > guess.MaxWords+2 {
		t.Errorf("%d bytes", n)
	}
}
