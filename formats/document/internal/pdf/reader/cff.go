package reader

import (
	"encoding/binary"
	"strings"
)

// compact is a font program in the Compact Font Format (Adobe Technical Note 5176).
type compact struct {
	data    []byte
	top     map[int]int // the last number of each operator of the font's dictionary
	strings [][]byte
	glyphs  int
}

// Operators of a font's dictionary; those of two bytes count from 1200.
const (
	opCharset  = 15
	opEncoding = 16
	opGlyphs   = 17
	opCIDs     = 1230
)

// The tables of the format itself: a charset that has all standard names in their order, two of fonts for experts, and their encodings.
const (
	isoAdobe          = 0
	lastKnownCharset  = 2
	lastKnownEncoding = 1
)

// readCompact reads the one font of a program, which may lie in an OpenType file. false where it is none, or has numbers for names.
func readCompact(data []byte) (c compact, ok bool) {
	if strings.HasPrefix(string(data[:min(4, len(data))]), "OTTO") {
		data = fontTable(data, "CFF ")
	}
	if len(data) < 4 || data[0] != 1 {
		return c, false
	}
	c.data = data
	_, at := c.index(int(data[2]))
	fonts, at := c.index(at)
	c.strings, _ = c.index(at)
	if len(fonts) != 1 {
		return c, false
	}
	c.top = lastNumbers(fonts[0])
	glyphs, _ := c.index(c.top[opGlyphs])
	c.glyphs = len(glyphs)
	_, numbered := c.top[opCIDs]
	return c, !numbered && c.glyphs > 0
}

// index reads a list of objects, and returns where it ends; no objects where it isn't whole.
func (c compact) index(at int) (items [][]byte, end int) {
	count := c.number(at, 2)
	if count <= 0 {
		return nil, at + 2
	}
	size := c.number(at+2, 1)
	base := at + 2 + (count+1)*size // the byte before the first object
	if size < 1 || size > 4 || base >= len(c.data) {
		return nil, len(c.data)
	}
	items = make([][]byte, 0, count)
	end = base + 1
	for i := range count {
		from, to := base+c.number(at+3+i*size, size), base+c.number(at+3+(i+1)*size, size)
		if from != end || to < from || to > len(c.data) {
			return nil, len(c.data)
		}
		items, end = append(items, c.data[from:to]), to
	}
	return items, end
}

// number reads so many bytes; -1 behind the end.
func (c compact) number(at, size int) int {
	if at < 0 || at+size > len(c.data) {
		return -1
	}
	var b [8]byte
	copy(b[8-size:], c.data[at:at+size])
	return int(binary.BigEndian.Uint64(b[:]))
}

// lastNumbers reads a dictionary: numbers stand before their operator. Fractions count as 0: no place is one.
func lastNumbers(dict []byte) map[int]int {
	found := map[int]int{}
	last := 0
	for len(dict) > 0 {
		b, size := int(dict[0]), 1
		switch {
		case b == 12 && len(dict) > 1:
			found[1200+int(dict[1])], size = last, 2
		case b <= 21:
			found[b] = last
		default:
			last, size = dictNumber(dict)
		}
		dict = dict[min(size, len(dict)):]
	}
	return found
}

// dictNumber reads a number of a dictionary, and says how long it is.
func dictNumber(dict []byte) (n, size int) {
	b := int(dict[0])
	at := func(i int) int {
		if i < len(dict) {
			return int(dict[i])
		}
		return 0
	}
	switch {
	case b == 28:
		return int(int16(at(1)<<8 | at(2))), 3
	case b == 29:
		return int(int32(at(1)<<24 | at(2)<<16 | at(3)<<8 | at(4))), 5
	case b == 30:
		for size = 1; size < len(dict) && dict[size]&15 != 15 && dict[size]>>4 != 15; size++ {
		}
		return 0, size + 1
	case b >= 247 && b <= 250:
		return (b-247)*256 + at(1) + 108, 2
	case b >= 251 && b <= 254:
		return -(b-251)*256 - at(1) - 108, 2
	}
	return b - 139, 1
}

// names are the glyphs' names. Where they are in an order that only fonts for experts have, there is only the first.
func (c compact) names() []string {
	names := []string{".notdef"}
	charset := c.top[opCharset]
	if charset <= lastKnownCharset {
		for n := 1; n < c.glyphs && charset == isoAdobe; n++ {
			names = append(names, c.name(n))
		}
		return names
	}
	format, at := c.number(charset, 1), charset+1
	for len(names) < c.glyphs {
		first, more := c.number(at, 2), 0
		if at += 2; format > 0 {
			more = c.number(at, format)
			at += format
		}
		if first < 0 || more < 0 || format > 2 {
			break
		}
		for n := first; n <= first+more && len(names) < c.glyphs; n++ {
			names = append(names, c.name(n))
		}
	}
	return names
}

// name is a standard name, or one of the font's own.
func (c compact) name(n int) string {
	if n < len(compactNames) {
		return compactNames[n]
	}
	if n -= len(compactNames); n < len(c.strings) {
		return string(c.strings[n])
	}
	return ""
}

