package office

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/winnow-go/winnow/formats/document/internal/compound/compoundtest"
)

// units is a text as Outlook keeps it.
func units(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// fixedProperties is a table of properties of eight bytes, behind its head.
func fixedProperties(head int, values map[uint32]uint64) []byte {
	b := make([]byte, head)
	for tag, v := range values {
		b = binary.LittleEndian.AppendUint32(b, tag)
		b = binary.LittleEndian.AppendUint32(b, 6)
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// hello is "{\rtf1\ansi\ansicpg1252\pard hello world}", the example of MS-OXRTFCP.
const hello = "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"

// ticks is a date of 2024-05-01.
const ticks = 133590312000000000

func savedMessage(t testing.TB) []byte {
	t.Helper()
	rich, err := hex.DecodeString(hello)
	if err != nil {
		t.Fatal(err)
	}
	const table, text, ansi, attached, second, third = "__properties_version1.0", "__substg1.0_%001F", "__substg1.0_%001E",
		"__attach_version1.0_#00000000/", "__attach_version1.0_#00000001/", "__attach_version1.0_#00000002/"
	name := func(form, number string) string { return strings.Replace(form, "%", number, 1) }
	inner := second + "__substg1.0_3701000D/"
	return compoundtest.File(
		compoundtest.Stream{Path: table, Data: fixedProperties(32, map[uint32]uint64{0x00390040: ticks, 0x3FFD0003: 1251, 0x3FDE0003: 1253})},
		compoundtest.Stream{Path: name(text, "0037"), Data: units("Grain & malt")},
		compoundtest.Stream{Path: name(ansi, "0C1A"), Data: []byte("\xc8\xe2\xe0\xed")},
		compoundtest.Stream{Path: name(text, "5D01"), Data: units("ivan@mill.example")},
		compoundtest.Stream{Path: name(text, "0E04"), Data: units("Ada; Bo")},
		compoundtest.Stream{Path: name(text, "1000"), Data: units("The plain text")},
		compoundtest.Stream{Path: "__substg1.0_10130102", Data: []byte("<html><body><p>The <b>\xf3\xdf\xf4\xef\xf2</b></p><script>x</script></body></html>")},
		compoundtest.Stream{Path: attached + table, Data: fixedProperties(8, nil)},
		compoundtest.Stream{Path: attached + name(text, "3707"), Data: units("prices of grain.pdf")},
		compoundtest.Stream{Path: second + table, Data: fixedProperties(8, nil)},
		compoundtest.Stream{Path: inner + table, Data: fixedProperties(24, nil)},
		compoundtest.Stream{Path: inner + name(text, "0037"), Data: units("Forwarded")},
		compoundtest.Stream{Path: inner + "__substg1.0_10090102", Data: rich},
		compoundtest.Stream{Path: third + table, Data: fixedProperties(8, map[uint32]uint64{0x7FFE000B: 1})},
		compoundtest.Stream{Path: third + name(text, "3707"), Data: units("logo.png")},
	)
}

func TestMSG_isReadAsAMessage(t *testing.T) {
	doc, err := MSG(t.Context(), savedMessage(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkHTML(t, doc.Body)
	want := "<h1>Grain &amp; malt</h1><p><strong>From:</strong> Иван &lt;ivan@mill.example&gt;<br><strong>To:</strong> Ada; Bo<br>" +
		"<strong>Date:</strong> Wed, 01 May 2024 10:00:00 +0000</p><p>The <b>σίτος</b></p><h2>Forwarded</h2><p>hello world</p>" +
		"<ul><li>Attachment: prices of grain.pdf</li></ul>"
	if got := squeeze(doc.Body); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m := doc.Meta; m.Title != "Grain & malt" || m.Author != "Иван <ivan@mill.example>" || !m.Created.Equal(time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v", m)
	}
	if _, err := MSG(t.Context(), []byte("no container"), Options{}); err == nil {
		t.Error("no container is a message")
	}
}
