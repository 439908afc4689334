package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

// A second browser operates the session through its live view, as a person would.
func TestLiveView_aPersonOperatesTheSession(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: this test runs real browsers")
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	in, out := io.Pipe()
	shown := make(chan error, 1)
	go func() {
		err := show(ctx, out, settings{lasts: 10 * time.Minute, system: true})
		out.CloseWithError(err)
		shown <- err
	}()
	lines := bufio.NewScanner(in)
	control := ""
	for control == "" && lines.Scan() {
		if at, ok := strings.CutPrefix(lines.Text(), "operate: "); ok {
			control = at
		}
	}
	if control == "" {
		if err := <-shown; errors.Is(err, engine.ErrNotConfigured) && os.Getenv("WINNOW_REQUIRE_TOOLS") == "" {
			t.Skip("sessions can't be run here: ", err)
		} else {
			t.Fatal(err)
		}
	}
	operate(t, control)
	stop()
	var rest strings.Builder
	for lines.Scan() {
		rest.WriteString(lines.Text() + "\n")
	}
	if err := <-shown; err != nil || !strings.Contains(rest.String(), "- hello") {
		t.Errorf("%v, the page says %s", err, &rest)
	}
}

// says waits until an element of the view has the text, as long as the scrape may take.
func says(id, text string) actions.Action {
	return actions.Action{Type: actions.ExecuteJavaScript, Script: fmt.Sprintf(`await new Promise(done => {
		const at = document.getElementById(%q);
		const look = () => at.textContent.includes(%q) && done();
		new MutationObserver(look).observe(at, {childList: true, characterData: true, subtree: true});
		look();
	})`, id, text)}
}

// listen notes, from now on, what the view says that it has lost.
const listen = `const notice = document.getElementById("notice");
	window.lost = "";
	new MutationObserver(() => { window.lost ||= notice.textContent; }).observe(notice, {childList: true});`

// outcome waits until the page has taken something, or the view has lost something, and is the page's title or what the view says.
const outcome = `await new Promise(done => {
	const title = document.getElementById("title");
	const look = () => (window.lost || title.textContent.startsWith("The board: ")) && done(window.lost || title.textContent);
	new MutationObserver(look).observe(document.body, {childList: true, characterData: true, subtree: true});
	look();
})`

// operate types into the page that a live view shows.
func operate(t *testing.T, control string) {
	t.Helper()
	o := engine.Options{Browser: engine.BrowserOptions{System: true}}
	o.Policy.AllowPrivate = true
	e, err := engine.New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	keys := []actions.Action{says("state", "Live"), {Type: actions.ExecuteJavaScript, Script: listen}, {Type: actions.Click, Selector: "canvas"}}
	for _, key := range []string{"Tab", "h", "e", "l", "l", "o", "Enter"} {
		keys = append(keys, actions.Action{Type: actions.Press, Key: key})
	}
	keys = append(keys, actions.Action{Type: actions.ExecuteJavaScript, Script: outcome})
	doc, err := e.Scrape(t.Context(), control, engine.ScrapeOptions{Actions: keys, Timeout: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	returns := doc.Actions.JavaScriptReturns
	if said := string(returns[len(returns)-1].Value); said != `"The board: hello"` {
		t.Errorf("typed hello, got %s", said)
	}
}
