package cidmap

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// decoded is what a string means by a map.
func decoded(m *Map, s string) string {
	var out strings.Builder
	c := Find(m.Collection)
	for len(s) > 0 {
		code, n := m.Next(s)
		s = s[n:]
		out.WriteString(c.Text(m.CID(code, n)))
	}
	return out.String()
}

func TestEncoding_mapsGiveTheCharactersOfTheirCodes(t *testing.T) {
	for name, c := range map[string]struct{ codes, want string }{
		"GB-EUC-H":          {"\xd6\xd0A", "中A"},
		"GBK-EUC-H":         {"\x81\x40\xd6\xd0", "丂中"},
		"GBK2K-H":           {"\x81\x39\xee\x39\xd6\xd0", "㐀中"},
		"UniGB-UCS2-H":      {"\x4e\x2d\x65\x87", "中文"},
		"UniGB-UTF16-H":     {"\x4e\x2d\x65\x87", "中文"},
		"UniGB-UTF8-H":      {"中文", "中文"},
		"ETen-B5-H":         {"\xa4\xa4\xa4\xe5", "中文"},
		"ETenms-B5-V":       {"\xa4\xa4\xa4\xe5", "中文"},
		"HKscs-B5-H":        {"\x87\x40\xa4\xa4", "䏰中"},
		"CNS-EUC-H":         {"\xc4\xe3\x8e\xa2\xa1\xa1", "中乂"},
		"UniCNS-UTF32-H":    {"\x00\x00\x4e\x2d", "中"},
		"90ms-RKSJ-H":       {"\x93\xfa\x96\x7bA\xb1", "日本Aｱ"},
		"90msp-RKSJ-V":      {"\x93\xfa\x96\x7b\x81\x41", "日本、"},
		"EUC-H":             {"\xc6\xfc\xcb\xdc", "日本"},
		"H":                 {"\x46\x7c\x4b\x5c", "日本"},
		"V":                 {"\x46\x7c\x4b\x5c", "日本"},
		"UniJIS-UTF16-H":    {"\x65\xe5\xd8\x40\xdc\x0b", "日\U0002000B"},
		"UniJIS-UCS2-HW-H":  {"\x65\xe5\x00A", "日A"},
		"UniJIS2004-UTF8-V": {"日本", "日本"},
		"KSC-EUC-H":         {"\xc7\xd1", "한"},
		"KSCms-UHC-H":       {"\xc7\xd1\x81\x41", "한갂"},
		"KSC-Johab-H":       {"\xd0\x65", "한"},
		"UniKS-UTF16-V":     {"\xd5\x5c", "한"},
		"UniAKR-UTF8-H":     {"한", "한"},
	} {
		m := Encoding(name)
		if m == nil {
			t.Errorf("%s: there is none", name)
			continue
		}
		if got := decoded(m, c.codes); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if m.Vertical != strings.HasSuffix(name, "V") {
			t.Errorf("%s: vertical is %v", name, m.Vertical)
		}
	}
}

// Every map that ISO 32000-1, table 118, and ISO 32000-2 name.
func TestEncoding_allPredefinedMapsAreThere(t *testing.T) {
	names := strings.Fields(`GB-EUC-H GB-EUC-V GBpc-EUC-H GBpc-EUC-V GBK-EUC-H GBK-EUC-V GBKp-EUC-H GBKp-EUC-V GBK2K-H GBK2K-V
		UniGB-UCS2-H UniGB-UCS2-V UniGB-UTF16-H UniGB-UTF16-V B5pc-H B5pc-V HKscs-B5-H HKscs-B5-V ETen-B5-H ETen-B5-V ETenms-B5-H
		ETenms-B5-V CNS-EUC-H CNS-EUC-V UniCNS-UCS2-H UniCNS-UCS2-V UniCNS-UTF16-H UniCNS-UTF16-V 83pv-RKSJ-H 90ms-RKSJ-H
		90ms-RKSJ-V 90msp-RKSJ-H 90msp-RKSJ-V 90pv-RKSJ-H Add-RKSJ-H Add-RKSJ-V EUC-H EUC-V Ext-RKSJ-H Ext-RKSJ-V H V UniJIS-UCS2-H
		UniJIS-UCS2-V UniJIS-UCS2-HW-H UniJIS-UCS2-HW-V UniJIS-UTF16-H UniJIS-UTF16-V KSC-EUC-H KSC-EUC-V KSCms-UHC-H KSCms-UHC-V
		KSCms-UHC-HW-H KSCms-UHC-HW-V KSCpc-EUC-H UniKS-UCS2-H UniKS-UCS2-V UniKS-UTF16-H UniKS-UTF16-V
		UniGB-UTF8-H UniCNS-UTF8-H UniJIS-UTF8-H UniKS-UTF8-H UniJIS2004-UTF16-H UniJIS2004-UTF32-H`)
	for _, n := range names {
		if Encoding(n) == nil {
			t.Errorf("%s is missing", n)
		}
	}
	for _, n := range []string{"", "Identity-H", "Adobe-GB1", "UniGB-UTF32-HX"} {
		if Encoding(n) != nil {
			t.Errorf("%q is there", n)
		}
	}
}