// encoding are the names that the font itself gives to codes; nil where it has one of the format's own.
func (c compact) encoding() map[byte]string {
	at := c.top[opEncoding]
	if at <= lastKnownEncoding {
		return nil
	}
	format, count := c.number(at, 1), c.number(at+1, 1)
	at += 2
	names, out := c.names(), map[byte]string{}
	for glyph := 1; count > 0; count-- {
		first, more := c.number(at, 1), 0
		if at++; format&127 == 1 {
			more = c.number(at, 1)
			at++
		}
		for code := first; first >= 0 && code <= first+more && code < 256 && glyph < len(names); code++ {
			out[byte(code)] = names[glyph]
			glyph++
		}
	}
	if format&128 != 0 {
		c.supplement(at, out)
	}
	return out
}

// supplement adds the codes of glyphs that have more than one.
func (c compact) supplement(at int, out map[byte]string) {
	for i := range max(0, c.number(at, 1)) {
		code, n := c.number(at+1+3*i, 1), c.number(at+2+3*i, 2)
		if code < 0 || n < 0 {
			return
		}
		out[byte(code)] = c.name(n)
	}
}

// compactNames are the standard names (Adobe Technical Note 5176, appendix A).
var compactNames = strings.Fields("" +
	".notdef space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma hyphen " +
	"period slash zero one two three four five six seven eight nine colon semicolon less equal greater question at A B C D E F G " +
	"H I J K L M N O P Q R S T U V W X Y Z bracketleft backslash bracketright asciicircum underscore quoteleft a b c d e f g h i " +
	"j k l m n o p q r s t u v w x y z braceleft bar braceright asciitilde exclamdown cent sterling fraction yen florin section " +
	"currency quotesingle quotedblleft guillemotleft guilsinglleft guilsinglright fi fl endash dagger daggerdbl periodcentered " +
	"paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand questiondown grave acute " +
	"circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron emdash AE ordfeminine Lslash Oslash " +
	"OE ordmasculine ae dotlessi lslash oslash oe germandbls onesuperior logicalnot mu trademark Eth onehalf plusminus Thorn " +
	"onequarter divide brokenbar degree thorn threequarters twosuperior registered minus eth multiply threesuperior copyright " +
	"Aacute Acircumflex Adieresis Agrave Aring Atilde Ccedilla Eacute Ecircumflex Edieresis Egrave Iacute Icircumflex Idieresis " +
	"Igrave Ntilde Oacute Ocircumflex Odieresis Ograve Otilde Scaron Uacute Ucircumflex Udieresis Ugrave Yacute Ydieresis Zcaron " +
	"aacute acircumflex adieresis agrave aring atilde ccedilla eacute ecircumflex edieresis egrave iacute icircumflex idieresis " +
	"igrave ntilde oacute ocircumflex odieresis ograve otilde scaron uacute ucircumflex udieresis ugrave yacute ydieresis zcaron " +
	"exclamsmall Hungarumlautsmall dollaroldstyle dollarsuperior ampersandsmall Acutesmall parenleftsuperior parenrightsuperior " +
	"twodotenleader onedotenleader zerooldstyle oneoldstyle twooldstyle threeoldstyle fouroldstyle fiveoldstyle sixoldstyle " +
	"sevenoldstyle eightoldstyle nineoldstyle commasuperior threequartersemdash periodsuperior questionsmall asuperior bsuperior " +
	"centsuperior dsuperior esuperior isuperior lsuperior msuperior nsuperior osuperior rsuperior ssuperior tsuperior ff ffi ffl " +
	"parenleftinferior parenrightinferior Circumflexsmall hyphensuperior Gravesmall Asmall Bsmall Csmall Dsmall Esmall Fsmall " +
	"Gsmall Hsmall Ismall Jsmall Ksmall Lsmall Msmall Nsmall Osmall Psmall Qsmall Rsmall Ssmall Tsmall Usmall Vsmall Wsmall " +
	"Xsmall Ysmall Zsmall colonmonetary onefitted rupiah Tildesmall exclamdownsmall centoldstyle Lslashsmall Scaronsmall " +
	"Zcaronsmall Dieresissmall Brevesmall Caronsmall Dotaccentsmall Macronsmall figuredash hypheninferior Ogoneksmall Ringsmall " +
	"Cedillasmall questiondownsmall oneeighth threeeighths fiveeighths seveneighths onethird twothirds zerosuperior foursuperior " +
	"fivesuperior sixsuperior sevensuperior eightsuperior ninesuperior zeroinferior oneinferior twoinferior threeinferior " +
	"fourinferior fiveinferior sixinferior seveninferior eightinferior nineinferior centinferior dollarinferior periodinferior " +
	"commainferior Agravesmall Aacutesmall Acircumflexsmall Atildesmall Adieresissmall Aringsmall AEsmall Ccedillasmall " +
	"Egravesmall Eacutesmall Ecircumflexsmall Edieresissmall Igravesmall Iacutesmall Icircumflexsmall Idieresissmall Ethsmall " +
	"Ntildesmall Ogravesmall Oacutesmall Ocircumflexsmall Otildesmall Odieresissmall OEsmall Oslashsmall Ugravesmall Uacutesmall " +
	"Ucircumflexsmall Udieresissmall Yacutesmall Thornsmall Ydieresissmall 001.000 001.001 001.002 001.003 Black Bold Book Light " +
	"Medium Regular Roman Semibold")
