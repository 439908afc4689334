package authtest

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"net/http"
	"strings"
	"unicode/utf16"
)

// ntHash is MD4 of the password of the site "ntlm" in UTF-16.
const ntHash = "058afdc572005d2a56c9877ff1d6c979"

// ntlmState is what the server knows of a connection.
type ntlmState struct{ challenged, admitted bool }

var ntlmChallenge = []byte("8 bytes.")

const (
	ntlmUnicode    = 0x00000001
	ntlmTarget     = 0x00000004
	ntlmNTLM       = 0x00000200
	ntlmTargetInfo = 0x00800000
)

// admitNTLM wants each connection to prove once that its client knows the password.
func (n *Intranet) admitNTLM(w http.ResponseWriter, r *http.Request) bool {
	state := r.Context().Value(connection{}).(*ntlmState)
	said, _ := strings.CutPrefix(r.Header.Get("Authorization"), "NTLM ")
	message, _ := base64.StdEncoding.DecodeString(said)
	switch {
	case len(message) == 0 && state.admitted:
		return true
	case len(message) < 12:
		return n.challenge(w, "ntlm", "NTLM")
	case message[8] == 1:
		n.count("ntlm handshake")
		state.challenged, state.admitted = true, false
		return n.challenge(w, "ntlm", "NTLM "+base64.StdEncoding.EncodeToString(ntlmSecondMessage()))
	case message[8] == 3 && state.challenged && provesNTLM(message):
		state.admitted = true
		return true
	}
	*state = ntlmState{}
	return n.challenge(w, "ntlm", "NTLM")
}

// ntlmSecondMessage is a CHALLENGE_MESSAGE (MS-NLMP 2.2.1.2).
func ntlmSecondMessage() []byte {
	const header = 48
	target := ntlmText("CORP")
	info := append([]byte{2, 0, byte(len(target)), 0}, target...)
	info = append(info, 0, 0, 0, 0)
	b := bytes.NewBuffer([]byte("NTLMSSP\x00\x02\x00\x00\x00"))
	field := func(n, at int) {
		_ = binary.Write(b, binary.LittleEndian, []uint16{uint16(n), uint16(n)}) // to memory
		_ = binary.Write(b, binary.LittleEndian, uint32(at))
	}
	field(len(target), header)
	_ = binary.Write(b, binary.LittleEndian, uint32(ntlmUnicode|ntlmTarget|ntlmNTLM|ntlmTargetInfo))
	b.Write(ntlmChallenge)
	b.Write(make([]byte, 8))
	field(len(info), header+len(target))
	b.Write(target)
	b.Write(info)
	return b.Bytes()
}

// provesNTLM checks the NTLMv2 response of an AUTHENTICATE_MESSAGE (MS-NLMP 2.2.1.3, 3.3.2).
func provesNTLM(m []byte) bool {
	response, domain, user := ntlmField(m, 20), ntlmField(m, 28), ntlmField(m, 36)
	if len(response) < 16 || !bytes.Equal(user, ntlmText(User)) || !bytes.Equal(domain, ntlmText("CORP")) {
		return false
	}
	hash, _ := hex.DecodeString(ntHash)
	key := ntlmMAC(hash, append(ntlmText(strings.ToUpper(User)), domain...))
	return hmac.Equal(response[:16], ntlmMAC(key, append(bytes.Clone(ntlmChallenge), response[16:]...)))
}

// ntlmField is what the descriptor at a place points to; nil if that is outside.
func ntlmField(m []byte, at int) []byte {
	if len(m) < at+8 {
		return nil
	}
	n, from := int(binary.LittleEndian.Uint16(m[at:])), int(binary.LittleEndian.Uint32(m[at+4:]))
	if from > len(m) || n > len(m)-from {
		return nil
	}
	return m[from : from+n]
}

func ntlmMAC(key, data []byte) []byte {
	h := hmac.New(md5.New, key)
	h.Write(data)
	return h.Sum(nil)
}

func ntlmText(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}
