package guess

import (
	"math"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// wideGuesser is an encoding of two bytes and more.
type wideGuesser struct {
	name   string
	common map[[2]byte]bool // characters of which half of a text consists
	// read returns how many bytes the character at the beginning of a text has, and its probability; 0 for none.
	read func(text []byte) (n int, share float64)
}

// The most frequent characters of running text.
const (
	chinese     = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工"
	traditional = "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工"
	hangul      = "이다는의에을가고하지로한사기도를은인서대어자시리정해나부일수그아보장스상전과있제원들라으만주국구게소면신성간동여공유관저요경세모내조비거안오우계방것교선업연용치실없생당회점중문등개음니까습"
	kanji       = "日一人年大本中国出会社上時生事者自分行前東見思方地後間発合学気手場小長言入私新高家名同用何的所下部内作定体心方子力物目代教文問理意動通月外"
)

func wideGuessers() []guesser {
	return []guesser{
		&wideGuesser{"shift_jis", commonIn(japanese.ShiftJIS, kanji), readShiftJIS}, &wideGuesser{"euc-jp", commonIn(japanese.EUCJP, kanji), readEUCJP},
		&wideGuesser{"gb18030", commonIn(simplifiedchinese.GBK, chinese), readGBK},
		&wideGuesser{"big5", commonIn(traditionalchinese.Big5, traditional), readBig5},
		&wideGuesser{"euc-kr", commonIn(korean.EUCKR, hangul), readEUCKR},
	}
}

func commonIn(e encoding.Encoding, text string) map[[2]byte]bool {
	set := map[[2]byte]bool{}
	b, _ := e.NewEncoder().Bytes([]byte(text)) // the tables have all of them
	for ; len(b) >= 2; b = b[2:] {
		set[[2]byte(b)] = true
	}
	return set
}

// misread is the probability of a byte that begins no character.
const misread = 1e-7

func (g *wideGuesser) encoding() string { return g.name }

func (g *wideGuesser) score(text []byte) (sum float64) {
	for i := 0; i < len(text); {
		if text[i] < 0x80 {
			i++
			continue
		}
		n, share := g.read(text[i:])
		switch {
		case n == 0:
			n, share = 1, misread
		case n == 2 && g.common[[2]byte(text[i:])]:
			share = max(share, 0.4/float64(len(g.common)))
		}
		sum += math.Log(share)
		i += n
	}
	return sum
}

// Shares of the parts of the standards that the encodings hold: frequent and rare ideographs, kana, hangul, marks. Those of a part are
// spread evenly over its characters.
const (
	rare     = 1e-7
	marksOf  = 0.1 / 188 // full stops, commas, brackets
	frequent = 0.6       // of ideographs, beside the most common
)

func readShiftJIS(t []byte) (int, float64) {
	lead := t[0]
	if lead >= 0xa1 && lead <= 0xdf {
		return 1, 0.001 / 63 // katakana of half a width
	}
	if len(t) < 2 || t[1] < 0x40 || t[1] == 0x7f || t[1] > 0xfc || lead == 0x80 || lead == 0xa0 || lead > 0xfc {
		return 0, 0
	}
	switch {
	case lead == 0x82 && t[1] >= 0x9f && t[1] <= 0xf1:
		return 2, 0.5 / 83
	case lead == 0x83 && t[1] <= 0x96:
		return 2, 0.15 / 86
	case lead == 0x81, lead == 0x82 && t[1] <= 0x9a:
		return 2, marksOf
	case lead >= 0x88 && lead <= 0x97:
		return 2, 0.2 / 2965
	case lead >= 0x98 && lead <= 0xea:
		return 2, 0.01 / 3390
	}
	return 2, rare
}

// pair reads two bytes of which the second is at least from.
func pair(t []byte, from byte) bool {
	return len(t) >= 2 && t[0] >= 0x81 && t[0] <= 0xfe && t[1] >= from && t[1] != 0x7f && t[1] != 0xff
}

func readEUCJP(t []byte) (int, float64) {
	if t[0] == 0x8f && len(t) >= 3 && t[1] >= 0xa1 && t[2] >= 0xa1 {
		return 3, rare
	}
	if !pair(t, 0xa1) || t[0] < 0xa1 && t[0] != 0x8e {
		return 0, 0
	}
	switch lead := t[0]; {
	case lead == 0xa4:
		return 2, 0.5 / 83
	case lead == 0xa5:
		return 2, 0.15 / 86
	case lead == 0xa1 || lead == 0xa3:
		return 2, marksOf
	case lead >= 0xb0 && lead <= 0xcf:
		return 2, 0.2 / 2965
	case lead >= 0xd0 && lead <= 0xf4:
		return 2, 0.01 / 3390
	}
	return 2, rare
}

func readGBK(t []byte) (int, float64) {
	if len(t) >= 4 && t[1] >= '0' && t[1] <= '9' && t[2] >= 0x81 && t[3] >= '0' && t[3] <= '9' {
		return 4, rare
	}
	if !pair(t, 0x40) {
		return 0, 0
	}
	switch lead := t[0]; {
	case t[1] < 0xa1:
		return 2, 0.01 / 15000
	case lead == 0xa1 || lead == 0xa3:
		return 2, marksOf
	case lead >= 0xb0 && lead <= 0xd7:
		return 2, frequent / 3755
	case lead >= 0xd8 && lead <= 0xf7:
		return 2, 0.02 / 3008
	}
	return 2, rare
}

func readBig5(t []byte) (int, float64) {
	if !pair(t, 0x40) || t[1] > 0x7e && t[1] < 0xa1 {
		return 0, 0
	}
	switch lead := t[0]; {
	case lead >= 0xa1 && lead <= 0xa3:
		return 2, marksOf
	case lead >= 0xa4 && lead <= 0xc6:
		return 2, frequent / 5401
	case lead >= 0xc9 && lead <= 0xf9:
		return 2, 0.02 / 7652
	}
	return 2, rare
}

func readEUCKR(t []byte) (int, float64) {
	if !pair(t, 0x41) {
		return 0, 0
	}
	switch lead := t[0]; {
	case t[1] < 0xa1:
		return 2, rare
	case lead == 0xa1 || lead == 0xa3:
		return 2, marksOf
	case lead >= 0xb0 && lead <= 0xc8:
		return 2, frequent / 2350
	case lead >= 0xca && lead <= 0xfd:
		return 2, 0.005 / 4888
	}
	return 2, rare
}
