package compound

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// kinds are streams that only one kind of compound file has.
var kinds = []struct{ stream, kind string }{
	{"EncryptedPackage", "encrypted"}, {"WordDocument", "doc"}, {"Workbook", "xls"}, {"Book", "xls"}, {"PowerPoint Document", "ppt"},
	{"__properties_version1.0", "msg"},
}

// Kind returns what a compound file is: doc, xls, ppt, msg, or encrypted for a package of Office Open XML under a password. It is ""
// for all others. The streams of the root count; where they can't be read, names that stand where entries of the directory can.
func Kind(body []byte) string {
	if !bytes.HasPrefix(body, []byte(Magic)) {
		return ""
	}
	has := func(name string) bool { return hasEntry(body, name) }
	if f, err := Open(body); err == nil && len(f.Root.streams)+len(f.Root.Storages) > 0 {
		has = f.Root.Has
	}
	for _, k := range kinds {
		if has(k.stream) {
			return k.kind
		}
	}
	return ""
}

func hasEntry(body []byte, name string) bool {
	var want []byte
	for _, u := range utf16.Encode([]rune(name + "\x00")) {
		want = binary.LittleEndian.AppendUint16(want, u)
	}
	for at := headerSize; ; at++ {
		i := bytes.Index(body[min(at, len(body)):], want)
		if i < 0 {
			return false
		}
		at += i
		if at%entrySize == 0 && at+entrySize <= len(body) && int(body[at+nameSize]) == len(want) {
			return true
		}
	}
}

// UTF16 converts text of two bytes a character to UTF-8; a last odd byte is left out, as are zeros at the end.
func UTF16(b []byte) string {
	units := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, binary.LittleEndian.Uint16(b))
	}
	return strings.TrimRight(string(utf16.Decode(units)), "\x00")
}
