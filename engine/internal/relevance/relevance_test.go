package relevance

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func ExampleRank() {
	docs := []Doc{
		{URL: "https://example.com/about"},
		{URL: "https://example.com/blog/pricing-changes", Title: "What is new"},
		{URL: "https://example.com/plans", Title: "Pricing and plans"},
	}
	for _, i := range Rank("pricing", docs) {
		fmt.Println(docs[i].URL)
	}
	// Output:
	// https://example.com/plans
	// https://example.com/blog/pricing-changes
	// https://example.com/about
}

func TestMatching_leavesOutWhatHasNoWord(t *testing.T) {
	docs := []Doc{{Title: "oats"}, {Description: "rye"}, {}, {Title: "rye bread"}}
	if got := Matching("rye", docs); !slices.Equal(got, []int{3, 1}) {
		t.Errorf("got %v", got)
	}
	if got := Matching("?", docs); len(got) != 0 {
		t.Errorf("without words: %v", got)
	}
}

func TestRank_order(t *testing.T) {
	for name, c := range map[string]struct {
		query string
		docs  []Doc
		want  []int
	}{
		"nothing":           {"a", nil, []int{}},
		"empty query":       {"", []Doc{{Title: "b"}, {Title: "a"}}, []int{0, 1}},
		"query of no words": {" -?! ", []Doc{{Title: "b"}, {Title: "a"}}, []int{0, 1}},
		"none has it":       {"x", []Doc{{Title: "b"}, {Title: "a"}, {}}, []int{0, 1, 2}},
		"ties keep order":   {"a", []Doc{{Title: "b"}, {Title: "a"}, {Title: "c"}, {Title: "a"}}, []int{1, 3, 0, 2}},
		"title over URL":    {"a", []Doc{{URL: "a", Title: "b"}, {URL: "b", Title: "a"}}, []int{1, 0}},
		"URL over text":     {"a", []Doc{{URL: "b", Description: "a"}, {URL: "a", Description: "b"}}, []int{1, 0}},
		"all three":         {"a", []Doc{{Description: "a", URL: "b", Title: "b"}, {Title: "a", URL: "a", Description: "a"}, {Title: "a", URL: "a", Description: "b"}}, []int{1, 2, 0}},
		"more words":        {"red shoe", []Doc{{Title: "red hat"}, {Title: "blue shoe"}, {Title: "red shoe"}}, []int{2, 0, 1}},
		"rare words":        {"red shoe", []Doc{{Title: "red x"}, {Title: "red y"}, {Title: "red z"}, {Title: "shoe x"}}, []int{3, 0, 1, 2}},
		"short texts":       {"a", []Doc{{Title: "a b c d e f g"}, {Title: "a b"}}, []int{1, 0}},
		"more often":        {"a", []Doc{{Title: "a b c"}, {Title: "a a c"}}, []int{1, 0}},
		"both words over one often": {"red shoe", []Doc{
			{Title: "red red red red red red red red"}, {Title: "red shoe x x x x x x"}, {Title: "blue"},
		}, []int{1, 0, 2}},
		"repeated in query": {"red red red shoe", []Doc{{Title: "red"}, {Title: "shoe"}, {Title: "red"}}, []int{1, 0, 2}},
		"case":              {"PRICING", []Doc{{Title: "x"}, {Title: "Pricing"}}, []int{1, 0}},
		"case beyond ASCII": {"ÜBER", []Doc{{Title: "x"}, {Title: "über uns"}}, []int{1, 0}},
		"decomposed":        {"cafe\u0301", []Doc{{Title: "cafe"}, {Title: "café"}}, []int{1, 0}},
		"full width":        {"ＡＰＩ", []Doc{{Title: "x"}, {Title: "api"}}, []int{1, 0}},
		"whole words":       {"cat", []Doc{{Title: "category"}, {Title: "cat"}}, []int{1, 0}},
		"scheme":            {"https", []Doc{{URL: "https://a.example/"}, {URL: "http://a.example/https"}}, []int{1, 0}},
		"www":               {"www", []Doc{{URL: "https://www.a.example/"}, {URL: "https://a.example/www"}}, []int{1, 0}},
		"escaped":           {"café", []Doc{{URL: "/cafe"}, {URL: "/caf%C3%A9"}}, []int{1, 0}},
		"punycode":          {"münchen", []Doc{{URL: "https://berlin.de"}, {URL: "https://xn--mnchen-3ya.de/a"}}, []int{1, 0}},
		"camel case":        {"user name", []Doc{{URL: "/getusername"}, {URL: "/getUserName"}}, []int{1, 0}},
		"camel case, whole": {"javascript", []Doc{{URL: "/java"}, {URL: "/JavaScript"}}, []int{1, 0}},
		"Chinese pairs":     {"东京", []Doc{{Title: "京东商城"}, {Title: "去东京旅行"}}, []int{1, 0}},
		"Chinese character": {"茶", []Doc{{Title: "咖啡"}, {Title: "绿茶"}}, []int{1, 0}},
		"Japanese":          {"サーバー", []Doc{{Title: "サイトマップ"}, {Title: "新しいサーバーの設定"}}, []int{1, 0}},
		"Korean":            {"가격", []Doc{{Title: "소개"}, {Title: "가격을 보기"}}, []int{1, 0}},
		"Thai":              {"โรงแรม", []Doc{{Title: "ร้านอาหาร"}, {Title: "จองโรงแรมในกรุงเทพ"}}, []int{1, 0}},
		"Hindi":             {"कीमत", []Doc{{Title: "कम"}, {Title: "कीमत सूची"}}, []int{1, 0}},
	} {
		if got := Rank(c.query, c.docs); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

// wordsOf lists what a splitter finds; those that don't count for the length in brackets.
func wordsOf(s splitter, text string) string {
	var list []string
	s.word = func(word []byte, counts bool) {
		if counts {
			list = append(list, string(word))
		} else {
			list = append(list, "("+string(word)+")")
		}
	}
	s.split(text)
	return strings.Join(list, " ")
}

func TestSplit_words(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"a", "a"},
		{"Hello, World-wide web_page 2.0!", "hello world wide web page 2 0"},
		{"naïve Ελλάδα Ёлка", "naïve ελλάδα ёлка"},
		{"x² ½", "x2 1 2"},
		{"getUserName", "getusername"},
		{"東京タワー", "東 京 (東京) タ (京タ) ワ (タワ) ー (ワー)"},
		{"Go言語v2", "go 言 語 (言語) v2"},
		{"日 本", "日 本"},
		{"a\xffb", "a b"},
		{"हिन्दी", "हिन्दी"},
		{"\u0301a", "a"},
		{strings.Repeat("a", 300), strings.Repeat("a", 256)},
	} {
		if got := wordsOf(splitter{}, c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"getUserName", "(getusername) get user name"},
		{"HTMLPage", "(htmlpage) html page"},
		{"parseHTMLPage", "(parsehtmlpage) parse html page"},
		{"URL", "url"},
		{"aB", "(ab) a b"},
		{"ABc", "(abc) a bc"},
		{"Page2Go", "(page2go) page2 go"},
		{"ÄpfelÜberÖl", "(äpfelüberöl) äpfel über öl"},
		{"one-Two/threeFour", "one two (threefour) three four"},
		{strings.Repeat("aB", 200), "(" + strings.Repeat("ab", 128) + ") a" + strings.Repeat(" ba", 127) + " b"},
	} {
		if got := wordsOf(splitter{parts: true}, c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"東京タワー", "(東京) (京タ) (タワ) (ワー)"},
		{"茶 coffee", "茶 coffee"},
	} {
		if got := wordsOf(splitter{query: true}, c.text); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestAddress_text(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"", ""},
		{"https://www.a.example/b?c=d#e", "a.example/b?c=d#e"},
		{"HTTP://WWW.A.example", "A.example"},
		{"/redirect?to=http://b.example", "/redirect?to=http://b.example"},
		{"www.", "www."},
		{"https://xn--mnchen-3ya.de:80/xn--x", "münchen.de:80/xn--x"},
		{"https://xn--\xff/a", "xn--\xff/a"},
		{"/100%/%zz/%4", "/100%/%zz/%4"},
		{"/a%20b%2Fc%e4%BA%AC", "/a b/c京"},
	} {
		if got := addressText(c.url); got != c.want {
			t.Errorf("%q: got %q, want %q", c.url, got, c.want)
		}
	}
}