// The file is sound: spans are sorted and apart, and each map that another changes is there.
func TestLibrary_allSectionsAreSound(t *testing.T) {
	for name := range library().bodies {
		s := library().get(name)
		for i := range s.Spans {
			if i > 0 && (Compare(s.Spans[i-1], s.Spans[i]) >= 0 || s.Spans[i-1].Size == s.Spans[i].Size && s.Spans[i-1].High >= s.Spans[i].Low) {
				t.Errorf("%s: %+v is behind %+v", name, s.Spans[i], s.Spans[i-1])
			}
		}
		if s.Base != "" && library().get(s.Base) == nil {
			t.Errorf("%s changes %s, which isn't there", name, s.Base)
		}
		if Find(s.Collection) == nil {
			t.Errorf("%s is of the collection %s, which isn't there", name, s.Collection)
		}
	}
}

func TestCollection_textsAreCharacters(t *testing.T) {
	for _, name := range []string{"Adobe-GB1", "Adobe-CNS1", "Adobe-Japan1", "Adobe-Korea1", "Adobe-KR"} {
		c, n := Find(name), 0
		for cid := range uint32(1 << 16) {
			text := c.Text(cid)
			if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool {
				return r < ' ' || r >= 0xe000 && r < 0xf900 || r >= 0xfe00 && r < 0xfe10 || r >= 0xe0100
			}) {
				t.Errorf("%s, %d: %q", name, cid, text)
			}
			if text != "" {
				n++
			}
		}
		if n < 17_000 {
			t.Errorf("%s has %d characters", name, n)
		}
	}
	if got := Find("Adobe-Japan1").Text(1133); got != "逢" {
		t.Errorf("a glyph with a variation selector: got %q", got)
	}
	if got := Find("Adobe-Identity").Text(5); got != "" {
		t.Errorf("of an unknown collection: got %q", got)
	}
}

func TestPack_givesBackWhatItGot(t *testing.T) {
	want := []Section{
		{Name: "A-H", Collection: "A", Spaces: Spaces{1: {{0, 0x80}}, 2: {{0x8140, 0xfefe}}}, Spans: []Span{{1, 0, 5, 9}, {2, 0x8140, 0x8140, 3}, {2, 0x9000, 0x90ff, 1000}}},
		{Name: "A-V", Collection: "A", Base: "A-H", Vertical: true, Spans: []Span{{4, 1 << 31, 1<<32 - 1, 0}}},
		{Name: "A", Collection: "A", Spans: []Span{{0, 7, 9, 0x1f600}}, Long: map[uint32]string{3: "한글"}},
	}
	got := newSections(Pack(want))
	for _, w := range want {
		g := got.get(w.Name)
		if g == nil || g.Collection != w.Collection || g.Base != w.Base || g.Vertical != w.Vertical || !reflect.DeepEqual(g.Spaces, w.Spaces) ||
			!reflect.DeepEqual(g.Spans, w.Spans) || !maps.Equal(g.Long, w.Long) {
			t.Errorf("got %+v, want %+v", g, w)
		}
	}
}

// FuzzNext looks for codes that run past their string or take nothing of it.
func FuzzNext(f *testing.F) {
	f.Add("UniJIS-UTF16-V", "\xd8\x40\xdc")
	f.Add("GBK2K-H", "\x81\x30\x81")
	f.Add("UniKS-UTF8-H", "\xed\x95")
	f.Fuzz(func(t *testing.T, name, s string) {
		m := Encoding(name)
		if m == nil {
			return
		}
		for len(s) > 0 {
			code, n := m.Next(s)
			if n < 1 || n > len(s) {
				t.Fatalf("%s takes %d of %q", name, n, s)
			}
			if r := m.Rune(code); !utf8.ValidRune(r) {
				t.Errorf("%s: %x is %x", name, code, r)
			}
			s = s[n:]
			Find(m.Collection).Text(m.CID(code, n))
		}
	})
}
