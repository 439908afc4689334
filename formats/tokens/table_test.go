package tokens

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// cl100k is the pattern of cl100k_base.
const cl100k = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

// smallTable has all bytes, and some words with what they are made of.
func smallTable(words ...string) string {
	var b strings.Builder
	for i := range 256 {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte{byte(i)}), i)
	}
	for i, word := range words {
		fmt.Fprintf(&b, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(word)), 256+i)
	}
	return b.String()
}

func ExampleReadTable() {
	table, err := ReadTable(strings.NewReader(smallTable("mi", "ll", "mill", " t")), cl100k)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Count("mill tow"))
	// Output: 4
}

func TestTable_joinsByRankAndCutsByPattern(t *testing.T) {
	table, err := ReadTable(strings.NewReader(smallTable("ab", "bc", "abc", "  ", "aa", "aaaa")), cl100k)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"":            0,
		"abc":         1,
		"abcb":        2,               // abc, b
		"bcb":         2,               // bc, b
		"aaaaa":       2,               // aaaa, a
		"aaaaaa":      2,               // aaaa, aa
		"x   abc":     1 + 1 + 2,       // x, two spaces, and the last with abc, of which it is no token
		"x   ":        1 + 2,           // two spaces and one
		"x\u00a0 abc": 1 + 2 + 2,       // the first space is two bytes
		"1234":        4,               // 123, 4
		"it's":        2 + 2,           // it, 's
		"a\r\n\r\n":   1 + 4,           // breaks are together
		"\xff\xfe":    2,               // no text
		" ab,!\n\nab": 2 + 1 + 3*1 + 1, // " ab", ",!\n\n", "ab"
		"éab":         2 + 1,           // é, ab
		"磨坊":          6,               // bytes
		"<|end|>":     2 + 3 + 2,       // names of special tokens are text
	} {
		if got := table.Count(text); got != want {
			t.Errorf("%q has %d tokens, want %d", text, got, want)
		}
	}
}

func TestReadTable_saysWhatItCannotRead(t *testing.T) {
	whole := smallTable()
	for name, c := range map[string]struct{ table, pattern, want string }{
		"no base64":    {whole + "* 7\n", cl100k, "line 257"},
		"no rank":      {whole + "YWI= x\n", cl100k, `line 257 of a table of tokens: the rank "x"`},
		"twice":        {whole + "AA== 9\n", cl100k, "line 257"},
		"a byte lacks": {strings.Replace(whole, "Bw== 7\n", "", 1), cl100k, "byte 0x7"},
		"a long line":  {whole + strings.Repeat("A", maxLine+1), cl100k, "line 257"},
		"a pattern":    {whole, `a++`, "pattern"},
	} {
		if _, err := ReadTable(strings.NewReader(c.table), c.pattern); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q in it", name, err, c.want)
		}
	}
}

// A piece without an end takes time in proportion to its length, or nearly so: a quadratic one would take hours here.
func TestTable_longPieces(t *testing.T) {
	table, err := ReadTable(strings.NewReader(smallTable("aa", "aaaa", "aaaaaaaa")), cl100k)
	if err != nil {
		t.Fatal(err)
	}
	if n := table.Count(strings.Repeat("a", 800_000)); n != 100_000 {
		t.Errorf("got %d", n)
	}
}

func FuzzReadTable(f *testing.F) {
	f.Add("YWI= 256\nYWJj 257", "abcab")
	f.Fuzz(func(t *testing.T, more, text string) {
		table, err := ReadTable(strings.NewReader(smallTable()+more), cl100k)
		if err != nil {
			return
		}
		if n := table.Count(text); n > len(text) || text != "" && n == 0 {
			t.Errorf("%q has %d tokens", text, n)
		}
	})
}
