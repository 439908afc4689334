package llm_test

import (
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

// The counts are those of two public tokenizers (100k and 200k words), the higher one.
func TestTokens_isNeverFarFromTokenizers(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		real int
	}{
		"empty":     {"", 0},
		"german":    {strings.Repeat("Die Bundesregierung veröffentlichte heute den neuen Wirtschaftsentwicklungsplan für die Länder. ", 20), 461},
		"french":    {strings.Repeat("Le gouvernement a publié aujourd'hui le nouveau plan de développement économique du pays. ", 20), 361},
		"russian":   {strings.Repeat("Сегодня правительство опубликовало новый план развития экономики страны. ", 20), 641},
		"greek":     {strings.Repeat("Η κυβέρνηση δημοσίευσε σήμερα ένα νέο σχέδιο ανάπτυξης της οικονομίας. ", 20), 1301},
		"arabic":    {strings.Repeat("نشرت الحكومة اليوم خطة جديدة لتطوير اقتصاد البلاد. ", 20), 721},
		"chinese":   {strings.Repeat("中国政府网站今天发布了关于经济发展的新政策，专家表示欢迎。", 20), 620},
		"japanese":  {strings.Repeat("東京都は本日、新しい計画を発表しました。これにより市民の生活が向上する見込みです。", 20), 780},
		"korean":    {strings.Repeat("서울시는 오늘 새로운 계획을 발표했습니다. 시민들의 생활이 나아질 것으로 보입니다. ", 20), 861},
		"thai":      {strings.Repeat("รัฐบาลประกาศแผนพัฒนาเศรษฐกิจใหม่ในวันนี้", 20), 900},
		"json":      {strings.Repeat(`{"name":"Widget","price":12.50,"in_stock":true,"tags":["a","b"]},`, 30), 661},
		"numbers":   {strings.Repeat("1234567890 4711,99 2026-11-22 ", 50), 850},
		"emoji":     {strings.Repeat("😀🎉👍🏽👩‍💻❤️ ", 30), 602},
		"not UTF-8": {"\xff\xfe\xff\xfe", 4},
	} {
		got := llm.Tokens(c.text)
		if float64(got) < 0.6*float64(c.real) || float64(got) > 1.7*float64(c.real)+12 {
			t.Errorf("%s: estimated %d, tokenizers count %d", name, got, c.real)
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	text := strings.Repeat("The quick brown fox jumps over 12 lazy dogs, again. ", 20_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		llm.Tokens(text)
	}
}
