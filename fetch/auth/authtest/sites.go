package authtest

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// connection is the key of what a server knows of a connection.
type connection struct{}

// serve answers for all names of the port.
func (n *Intranet) serve(w http.ResponseWriter, r *http.Request) {
	host, _, _ := strings.Cut(r.Host, ":")
	site, own := strings.CutSuffix(host, "."+Domain)
	if !own {
		n.trap(w, r)
		return
	}
	if r.URL.Path == "/robots.txt" || r.URL.Path == "/favicon.ico" {
		http.NotFound(w, r)
		return
	}
	if n.admit(w, r, site) {
		n.count(site + " page")
		n.page(w, r, site)
	}
}

// admit lets requests through that have what the site wants, and answers the others.
func (n *Intranet) admit(w http.ResponseWriter, r *http.Request, site string) bool {
	switch site {
	case "basic":
		user, password, _ := r.BasicAuth()
		return user == User && password == Password(site) || n.challenge(w, site, `Basic realm="`+site+`"`)
	case "digest":
		return n.checkDigest(r) || n.challenge(w, site, n.digestChallenges()...)
	case "ntlm":
		return n.admitNTLM(w, r)
	case "negotiate":
		want := "Negotiate " + base64.StdEncoding.EncodeToString([]byte(Token))
		return r.Header.Get("Authorization") == want || n.challenge(w, site, "Negotiate")
	case "form", "formtext":
		return n.admitSession(w, r, site)
	}
	return true // cert: its handshake has seen to it
}

func (n *Intranet) challenge(w http.ResponseWriter, site string, challenges ...string) bool {
	n.count(site + " challenge")
	for _, c := range challenges {
		w.Header().Add("WWW-Authenticate", c)
	}
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(http.StatusUnauthorized)
	fmt.Fprint(w, "<title>401</title><p>who are you?")
	return false
}

// page is a page whose script sends its own site something, and which embeds and calls what is elsewhere.
func (n *Intranet) page(w http.ResponseWriter, r *http.Request, site string) {
	other := "https://" + site + "." + Domain + ":" + portOf(n.other)
	plain := "http://" + site + "." + Domain + ":" + portOf(n.plain)
	switch r.URL.Path {
	case "/app.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, `fetch("/data", {method: "POST", body: "from the page"}).then(r => r.text()).then(t => { document.getElementById("m").textContent = t })
			for (const url of [%q, %q, %q]) fetch(url, {mode: "no-cors", credentials: "include"}).catch(() => {})`, n.Trap("/call"), other+"/call", plain+"/call")
	case "/data":
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "the script of %s was sent what is %s", site, body)
	case "/away":
		http.Redirect(w, r, n.Trap("/away"), http.StatusFound)
	case "/other":
		http.Redirect(w, r, other+"/other", http.StatusFound)
	case "/plain":
		http.Redirect(w, r, plain+"/plain", http.StatusFound)
	default:
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>%[1]s</title><h1>Intranet</h1><p>the page of %[1]s</p><p id=m>waiting</p><a href="/more">more</a><a href="%[2]s">out</a><script src="/app.js"></script>
			<script src="%[2]s"></script><script src="%[3]s/x.js"></script><script src="%[4]s/x.js"></script><link rel=stylesheet href="%[2]s.css">`,
			site, n.Trap("/x.js"), other, plain)
	}
}
