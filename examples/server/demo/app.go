package demo

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
)

// members of the app, by the value of their cookie. The oldest goes first.
type members struct {
	mu    sync.Mutex
	names map[string]string
	order []string
}

// maxMembers bounds the logins that are remembered, maxNameLen what is.
const (
	maxMembers = 100
	maxNameLen = 60
)

func (m *members) add(name string) (cookie string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	cookie = rand.Text()
	m.names[cookie] = name[:min(len(name), maxNameLen)]
	m.order = append(m.order, cookie)
	if len(m.order) > maxMembers {
		delete(m.names, m.order[0])
		m.order = m.order[1:]
	}
	return cookie
}

func (m *members) of(r *http.Request) string {
	cookie, err := r.Cookie("member")
	if err != nil {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.names[cookie.Value]
}

// The password of all members, which the login page shows.
const password = "barley"

func app() http.Handler {
	p, mux, known := open("app"), http.NewServeMux(), &members{names: map[string]string{}}
	mux.HandleFunc("/", p.serve)
	mux.HandleFunc("GET /api/tasks", tasks)
	mux.HandleFunc("GET /account", func(w http.ResponseWriter, r *http.Request) {
		if known.of(r) == "" {
			http.Redirect(w, r, "/login", http.StatusSeeOther)
			return
		}
		p.show(w, http.StatusOK, "account.view", known.of(r))
	})
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) { p.show(w, http.StatusOK, "login.view", "") })
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
		name := r.FormValue("name")
		if name == "" || r.FormValue("password") != password {
			p.show(w, http.StatusUnauthorized, "login.view", "This is not the password.")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "member", Value: known.add(name), Path: "/", MaxAge: 3600, Secure: r.TLS != nil, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		http.Redirect(w, r, "/account", http.StatusSeeOther)
	})
	return mux
}

// allTasks is how many tasks there are, tasksAtOnce how many an answer has.
const (
	allTasks    = 24
	tasksAtOnce = 8
)

var (
	verbs  = []string{"Sweep", "Weigh", "Mend", "Turn"}
	things = []string{"the loft", "the sacks", "the sieve", "the stones", "the ledger", "the gutter"}
)

// tasks answers with some of the list, from the number given.
func tasks(w http.ResponseWriter, r *http.Request) {
	from, err := strconv.Atoi(r.FormValue("from"))
	if err != nil || from < 0 {
		from = 0
	}
	type task struct {
		ID   int    `json:"id"`
		Text string `json:"text"`
		Done bool   `json:"done"`
	}
	list := []task{}
	for i := from; i < min(from+tasksAtOnce, allTasks); i++ {
		list = append(list, task{i + 1, fmt.Sprintf("%s %s", verbs[i%len(verbs)], things[i/len(verbs)]), i%3 == 0})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"tasks": list, "total": allTasks}) // a reader that went away is its own affair
}
