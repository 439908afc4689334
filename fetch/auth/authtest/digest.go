package authtest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"net/http"
	"regexp"
	"strings"
)

const digestNonce = "a nonce, with a comma"

// digestChallenges offer two algorithms; SHA-256 is to be taken.
func (n *Intranet) digestChallenges() []string {
	rest := `realm="the digest", qop="auth,auth-int", nonce="` + digestNonce + `", opaque="opaque"`
	return []string{"Digest " + rest + ", algorithm=MD5", "Digest " + rest + ", algorithm=SHA-256"}
}

var digestParameter = regexp.MustCompile(`(\w+)=(?:"([^"]*)"|([^\s,]+))`)

// checkDigest works the response out by itself (RFC 7616 §3.4.1).
func (n *Intranet) checkDigest(r *http.Request) bool {
	rest, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Digest ")
	p := map[string]string{}
	for _, m := range digestParameter.FindAllStringSubmatch(rest, -1) {
		p[m[1]] = m[2] + m[3]
	}
	if !ok || p["username"] != User || p["uri"] != r.RequestURI || p["nonce"] != digestNonce || p["algorithm"] != "SHA-256" {
		return false
	}
	a1 := digestSum(sha256.New, User+":the digest:"+Password("digest"))
	a2 := digestSum(sha256.New, r.Method+":"+r.RequestURI)
	want := digestSum(sha256.New, strings.Join([]string{a1, p["nonce"], p["nc"], p["cnonce"], p["qop"], a2}, ":"))
	return p["response"] == want && n.firstUse(p["nc"]+p["cnonce"])
}

// firstUse reports whether a count and cnonce are new: a response that is sent twice is a replay.
func (n *Intranet) firstUse(what string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.seen["digest "+what]++
	return n.seen["digest "+what] == 1
}

func digestSum(of func() hash.Hash, text string) string {
	h := of()
	fmt.Fprint(h, text)
	return hex.EncodeToString(h.Sum(nil))
}
