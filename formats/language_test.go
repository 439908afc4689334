package formats

import (
	"context"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/formats/internal/lang"
)

func TestLanguage_tags(t *testing.T) {
	for in, want := range map[string]string{
		"en": "en", " pt-BR ": "pt-BR", "zh_Hant_TW": "zh_Hant_TW", "de, en": "de", "gsw": "gsw",
		"": "", "x": "", "english": "", "{{lang}}": "", "en-": "", "und": "", "12": "", "en-verylongsubtag": "",
	} {
		if got := lang.Tag(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// languageTexts are sentences of our own.
var languageTexts = map[string]string{
	"en": "The bees keep to the hive when the days grow short, and the keeper leaves them alone until the first warm morning of the new year comes round again.",
	"de": "Die Bienen bleiben im Stock, wenn die Tage kürzer werden, und der Imker lässt sie in Ruhe, bis im neuen Jahr der erste warme Morgen kommt und alles blüht.",
	"fr": "Les abeilles restent dans la ruche quand les jours raccourcissent, et l'apiculteur les laisse tranquilles jusqu'au premier matin doux de la nouvelle année.",
	"pl": "Pszczoły zostają w ulu, kiedy dni stają się krótsze, a pszczelarz zostawia je w spokoju aż do pierwszego ciepłego poranka nowego roku, gdy wszystko kwitnie.",
	"ru": "Пчёлы остаются в улье, когда дни становятся короче, и пасечник не трогает их до первого тёплого утра нового года, когда снова всё зацветёт вокруг. Зимой у него мало работы: он проверяет, сухо ли в улье, и слушает, спокойно ли гудит семья, потому что громкий шум говорит о том, что ей не хватает корма.",
	"uk": "Бджоли залишаються у вулику, коли дні стають коротшими, і пасічник не турбує їх до першого теплого ранку нового року, коли все знову зацвіте. Взимку в нього мало роботи.",
	"bg": "Пчелите остават в кошера, когато дните стават по-къси, и пчеларят не ги безпокои до първата топла сутрин на новата година, когато всичко отново ще разцъфне около тях.",
	"el": "Οι μέλισσες μένουν στην κυψέλη όταν μικραίνουν οι μέρες και ο μελισσοκόμος τις αφήνει ήσυχες ως το πρώτο ζεστό πρωινό του νέου χρόνου.",
	"ja": "日が短くなると蜜蜂は巣箱の中で静かに過ごし、養蜂家は新しい年の最初の暖かい朝が来るまで、巣箱を開けずに見守っています。冬の間の世話は少ないのです。",
	"zh": "白天变短的时候，蜜蜂留在蜂箱里，养蜂人不去打扰它们，直到新年第一个温暖的早晨来临，花重新开放。冬天里要做的事情很少，只要看看箱门就可以了。",
	"ko": "낮이 짧아지면 꿀벌은 벌통 안에 머물고 양봉가는 새해의 첫 따뜻한 아침이 올 때까지 그들을 그대로 둡니다. 겨울에는 할 일이 많지 않습니다.",
	"ar": "تبقى النحل في الخلية عندما تقصر الأيام ويتركها النحال في هدوء حتى يأتي أول صباح دافئ من العام الجديد وتتفتح الأزهار من جديد في كل مكان حولها.",
}

func TestMetadata_languageIsDetectedWhereNothingSaysIt(t *testing.T) {
	for want, s := range languageTexts {
		page := `<nav><a href=/>Home page of the English menu that is long</a></nav><p>` + s + `</p><p>` + s + `</p>`
		if got := metadataOf(t, page).Language; got != want {
			t.Errorf("%s: got %q", want, got)
		}
		if got := metadataOf(t, `<html lang=tlh>`+page).Language; got != "tlh" {
			t.Errorf("%s with an attribute: got %q", want, got)
		}
	}
	for name, page := range map[string]string{"a few words": "<p>Only a few words here", "labels": strings.Repeat("<li>Red<li>Blue<li>Home", 200), "digits": "<p>" + strings.Repeat("1 2 3 4 5 6 7 8 9 ", 100)} {
		if got := metadataOf(t, page).Language; got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestMetadata_languageOrder(t *testing.T) {
	const text, og = `<p>x`, `<meta property=og:locale content=fr_FR>`
	meta := `<meta http-equiv=content-language content="it, en">`
	for _, c := range []struct{ header, body, want string }{
		{"es", `<html lang=de><body lang=nl>` + meta + og, "de"},
		{"es", `<html lang="{{l}}"><meta name=x><body lang=nl>` + meta + og, "nl"},
		{"es-MX, en", meta + og, "es-MX"},
		{"", meta + og, "it"},
		{"", `<meta name=language content=English><meta name=dc.language content=da>`, "da"},
		{"", og + linkedPage(`{"@type":"WebPage","inLanguage":"sv"}`), "sv"},
		{"", og + `<p>` + languageTexts["de"] + languageTexts["de"], "fr_FR"},
	} {
		d, err := Parse(context.Background(), Source{URL: goldenURL, MediaType: "text/html", Body: []byte(c.body + text), Language: c.header})
		if err != nil {
			t.Fatal(err)
		}
		if got := render(t, d, Options{}).Metadata.Language; got != c.want {
			t.Errorf("%s: got %q, want %q", c.body, got, c.want)
		}
	}
}