func TestRank_isBounded(t *testing.T) {
	var query strings.Builder
	for i := range 100 {
		fmt.Fprintf(&query, "w%d ", i)
	}
	if got := len(newWords(query.String())); got != maxWords {
		t.Errorf("%d words of a query, want %d", got, maxWords)
	}
	long := strings.Repeat("x ", maxText) + "needle"
	if got := Rank("needle", []Doc{{Title: long, URL: long, Description: long}, {Description: "needle"}}); got[0] != 1 {
		t.Error("more than the first 16 KiB were looked at")
	}
}

func FuzzRank(f *testing.F) {
	f.Add("red shoe", "Red Shoe", "https://a.example/redShoe", "東京タワー")
	f.Add("\xff%", "a\xff\u0301", "https://xn--\xff/%e4%BA", "\u0e01\u0301")
	f.Fuzz(func(t *testing.T, query, title, url, description string) {
		docs := []Doc{{}, {URL: url, Title: title, Description: description}, {Title: query}, {}}
		got := Rank(query, docs)
		sorted := slices.Sorted(slices.Values(got))
		if !slices.Equal(sorted, []int{0, 1, 2, 3}) {
			t.Errorf("got %v", got)
		}
		if slices.Index(got, 0) > slices.Index(got, 3) {
			t.Errorf("equals changed places: %v", got)
		}
		for w := range newWords(query) {
			if w == "" || len(w) >= maxWord+utf8.UTFMax {
				t.Errorf("word %q", w)
			}
		}
	})
}

// pages are like those of a shop: URLs of three segments, most with a title.
func pages(n int) []Doc {
	random := rand.New(rand.NewPCG(1, 2))
	vocabulary := make([]string, 5000)
	for i := range vocabulary {
		word := make([]byte, 3+random.IntN(8))
		for j := range word {
			word[j] = byte('a' + random.IntN(26))
		}
		vocabulary[i] = string(word)
	}
	text := func(n int, sep string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = vocabulary[int(random.ExpFloat64()*500)%len(vocabulary)]
		}
		return strings.Join(list, sep)
	}
	docs := make([]Doc, n)
	for i := range docs {
		docs[i].URL = "https://www.shop.example/" + text(2, "/") + "/" + text(3, "-") + ".html"
		if i%4 > 0 {
			docs[i].Title, docs[i].Description = text(7, " "), text(18, " ")
		}
	}
	return docs
}

func BenchmarkRank(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		docs := pages(n)
		query := docs[7].Title
		size := 0
		for _, d := range docs {
			size += len(d.URL) + len(d.Title) + len(d.Description)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				Rank(query, docs)
			}
		})
	}
}
