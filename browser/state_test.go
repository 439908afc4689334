package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

var stateRoutes = map[string]http.HandlerFunc{
	"/remember": func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "s1", Path: "/"})
		page(`<p id=a></p><script>localStorage.setItem("kept", "local"); const r = indexedDB.open("d", 1);
			r.onupgradeneeded = () => r.result.createObjectStore("s"); r.onsuccess = () => {
				const t = r.result.transaction("s", "readwrite"); t.objectStore("s").put({when: new Date(0)}, "k"); t.oncomplete = () => { a.textContent = "done" } }</script>`)(w, r)
	},
	"/recall": page(`<p id=a></p><script>const r = indexedDB.open("d", 1); r.onupgradeneeded = () => r.result.createObjectStore("s");
		r.onsuccess = () => { const g = r.result.transaction("s").objectStore("s").get("k"); g.onsuccess = () => {
			a.textContent = [document.cookie, localStorage.getItem("kept"), g.result && g.result.when.toISOString()].join("|") } }</script>`),
}

func TestState_movesToAnotherPageAndNowhereElse(t *testing.T) {
	needsBrowser(t)
	s := newSite(t, newProxy(t).URL, stateRoutes)
	first := open(t, PageOptions{Proxy: s.proxy})
	visit(t, first, s.URL+"/remember")
	if _, err := first.WaitSelector(testContext(t), "#a:not(:empty)", patience); err != nil {
		t.Fatal(err)
	}
	state, err := first.State(testContext(t))
	if err != nil || !json.Valid(state) {
		t.Fatalf("got %q, %v", state, err)
	}
	for want, o := range map[string]PageOptions{
		"session=s1|local|1970-01-01T00:00:00.000Z": {State: state},
		"||": {},
	} {
		o.Proxy = s.proxy
		p := open(t, o)
		visit(t, p, s.URL+"/recall")
		if _, err := p.WaitSelector(testContext(t), "#a:not(:empty)", patience); err != nil {
			t.Fatal(err)
		}
		contains(t, "content", contentOf(t, p), "<p id=\"a\">"+want+"</p>")
	}
	if left, _ := filepath.Glob(filepath.Join(first.gen.Folder.Dir, "state-*")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestState_aDamagedOneIsAnError(t *testing.T) {
	needsBrowser(t)
	for _, state := range []string{"{", `[1]`, `{"cookies": 1}`} {
		_, err := shared.Open(testContext(t), PageOptions{State: []byte(state)})
		var bad *OptionError
		if !errors.As(err, &bad) || bad.Field != "State" {
			t.Errorf("%s: got %v, want an OptionError", state, err)
		}
	}
}

func TestThroughFile_isPrivateAndGoneAfterwards(t *testing.T) {
	parent := t.TempDir()
	_, err := throughFile(parent, func(file string) error {
		info, err := os.Stat(filepath.Dir(file))
		if err == nil && info.Mode().Perm() != 0o700 {
			t.Errorf("got a folder of mode %v", info.Mode())
		}
		return errors.New("no")
	})
	if left, _ := os.ReadDir(parent); err == nil || len(left) > 0 {
		t.Errorf("got %v, and %d files left", err, len(left))
	}
}

func TestTabState_isPartedFromTheRestAndJoined(t *testing.T) {
	rest := []byte(`{"cookies":[{"name":"a","value":"\"sessionStorage\""}],"origins":[]}`)
	joined, err := joinState(rest, json.RawMessage(`{"origin":"https://a.example","items":[["k","v"]]}`))
	if err != nil {
		t.Fatal(err)
	}
	back, tab := splitState(joined)
	if !bytes.Equal(back, rest) || tab == nil || tab.Origin != "https://a.example" || len(tab.Items) != 1 || tab.Items[0] != [2]string{"k", "v"} {
		t.Errorf("got %s and %+v", back, tab)
	}
	for _, none := range []string{`{"origin":"null","items":[]}`, `{}`, `null`, `[]`, ``} {
		if same, err := joinState(rest, json.RawMessage(none)); err != nil || !bytes.Equal(same, rest) {
			t.Errorf("%q: got %s, %v", none, same, err)
		}
	}
	if same, tab := splitState(rest); tab != nil || !bytes.Equal(same, rest) {
		t.Errorf("got %s and %+v", same, tab)
	}
}

// A state comes from a profile, which is a file that anybody may have written.
func FuzzSplitState(f *testing.F) {
	f.Add([]byte(`{"cookies":[],"sessionStorage":{"origin":"https://a.example","items":[["k","v"]]}}`))
	f.Add([]byte(`{"sessionStorage":7}`))
	f.Add([]byte(`"sessionStorage"`))
	f.Fuzz(func(t *testing.T, state []byte) {
		rest, tab := splitState(state)
		if json.Valid(state) && !json.Valid(rest) {
			t.Errorf("%q became %q", state, rest)
		}
		if tab == nil {
			return
		}
		if again, second := splitState(rest); second != nil || !bytes.Equal(again, rest) {
			t.Errorf("%q still holds a tab", rest)
		}
	})
}
