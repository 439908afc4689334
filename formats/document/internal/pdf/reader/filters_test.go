package reader

import (
	"bytes"
	"compress/lzw"
	"compress/zlib"
	"fmt"
	"strings"
	"testing"
)

func TestDecode_filters(t *testing.T) {
	var packed bytes.Buffer
	w := lzw.NewWriter(&packed, lzw.MSB, 8)
	w.Write([]byte("The harbour"))
	w.Close()
	for name, c := range map[string]struct {
		data    string
		filters []filter
		want    string
	}{
		"none":                       {"abc", nil, "abc"},
		"Flate":                      {deflated("The harbour"), []filter{{name: "FlateDecode"}}, "The harbour"},
		"Flate with a broken header": {"\x00\x00" + deflated("The harbour")[2:], []filter{{name: "Fl"}}, "The harbour"},
		"Flate cut off":              {deflated("The harbour")[:14], []filter{{name: "Fl"}}, "The har"},
		"LZW of late change":         {packed.String(), []filter{{name: "LZWDecode", lateChange: true}}, "The harbour"},
		"LZW":                        {"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", []filter{{name: "LZW"}}, "-----A---B"},
		"hex":                        {"54 68 65 2>", []filter{{name: "ASCIIHexDecode"}}, "The "},
		"base 85":                    {"<~87cURD]i,\"Ebo80~>", []filter{{name: "A85"}}, "Hello World!"},
		"run lengths":                {"\x02The\xfe!\x80more", []filter{{name: "RunLengthDecode"}}, "The!!!"},
		"two":                        {fmt.Sprintf("%x>", deflated("twice")), []filter{{name: "AHx"}, {name: "Fl"}}, "twice"},
		"PNG: up":                    {deflated("\x02abc\x02\x01\x01\x01"), []filter{{name: "Fl", predictor: 12, columns: 3}}, "abcbcd"},
		"PNG: left":                  {deflated("\x01a\x01\x01"), []filter{{name: "Fl", predictor: 15, columns: 3}}, "abc"},
		"PNG: average":               {deflated("\x00\x02\x04\x03\x01\x01"), []filter{{name: "Fl", predictor: 13, columns: 2}}, "\x02\x04\x02\x04"},
		"PNG: Paeth":                 {deflated("\x00ab\x04\x01\x01"), []filter{{name: "Fl", predictor: 14, columns: 2}}, "abbc"},
		"TIFF":                       {deflated("a\x01\x01"), []filter{{name: "Fl", predictor: 2, columns: 3}}, "abc"},
	} {
		got, _, err := decode([]byte(c.data), c.filters, 1<<20)
		if err != nil || !strings.HasPrefix(string(got), c.want) || name != "Flate cut off" && string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
	}
	for name, f := range map[string][]filter{
		"an unknown filter": {{name: "Zip"}}, "too many filters": make([]filter, 20),
		"columns beyond all": {{name: "Fl", predictor: 12, columns: 1 << 40}},
	} {
		if _, _, err := decode([]byte(deflated("x")), f, 1<<20); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestParser_objects(t *testing.T) {
	for source, want := range map[string]string{
		"1 0 R":               "{1 0}",
		"[1 0 R 2 0 3]":       "[{1 0} 2 0 3]",
		"(a\\(b\\)\\101\\\n)": "a(b)A",
		"(a(b)c)":             "a(b)c",
		"<414>":               "A@",
		"/A#20B":              "A B",
		"-.5":                 "-0.5",
		"--5":                 "-5",
		"1.2.3":               "1.2",
		"<</A 1/B[/C]>>":      "map[A:1 B:[C]]",
		"<</A 1":              "map[A:1]",
		"true":                "true",
		"% x\nnull":           "<nil>",
	} {
		p := parser{buf: []byte(source), refs: true}
		if got := fmt.Sprint(p.object()); got != want {
			t.Errorf("%q: got %s, want %s", source, got, want)
		}
	}
}

func TestGlyphNames(t *testing.T) {
	g := glyphNames{}
	for n, want := range map[string]string{
		"A": "A", "period": ".", "one.oldstyle": "1", "f_f_i": "ffi", "uni00410042": "AB", "u1F600": "😀", "nosuchname": "", "": "", "/(<": "", "uniXYZW": "",
	} {
		if got := g.text(n); got != want {
			t.Errorf("%q: got %q, want %q", n, got, want)
		}
	}
}

func deflated(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}
