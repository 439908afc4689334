package authtest

import (
	"crypto/rand"
	"fmt"
	"net/http"
)

// Expire ends all sessions of logins by form.
func (n *Intranet) Expire() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.sessions)
}

// admitSession wants a session: "form" redirects to the login, "formtext" says with status 200 that the session has ended.
func (n *Intranet) admitSession(w http.ResponseWriter, r *http.Request, site string) bool {
	switch {
	case r.URL.Path == "/login" && r.Method == http.MethodPost:
		n.logIn(w, r, site)
	case r.URL.Path == "/login":
		w.Header().Set("Content-Type", "text/html")
		http.SetCookie(w, &http.Cookie{Name: "csrf", Value: "c1", Path: "/"})
		fmt.Fprint(w, `<form action="/search"><input name=q></form><form method=post action="/login">
			<input type=hidden name=token value="t&amp;1"><input name=user><input name=pw type=password><button name=go value=in>Log in</button></form>`)
	case n.hasSession(r):
		return true
	case site == "formtext":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>Your session has ended.</p>")
	default:
		http.Redirect(w, r, "/login?back="+r.URL.Path, http.StatusFound)
	}
	return false
}

func (n *Intranet) hasSession(r *http.Request) bool {
	c, err := r.Cookie("sid")
	n.mu.Lock()
	defer n.mu.Unlock()
	return err == nil && n.sessions[c.Value]
}

func (n *Intranet) logIn(w http.ResponseWriter, r *http.Request, site string) {
	n.count(site + " login")
	csrf, err := r.Cookie("csrf")
	right := err == nil && csrf.Value == "c1" && r.FormValue("token") == "t&1" && r.FormValue("go") == "in" &&
		r.FormValue("user") == User && r.FormValue("pw") == Password(site)
	if !right {
		http.Redirect(w, r, "/login?again", http.StatusFound)
		return
	}
	id := "s3cret-session-" + rand.Text()
	n.mu.Lock()
	n.sessions[id], n.secrets = true, append(n.secrets, id)
	n.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: "sid", Value: id, Path: "/", HttpOnly: true, Domain: Domain})
	http.Redirect(w, r, "/home", http.StatusFound)
}
