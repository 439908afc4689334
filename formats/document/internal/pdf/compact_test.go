package pdf

import (
	"encoding/binary"
	"strings"
	"testing"
)

// compactFont is a font program in the Compact Font Format, whose glyphs are named ffi, A, my (not in the list of names) and Lslash.
// charset and encoding come as the format has them.
func compactFont(charset, encoding string) string {
	list := func(items ...string) string {
		head, data := string(binary.BigEndian.AppendUint16(nil, uint16(len(items)))), ""
		if len(items) == 0 {
			return head
		}
		head += "\x01\x01"
		for _, item := range items {
			data += item
			head += string([]byte{byte(len(data) + 1)})
		}
		return head + data
	}
	number := func(n int) string { return "\x1d" + string(binary.BigEndian.AppendUint32(nil, uint32(n))) }
	top := func(at int) string {
		dict := "\xf7\x00\x05" // a weight, which is skipped
		if charset != "" {
			dict += number(at) + "\x0f"
		}
		if encoding != "" {
			dict += number(at+len(charset)) + "\x10"
		}
		return list(dict + number(at+len(charset)+len(encoding)) + "\x11")
	}
	head := "\x01\x00\x04\x01" + list("F")
	tail := list("my", "uni0416") + list()
	at := len(head) + len(top(0)) + len(tail)
	return head + top(at) + tail + charset + encoding + list("\x0e", "\x0e", "\x0e", "\x0e", "\x0e")
}

func TestRead_compactFontsSayWhatTheirCodesMean(t *testing.T) {
	const type1 = "/Subtype/Type1/BaseFont/X/FontDescriptor<</Flags 4/FontFile3 1 0 R>>"
	const type0 = "/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Subtype/CIDFontType0/DW 1000/FontDescriptor<</Flags 4/FontFile3 1 0 R>>>>]"
	names := "\x00\x01\x0b\x00\x22\x01\x87\x01\x88" // ffi, A, my, uni0416: 267, 34, 391, 392
	for name, c := range map[string]struct{ font, program, hex, want string }{
		"codes one by one":        {type1, compactFont(names, "\x00\x03\x41\x42\x44"), "4142", "ffiA"},
		"codes in ranges":         {type1, compactFont(names, "\x01\x02\x41\x01\x61\x01"), "414262", "ffiAЖ"},
		"a glyph of two codes":    {type1, compactFont(names, "\x80\x01\x41\x01\x7a\x00\x22"), "417a", "ffiA"},
		"a charset of ranges":     {type1, compactFont("\x01\x00\x22\x03", "\x00\x04\x01\x02\x03\x04"), "01020304", "ABCD"},
		"of long ranges":          {type1, compactFont("\x02\x00\x22\x00\x03", "\x00\x04\x01\x02\x03\x04"), "01020304", "ABCD"},
		"the standard's charset":  {type1, compactFont("", "\x00\x04\x41\x42\x43\x44"), "42", "!"},
		"the standard's encoding": {type1, compactFont(names, ""), "41", "A"},
		"differences come last":   {type1 + "/Encoding<</Differences[65/B]>>", compactFont(names, "\x00\x02\x41\x42"), "4142", "BA"},
		"a base encoding decides": {type1 + "/Encoding<</BaseEncoding/WinAnsiEncoding>>", compactFont(names, "\x00\x01\x41"), "41", "A"},
		"glyphs of many":          {type0, compactFont(names, ""), "000100020004", "ffiAЖ"},
		"cut off":                 {type1, compactFont(names, "\x00\x03\x41\x42\x44")[:60], "41", "A"},
		"nothing":                 {type1, "\x01\x00\x04", "41", "A"},
	} {
		if got := readText(t, fontFile(c.font, c.hex, c.program), Options{}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// Each byte of a program is set to some values: whatever it then says, it is read to an end.
func TestRead_compactFontsThatAreBrokenAreRead(t *testing.T) {
	program := compactFont("\x01\x00\x22\x03", "\x81\x01\x41\x03\x01\x61\x00\x22")
	for at := range len(program) {
		for _, b := range []string{"\x00", "\x01", "\x7f", "\xff"} {
			broken := program[:at] + b + program[at+1:]
			font := "/Subtype/Type1/BaseFont/X/FontDescriptor<</FontFile3 1 0 R>>"
			if _, err := Read(t.Context(), fontFile(font, strings.Repeat("41", 3), broken), Options{}); err != nil {
				t.Fatalf("%d is %q: %v", at, b, err)
			}
		}
	}
}
