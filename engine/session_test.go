package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/browser"
	"github.com/winnow-go/winnow/engine/internal/sessions"
	"github.com/winnow-go/winnow/formats"
	"github.com/winnow-go/winnow/llm"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// needSandbox skips where no program can be run in a sandbox; with WINNOW_REQUIRE_TOOLS, as in CI, it fails.
func needSandbox(t testing.TB) {
	t.Helper()
	needBrowser(t)
	err := browser.InstallSandbox(t.Context(), browser.InstallOptions{System: true})
	if err != nil && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
		t.Skip("sessions need a sandbox: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
}

// counterShop is a site whose pages count what is done to them.
func counterShop() map[string]http.Handler {
	return map[string]http.Handler{"shop.example": htmlPage(`<title>Shop</title><main><h1>Shop</h1><input id=q><button id=b onclick="this.textContent='clicked '+(++n)">buy</button><p id=p></p></main><script>var n=0;document.getElementById("q").oninput=e=>p.textContent="typed "+e.target.value</script>`)}
}

func newTestSession(t testing.TB, e *Engine, o SessionOptions) *Session {
	t.Helper()
	s, err := e.NewSession(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sessionCost is what a session costs that has lasted so long: on a busy machine more than a minute.
func sessionCost(info SessionInfo, perMinute int) int {
	return perMinute * max(1, int((info.Duration+time.Minute-1)/time.Minute))
}

// runIn runs code whose result is what a test waits for: a busy machine takes longer than the default to start an interpreter.
func runIn(t testing.TB, s *Session, language, source string) *InteractResult {
	t.Helper()
	r, err := s.Run(t.Context(), InteractRequest{Language: language, Code: source, Timeout: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func resultText(r *InteractResult) string {
	if r.Result == nil {
		return fmt.Sprintf("(none; stderr %s)", r.Stderr)
	}
	return *r.Result
}

func TestSession_actionsCodeAndScrapesSeeOnePage(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	dir := t.TempDir()
	e := hostEngine(t, counterShop(), func(o *Options) { o.MaxSessions, o.AssetDir, o.Now = 1, dir, newClock().now })
	s := onlySession(t, e, SessionOptions{Owner: "o"})
	if doc, err := s.Scrape(t.Context(), ScrapeOptions{}); err != nil || doc.Metadata.SourceURL != "about:blank" {
		t.Errorf("a blank page: %+v, %v", doc, err)
	}
	if err := s.Goto(t.Context(), "http://shop.example/"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), actions.Action{Type: actions.Click, Selector: "#b"}); err != nil {
		t.Fatal(err)
	}
	if r := runIn(t, s, "node", `await page.fill("#q", "barley"); console.log("hello"); await page.textContent("#b")`); resultText(r) != "clicked 1" || r.Stdout != "hello\n" || !r.Success || r.SessionID != s.ID() {
		t.Errorf("%+v, %s", r, resultText(r))
	}
	if r := runIn(t, s, "python", `page.text_content("#p")`); resultText(r) != "typed barley" {
		t.Errorf("python: %+v, %s", r, resultText(r))
	}
	sessionActsByReference(t, s)
	doc, err := s.Scrape(t.Context(), ScrapeOptions{Formats: []formats.Format{{Type: formats.Markdown}, {Type: formats.Screenshot}, {Type: formats.Links}}})
	if err != nil || !strings.Contains(doc.Markdown, "typed barley") || doc.Screenshot == "" || doc.Metadata.SourceURL != "http://shop.example/" {
		t.Errorf("%+v, %v", doc, err)
	}
	if written, err := os.ReadFile(doc.Screenshot); err != nil || filepath.Dir(doc.Screenshot) != dir || len(written) == 0 {
		t.Errorf("the screenshot's file: %v", err)
	}
	if r := runIn(t, s, "node", `process.exit(3)`); r.Success || r.ExitCode != 3 || !strings.Contains(r.Error, "status 3") {
		t.Errorf("%+v", r)
	}
	if r := runIn(t, s, "node", `throw new Error("boom")`); r.Success || r.ExitCode == 0 || !strings.Contains(r.Error, "boom") {
		t.Errorf("%+v", r)
	}
	sessionRefusesOptions(t, e, s)
	sessionReachesNothingRefused(t, s)
	if _, err := e.Interact(t.Context(), doc.Metadata.ScrapeID, InteractRequest{Code: "1"}); CodeOf(err) != CodeReplay {
		t.Errorf("to a session's page nothing leads: %v", err)
	}
	info, err := s.Close()
	if err != nil || info.Status != SessionDestroyed || info.Credits != sessionCost(info, sessions.CodeMinute) || info.Reason != sessions.ErrClosed.Error() {
		t.Errorf("%+v, %v", info, err)
	}
	if _, err := s.Scrape(t.Context(), ScrapeOptions{}); CodeOf(err) != CodeSessionDestroyed {
		t.Error(err)
	}
	if u, err := e.Usage(t.Context(), "o"); err != nil || u.Credits != int64(2+info.Credits) {
		t.Errorf("%+v, %v", u, err)
	}
	if list, _, err := e.Activity(t.Context(), ActivityQuery{Endpoint: "browser"}); err != nil || len(list) != 1 || list[0].ID != s.ID() || list[0].Owner != "o" {
		t.Errorf("%+v, %v", list, err)
	}
}

// sessionActsByReference types by the reference of a view, which the next view keeps.
func sessionActsByReference(t *testing.T, s *Session) {
	t.Helper()
	v, err := s.See(t.Context())
	field := regexp.MustCompile(`textbox.*\[(e\d+)\]`).FindStringSubmatch(v.Text)
	if err != nil || field == nil || v.URL != "http://shop.example/" || v.Title != "Shop" {
		t.Fatalf("%+v, %v", v, err)
	}
	typed, err := s.Act(t.Context(), "type", json.RawMessage(`{"ref":"`+field[1]+`","text":"barley"}`))
	if err != nil || !strings.Contains(typed.Did, "typed "+field[1]) || !strings.Contains(typed.Text, "["+field[1]+"]") {
		t.Errorf("%+v, %v", typed, err)
	}
	for tool, arguments := range map[string]string{"click": `{"ref":"e999"}`, "fly": `{}`, "press": `{"key":"Enter","twice":true}`} {
		if v, err := s.Act(t.Context(), tool, json.RawMessage(arguments)); CodeOf(err) != CodeAction || v.Text == "" {
			t.Errorf("%s: %+v, %v", tool, v, err)
		}
	}
}

// onlySession is the one of several at the same time that there may be.
func onlySession(t *testing.T, e *Engine, o SessionOptions) *Session {
	t.Helper()
	got := make(chan *Session, 3)
	var starts sync.WaitGroup
	for range cap(got) {
		starts.Go(func() {
			s, err := e.NewSession(t.Context(), o)
			if err != nil && CodeOf(err) != CodeSessionLimit {
				t.Error(err)
			}
			got <- s
		})
	}
	starts.Wait()
	close(got)
	var only []*Session
	for s := range got {
		if s != nil {
			only = append(only, s)
		}
	}
	if len(only) != 1 {
		t.Fatalf("%d sessions", len(only))
	}
	return only[0]
}

func TestSession_endsByItsTimes(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	c := newClock()
	e := hostEngine(t, counterShop(), func(o *Options) { o.Now = c.now })
	idle := newTestSession(t, e, SessionOptions{ActivityTTL: time.Minute})
	busy := newTestSession(t, e, SessionOptions{ActivityTTL: time.Hour, TTL: 10 * time.Minute})
	c.pass(2 * time.Minute)
	<-idle.room.Done()
	if info := busy.Info(); info.Status != SessionActive {
		t.Errorf("%+v", info)
	}
	if _, err := idle.Do(t.Context(), actions.Action{Type: actions.Scrape}); CodeOf(err) != CodeSessionDestroyed || !strings.Contains(err.Error(), sessions.ErrIdle.Error()) {
		t.Error(err)
	}
	if _, err := e.Session(t.Context(), idle.ID()); CodeOf(err) != CodeSessionDestroyed {
		t.Error(err)
	}
	if r := runIn(t, busy, "node", `await page.goto("https://shop.example/"); await page.title()`); r.Result == nil || *r.Result != "Shop" { // code went first, to a virtual host
		t.Errorf("%+v", r)
	}
	c.pass(8 * time.Minute)
	<-busy.room.Done()
	if info, err := busy.Close(); err != nil || info.Reason != sessions.ErrTTL.Error() || info.Duration < 10*time.Minute || info.Credits != 2*10 {
		t.Errorf("%+v, %v", info, err)
	}
	active, err := e.Sessions(t.Context(), SessionActive)
	ended, err2 := e.Sessions(t.Context(), SessionDestroyed)
	if err != nil || err2 != nil || len(active) != 0 || len(ended) != 2 || ended[0].ID != busy.ID() {
		t.Errorf("%+v, %+v, %v, %v", active, ended, err, err2)
	}
}

func sessionRefusesOptions(t *testing.T, e *Engine, s *Session) {
	t.Helper()
	for field, o := range map[string]SessionOptions{
		"ttl": {TTL: time.Second}, "activityTtl": {ActivityTTL: 2 * time.Hour}, "profile.name": {Profile: &Profile{}}, "viewport": {Viewport: &formats.Viewport{}},
		"location.country": {Location: &Location{Country: "zz"}}, "proxy": {Proxy: "teapot"}, "url": {URL: "ftp://x"},
	} {
		_, err := e.NewSession(t.Context(), o)
		wantRefusal(t, err, field, CodeBadRequest)
	}
	for field, o := range map[string]ScrapeOptions{"headers": {Headers: map[string]string{"a": "b"}}, "lockdown": {Lockdown: true}, "mobile": {Mobile: true}, "storeInCache": {StoreInCache: new(true)}, "owner": {Owner: "p"}} {
		_, err := s.Scrape(t.Context(), o)
		wantRefusal(t, err, field, CodeBadRequest)
	}
	for field, r := range map[string]InteractRequest{
		"code, prompt": {}, "code": {Code: strings.Repeat("x", maxCode+1)}, "language": {Code: "1", Language: "perl"}, "timeout": {Code: "1", Timeout: time.Hour}, "maxSteps": {Code: "1", MaxSteps: 26},
	} {
		_, err := s.Run(t.Context(), r)
		wantRefusal(t, err, field, CodeBadRequest)
	}
	if _, err := s.Ask(t.Context(), InteractRequest{Prompt: "buy"}); CodeOf(err) != CodeModelNotConfigured {
		t.Error(err)
	}
}

func TestSession_profileOutlivesTheEngine(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	dir := t.TempDir()
	profile := &Profile{Name: "me"}
	e := hostEngine(t, counterShop(), func(o *Options) { o.Dir = dir })
	s := newTestSession(t, e, SessionOptions{URL: "http://shop.example/", Profile: profile})
	const store = `new Promise((ok, no) => {
		const r = indexedDB.open("d", 1);
		r.onupgradeneeded = () => r.result.createObjectStore("s");
		r.onerror = no;
		r.onsuccess = () => { const t = r.result.transaction("s", "readwrite"), o = t.objectStore("s"), g = o.get("k"); o.put(" grain", "k"); t.oncomplete = () => { r.result.close(); ok(g.result) } }
	})`
	runIn(t, s, "node", `await page.evaluate(() => { localStorage.a = "kept"; sessionStorage.a = " too"; document.cookie = "c=crumb;max-age=9999"; return `+store+` })`)
	if _, err := e.NewSession(t.Context(), SessionOptions{Profile: profile}); CodeOf(err) != CodeProfileBusy {
		t.Error(err)
	}
	if err := e.Close(); err != nil { // keeps it
		t.Fatal(err)
	}
	e = hostEngine(t, counterShop(), func(o *Options) { o.Dir = dir })
	if _, err := e.Session(t.Context(), s.ID()); CodeOf(err) != CodeSessionDestroyed || !strings.Contains(err.Error(), sessions.ErrEngineEnded.Error()) {
		t.Error(err)
	}
	again := newTestSession(t, e, SessionOptions{URL: "http://shop.example/", Profile: profile})
	if r := runIn(t, again, "node", `await page.evaluate(async () => localStorage.a + sessionStorage.a + await `+store+` + document.cookie)`); resultText(r) != "kept too grainc=crumb" {
		t.Errorf("%+v", resultText(r))
	}
	other := newTestSession(t, e, SessionOptions{URL: "http://shop.example/"})
	if r := runIn(t, other, "node", `await page.evaluate(() => localStorage.a + document.cookie)`); resultText(r) != "undefined" {
		t.Errorf("another session: %s", resultText(r))
	}
}

func sessionReachesNothingRefused(t *testing.T, s *Session) {
	t.Helper()
	secret := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "loopback secret") })
	site := httptest.NewServer(secret)
	defer site.Close()
	server := site.URL
	for _, source := range []string{
		`await page.goto("` + server + `").then(() => page.content())`,
		`await page.goto("file:///etc/passwd").then(() => page.content())`,
		`await fetch("` + server + `").then(r => r.text())`,
		`require("fs").readFileSync("` + filepath.Join(t.TempDir(), "x") + `")`,
	} {
		if r := runIn(t, s, "node", source); r.Success && (strings.Contains(resultText(r), "secret") || strings.Contains(resultText(r), "root:x:0:0")) {
			t.Errorf("%s: %s", source, resultText(r))
		}
	}
}

func TestInteract_goesOnWhereTheScrapeEnded(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	e := hostEngine(t, counterShop())
	doc := scrapeOK(t, e, "http://shop.example/", ScrapeOptions{Actions: []actions.Action{{Type: actions.Click, Selector: "#b"}, {Type: actions.Click, Selector: "#b"}, {Type: actions.Screenshot}}})
	id := doc.Metadata.ScrapeID
	interact := func(source string) (*InteractResult, error) {
		return e.Interact(t.Context(), id, InteractRequest{Code: source, Timeout: 5 * time.Minute})
	}
	first, err := interact(`var kept = 1; await page.textContent("#b")`)
	if err != nil || resultText(first) != "clicked 2" {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := interact(`kept + 1`)
	if err != nil || resultText(second) != "2" || second.SessionID != first.SessionID {
		t.Errorf("%+v, %v", second, err)
	}
	info, err := e.StopInteract(t.Context(), id)
	if err != nil || info.Status != SessionDestroyed || info.Scrape != id || info.ID != first.SessionID {
		t.Errorf("%+v, %v", info, err)
	}
	if again, err := e.StopInteract(t.Context(), id); err != nil || again.EndedAt != info.EndedAt {
		t.Errorf("stopped twice: %+v, %v", again, err)
	}
	if _, err := interact(`1`); CodeOf(err) != CodeSessionDestroyed {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		id   string
		code Code
	}{"unknown": {"0198c3a0-0000-7000-8000-000000000000", CodeNotFound}, "none": {"", CodeNotFound}} {
		if _, err := e.Interact(t.Context(), c.id, InteractRequest{Code: "1"}); CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := e.StopInteract(t.Context(), c.id); CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInteract_aPageThatCantBeLedBackIsAConflict(t *testing.T) {
	t.Parallel()
	needSandbox(t)
	g := newGranary(`<main><button id=b>buy</button></main>`)
	e := hostEngine(t, map[string]http.Handler{"shop.example": g})
	doc := scrapeOK(t, e, "http://shop.example/", ScrapeOptions{Actions: []actions.Action{{Type: actions.Click, Selector: "#b"}}})
	g.shows(`<main>gone</main>`)
	if _, err := e.Interact(t.Context(), doc.Metadata.ScrapeID, InteractRequest{Code: "1"}); CodeOf(err) != CodeReplay {
		t.Error(err)
	}
	if u, err := e.Usage(t.Context(), ""); err != nil || u.Credits != int64(doc.Metadata.CreditsUsed) {
		t.Errorf("what never came to be was charged: %+v, %v", u, err)
	}
	g.shows(`<main><button id=b>buy</button></main>`)
	if r, err := e.Interact(t.Context(), doc.Metadata.ScrapeID, InteractRequest{Code: "1 + 1", Timeout: 5 * time.Minute}); err != nil || resultText(r) != "2" {
		t.Errorf("once it can be: %+v, %v", r, err)
	}
	if list, err := e.Sessions(t.Context(), ""); err != nil || len(list) != 1 || list[0].Status != SessionActive {
		t.Errorf("%+v, %v", list, err)
	}
	if list, _, err := e.Activity(t.Context(), ActivityQuery{Endpoint: "interact"}); err != nil || len(list) != 1 || list[0].Target != "http://shop.example/" {
		t.Errorf("%+v, %v", list, err)
	}
	id := doc.Metadata.ScrapeID
	running := make(chan error, 1)
	go func() {
		_, err := e.Interact(context.Background(), id, InteractRequest{Code: `console.log(1); await new Promise(() => {})`, Timeout: time.Minute})
		running <- err
	}()
	for s := activeSession(t, e); !s.room.Busy(); {
		time.Sleep(time.Millisecond)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if err := <-running; CodeOf(err) != CodeCancelled || !errors.Is(err, ErrClosed) {
		t.Errorf("under way when the engine was closed: %v", err)
	}
	if _, err := e.Interact(t.Context(), doc.Metadata.ScrapeID, InteractRequest{Code: "1"}); CodeOf(err) != CodeCancelled || !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

func activeSession(t *testing.T, e *Engine) *Session {
	t.Helper()
	list, err := e.Sessions(t.Context(), SessionActive)
	if err != nil || len(list) != 1 {
		t.Fatalf("%+v, %v", list, err)
	}
	s, err := e.Session(t.Context(), list[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSession_withoutASandboxIsRefused(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	e := newTestEngine(t, Options{})
	_, err := e.NewSession(t.Context(), SessionOptions{})
	if CodeOf(err) != CodeNotConfigured || !errors.Is(err, ErrNotConfigured) || !strings.Contains(err.Error(), "bubblewrap") {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), fmt.Sprintf("%s%d-*", sessions.FolderPrefix, os.Getpid())))
	if len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// operator is a scripted model: its n-th answer calls a tool on the line of the snapshot that has the text.
func operator(t *testing.T, steps ...[3]string) *llmtest.Server {
	n := 0
	return llmtest.NewServer(t, llmtest.Step{Times: -1, Func: func(r llmtest.Request) llmtest.Reply {
		step := steps[min(n, len(steps)-1)]
		n++
		arguments := map[string]string{}
		if step[1] != "" {
			line := regexp.MustCompile(`(?m)^.*`+regexp.QuoteMeta(step[1])+`.*\[(e\d+)\]`).FindAllStringSubmatch(r.Text(), -1)
			if len(line) == 0 {
				return llmtest.Reply{Text: "no " + step[1]}
			}
			arguments["ref"] = line[len(line)-1][1]
		}
		if name, value, ok := strings.Cut(step[2], "="); ok {
			arguments[name] = value
		}
		text, _ := json.Marshal(arguments)
		return llmtest.Reply{Calls: []llm.Call{{Name: step[0], Arguments: text}}}
	}})
}

func TestSession_aModelDrivesItAndItsActionsCanBeReplayed(t *testing.T) {
	needSandbox(t)
	model := operator(t, [3]string{"goto", "", "url=http://shop.example/"}, [3]string{"type", "textbox", "text=rye"}, [3]string{"click", `button "buy"`, ""}, [3]string{"done", "", "output=bought"})
	e := hostEngine(t, counterShop(), withModel(model.Model()), func(o *Options) { o.Now = newClock().now })
	s := newTestSession(t, e, SessionOptions{})
	var told int
	r, err := s.Ask(t.Context(), InteractRequest{Prompt: "Buy rye.", OnStep: func(ModelStep) { told++ }})
	if err != nil || !r.Success || r.Output != "bought" || len(r.Steps) != 4 || told != 4 || !r.Replayable || r.TokensUsed == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	if !strings.Contains(resultText(r), "clicked 1") || !strings.Contains(r.Stdout, "typed") {
		t.Errorf("%s, %s", resultText(r), r.Stdout)
	}
	if err := s.Goto(t.Context(), "http://shop.example/"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), r.Actions...); err != nil {
		t.Fatal(err)
	}
	if got := runIn(t, s, "node", `await page.textContent("main")`); !strings.Contains(resultText(got), "clicked 1") || !strings.Contains(resultText(got), "typed rye") {
		t.Errorf("replayed: %s", resultText(got))
	}
	if info, err := s.Close(); err != nil || info.Credits != sessionCost(info, sessions.PromptMinute) {
		t.Errorf("%+v, %v", info, err)
	}
}
