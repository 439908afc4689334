// Package codepage knows the encodings that files of Windows name by a number.
//
// It guesses nothing: package office detects the encoding of texts that declare none. Start from Encoding or Text.
package codepage

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

var encodings = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855,
	860: charmap.CodePage860, 862: charmap.CodePage862,
	863: charmap.CodePage863, 865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874,
	932: japanese.ShiftJIS, 936: simplifiedchinese.GBK, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1200: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253, 1254: charmap.Windows1254,
	1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257, 1258: charmap.Windows1258,
	10000: charmap.Macintosh, 10007: charmap.MacintoshCyrillic, 65001: unicode.UTF8, 54936: simplifiedchinese.GB18030,
	20866: charmap.KOI8R, 21866: charmap.KOI8U, 28591: charmap.Windows1252, 28592: charmap.ISO8859_2, 28595: charmap.ISO8859_5,
	28597: charmap.ISO8859_7, 28599: charmap.Windows1254, 28605: charmap.ISO8859_15, 50220: japanese.ISO2022JP, 51932: japanese.EUCJP,
	32768: charmap.Macintosh, 32769: charmap.Windows1252, // as old workbooks number them
}

// Encoding is the code page of a number, nil for an unknown one.
func Encoding(n int) encoding.Encoding { return encodings[n] }

// Text converts bytes of a code page to valid UTF-8. An unknown number counts as 1252.
func Text(n int, b []byte) string {
	enc := encodings[n]
	if enc == nil {
		enc = charmap.Windows1252
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		out = b
	}
	return strings.ToValidUTF8(string(out), "\uFFFD")
}
