package code

import (
	"errors"
	"strings"
	"testing"
)

// row is a call and what is expected of it. The rows of a table run one after the other in one worker.
type row struct {
	code   string
	result string // "-" for none
	stdout string
	stderr string // a part of it; "" for none at all
	exit   int
}

func (w row) check(t *testing.T, got Result) {
	t.Helper()
	result := "-"
	if got.Result != nil {
		result = *got.Result
	}
	if result != w.result || got.Stdout != w.stdout || got.ExitCode != w.exit || got.Killed {
		t.Errorf("%q: got result %q, stdout %q, exit code %d, killed %v; want %q, %q, %d", w.code, result, got.Stdout, got.ExitCode, got.Killed, w.result, w.stdout, w.exit)
	}
	if (w.stderr == "") != (got.Stderr == "") || !strings.Contains(got.Stderr, w.stderr) {
		t.Errorf("%q: got stderr %q, want %q in it", w.code, got.Stderr, w.stderr)
	}
	for _, own := range []string{"[stdin]", "<stdin>", "node:inspector"} {
		if strings.Contains(got.Stderr, own) {
			t.Errorf("%q: stderr names frames of the worker: %s", w.code, got.Stderr)
		}
	}
}

func runTable(t *testing.T, language string, rows []row) {
	r := calm(t)
	needs(t, language)
	for _, w := range rows {
		w.check(t, run(t, r, language, w.code))
	}
}

func TestRun_node(t *testing.T) {
	runTable(t, Node, []row{
		{code: `await page.goto("http://site.test/"); await page.title()`, result: "Home"},
		{code: `page.title()`, result: "Home"}, // a promise at the end is waited for
		{code: `let x = 1; const y = [x]; var z = "z"; function f() { return x + 1 } class C { m() { return 3 } }`, result: "-"},
		{code: `[x, y, z, f(), new C().m()]`, result: `[1,[1],"z",2,3]`},
		{code: `let x = 2; const y = await Promise.resolve({ a: x }); y`, result: `{"a":2}`},
		{code: `console.log("out", 1); console.error("err"); process.stdout.write("end")`, result: "true", stdout: "out 1\nend", stderr: "err\n"},
		{code: `const fs = 1, net = 2, session = 3, answer = 4, tab = 5, sink = 6, failed = 7; fs + answer`, result: "5"}, // the worker's names aren't there
		{code: `"text"`, result: "text"},
		{code: `null`, result: "null"},
		{code: `undefined`, result: "-"},
		{code: `10n`, result: "10"},
		{code: `if (x) { 5 } // the last value`, result: "5"},
		{code: `new Map([[1, 2]])`, result: "Map(1) { 1 => 2 }"},
		{code: `Buffer.from("hi")`, result: "aGk="},
		{code: `const ring = {}; ring.ring = ring; ring`, result: "<ref *1> { ring: [Circular *1] }"},
		{code: `[page.locator("h1"), page]`, result: `["locator('h1')","<Page http://site.test/>"]`},
		{code: `throw new Error("boom")`, result: "-", stderr: "Error: boom\n    at code.js:1:7\n", exit: 1},
		{code: `async function g() { await null; throw new TypeError("deep") }` + "\nawait g()", result: "-", stderr: "at async code.js:2:1", exit: 1},
		{code: `throw 5`, result: "-", stderr: "Uncaught 5", exit: 1},
		{code: `foo(`, result: "-", stderr: "SyntaxError", exit: 1},
		{code: `Promise.reject(new Error("floating")); 1`, result: "-", stderr: "floating", exit: 1},
		{code: `import fs from "fs"`, result: "-", stderr: "use require", exit: 1},
		{code: `process.cwd() + require("os").homedir()`, result: "/home/user/home/user"},
		{code: `typeof require("playwright").errors.TimeoutError`, result: "function"},
		{code: `await page.click("nothing", { timeout: 50 })`, result: "-", stderr: "Timeout 50ms exceeded", exit: 1},
		{code: `await page.click("button"); await page.title()`, result: "clicked"},
		{code: `const [popup] = await Promise.all([page.waitForEvent("popup"), page.click("a")]); await popup.waitForLoadState(); await popup.title()`, result: "Two"},
		{code: `await page.title()`, result: "clicked"}, // the tab stays the same while it is open
		{code: `page = popup; await page.title()`, result: "Two"},
		{code: `await page.close(); page.isClosed()`, result: "true"},
		{code: `await browser.close(); 1`, result: "1"}, // it is the connection that is closed
		{code: `await context.pages()[0].title()`, result: "clicked"},
		{code: `setTimeout(() => console.log("late"), 1); 1`, result: "1"},
		{code: `await new Promise((resolve) => setTimeout(resolve, 20)); 2`, result: "2", stdout: "late\n"},
		{code: `process.exitCode = 4; 5`, result: "5", exit: 4},
		{code: `6`, result: "6"}, // what was said of the code before is over
		{code: `process.exit(3)`, result: "-", exit: 3},
		{code: `typeof x`, result: "undefined"},
	})
}

func TestRun_pythonIsThatOfPlaywright(t *testing.T) {
	runTable(t, Python, []row{
		{code: `page.goto("http://site.test/")` + "\npage.title()", result: "Home"},
		{code: `await page.title()`, result: "Home"},
		{code: "x = 1\ndef f():\n    return x + 1\nclass C:\n    pass", result: "-"},
		{code: `print("out", x)` + "\n[x, f(), {'a': None}]", result: `[1, 2, {"a": null}]`, stdout: "out 1\n"},
		{code: `import sys; print("err", file=sys.stderr)`, result: "-", stderr: "err\n"},
		{code: `"text"`, result: "text"},
		{code: `None`, result: "-"},
		{code: `b"hi"`, result: "aGk="},
		{code: `{1, 2}`, result: "{1, 2}"},
		{code: "def g():\n    raise ValueError('boom')\ng()", result: "-", stderr: "  File \"code.py\", line 3, in <module>\n    g()\n", exit: 1},
		{code: `foo(`, result: "-", stderr: "SyntaxError", exit: 1},
		{code: `page.foo`, result: "-", stderr: "Page has no 'foo' here; it has: add_init_script, ", exit: 1},
		{code: `page.on("dialog", lambda d: d)`, result: "-", stderr: "Page has no 'on' here", exit: 1},
		{code: `page.evaluate(lambda: 1)`, result: "-", stderr: "functions aren't supported", exit: 1},
		{code: `page.title(1)`, result: "-", stderr: "takes 0 positional arguments", exit: 1},
		{code: `page.click("nothing", timeout=50)`, result: "-", stderr: "TimeoutError: page.click: Timeout 50ms exceeded", exit: 1},
		{code: "from playwright.async_api import TimeoutError\ntry:\n    page.click('nothing', timeout=50)\nexcept TimeoutError:\n    print('late')", result: "-", stdout: "late\n"},
		{code: "from playwright.sync_api import sync_playwright\nsync_playwright()", result: "-", stderr: "the browser is there already", exit: 1},
		{code: `await page.fill("input", "abc"); page.keyboard.press("X"); page.input_value("input")`, result: "abcX"},
		{code: `page.get_by_role("button", name="Go").click(); page.title()`, result: "clicked"},
		{code: `page.select_option("select", label="Second"), page.locator("select").select_option("a")`, result: `[["b"], ["a"]]`},
		{code: `page.locator("h1").first.text_content(), page.locator("option").all_inner_texts(), page.locator("option").count()`, result: `["Hello", ["First", "Second"], 2]`},
		{code: `import re; page.get_by_text(re.compile("HELLO", re.I)).count(), page.locator("option", has_text="Sec").inner_text()`, result: `[1, "Second"]`},
		{code: `page.evaluate("(x) => x + 1", 5), page.evaluate("1 + 1"), page.evaluate("[1/0, null]"), page.eval_on_selector("h1", "e => e.tagName")`, result: `[6, 2, [Infinity, null], "H1"]`},
		{code: `len(page.screenshot(path="shot.png")) == len(open("shot.png", "rb").read())`, result: "true"},
		{code: `page.locator("h1"), page`, result: `["locator('h1')", "<Page url='http://site.test/'>"]`},
		{code: `page.keyboard`, result: "<Keyboard>"},
		{code: "with page.expect_popup() as popup:\n    page.click('a')\npopup.value.wait_for_load_state()\npopup.value.title()", result: "Two"},
		{code: "async with page.expect_response('**/two') as answer:\n    await page.evaluate(\"() => { fetch('/two') }\")\n(await answer.value).status", result: "200"},
		{code: "async def title():\n    return await page.title()\nimport asyncio\nawait asyncio.gather(title(), page.title())", result: `["clicked", "clicked"]`},
		{code: `await asyncio.sleep(0.001)`, result: "-"},
		{code: `page.title() == context.pages[0].title() and page == context.pages[0] and browser.contexts[0] == context`, result: "true"},
		{code: `context.add_cookies([{"name": "a", "value": "b", "url": "http://site.test"}]); context.cookies()[0]["httpOnly"]`, result: "false"},
		{code: `sys.exit(3)`, result: "-", exit: 3},
		{code: `sys.exit("bye")`, result: "-", stderr: "bye\n", exit: 1},
		{code: `x`, result: "1"},
		{code: `popup.value.close(); context.new_page().close(); len(context.pages)`, result: "1"},
	})
}

func TestRun_pythonExpects(t *testing.T) {
	holds := `page.goto("http://site.test/")
import re
from playwright.sync_api import expect as same
expect(page).to_have_title("Home")
expect(page).not_to_have_title(re.compile("two", re.I))
expect(page).to_have_url("http://site.test/")
expect(page).to_have_url(re.compile("SITE", re.I))
expect(page.locator("h1")).to_have_text("Hello")
expect(page.locator("h1")).to_contain_text("ell")
expect(page.locator("h1")).to_contain_text("ELL", ignore_case=True)
expect(page.locator("h1")).not_to_have_text(re.compile("^H$"))
expect(page.locator("option")).to_have_text(["First", re.compile("^Sec")])
expect(page.locator("option")).to_have_count(2)
expect(page.locator("option")).not_to_have_count(3)
expect(page.locator("h1")).to_be_visible()
expect(page.locator("h1")).to_be_in_viewport(ratio=0.5)
expect(page.locator("h1")).to_be_visible(visible=True)
expect(page.locator("#nothing")).to_be_hidden()
expect(page.locator("#nothing")).to_be_visible(visible=False)
expect(page.locator("#nothing")).not_to_be_attached()
expect(page.locator("input")).to_be_editable()
expect(page.locator("input")).to_be_enabled()
expect(page.locator("input")).to_be_empty()
page.fill("input", "abc")
expect(page.locator("input")).to_have_value("abc")
expect(page.locator("input")).to_be_focused()
expect(page.locator("input")).not_to_be_disabled()
expect(page.locator("input")).to_have_js_property("value", "abc")
page.evaluate("document.querySelector('h1').outerHTML = '<h1 id=top class=\"a b\" lang=en style=\"color: rgb(1, 2, 3)\">Hello</h1><input type=checkbox checked id=box>'")
expect(page.locator("h1")).to_have_id("top")
expect(page.locator("h1")).to_have_class("a b")
expect(page.locator("h1")).to_contain_class("b")
expect(page.locator("h1")).to_have_attribute("lang", "en")
expect(page.locator("h1")).to_have_attribute("lang")
expect(page.locator("h1")).to_have_css("color", "rgb(1, 2, 3)")
expect(page.locator("h1")).to_have_role("heading")
expect(page.locator("h1")).to_have_accessible_name("Hello")
expect(page.locator("h1")).to_match_aria_snapshot("""
  - heading "Hello" [level=1]
""")
expect(page.locator("#box")).to_be_checked()
expect(page.locator("#box")).not_to_be_checked(checked=False)
page.evaluate("setTimeout(() => document.title = 'later', 100)")
await expect(page).to_have_title("later")
same is expect`
	runTable(t, Python, []row{
		{code: holds, result: "true"},
		{code: `expect(page.locator("h1")).to_have_text("Bye", timeout=50)`, result: "-", exit: 1, stderr: "AssertionError: Locator expected to have text 'Bye', within 50 ms\nActual value: Hello\n"},
		{code: `expect(page.locator("h1"), "the greeting").not_to_be_visible(timeout=50)`, result: "-", exit: 1, stderr: "AssertionError: the greeting\nActual value: visible\n"},
		{code: `expect(page.locator("#nothing")).to_be_visible(timeout=50)`, result: "-", exit: 1, stderr: "element(s) not found"},
		{code: "expect.set_options(timeout=40)\nexpect(page).to_have_url('http://other.test/')", result: "-", exit: 1, stderr: "Page expected to have url 'http://other.test/', within 40 ms\nActual value: http://site.test/"},
		{code: `expect.set_options(); expect(page).to_have_tilte("x")`, result: "-", exit: 1, stderr: "expect of a Page has no 'to_have_tilte'; it has, also with not_ before: to_have_title, to_have_url"},
		{code: `expect(page.locator("h1")).to_have_text(5)`, result: "-", exit: 1, stderr: "a int can't be expected here"},
		{code: `expect("Hello")`, result: "-", exit: 1, stderr: "expect takes a Page or a Locator here, not a str"},
		{code: `expect(page.locator("h1")).to_have_text("Hello", wrong=1)`, result: "-", exit: 1, stderr: "unexpected keyword argument 'wrong'"},
		{code: `expect = 5; expect`, result: "5"},
	})
}

func TestRun_bashHasTheBrowserCommand(t *testing.T) {
	runTable(t, Bash, []row{
		{code: `agent-browser open http://site.test/ >/dev/null && agent-browser get title`, result: "-", stdout: "Home\n"},
		{code: `echo out; echo err >&2; exit 4`, result: "-", stdout: "out\n", stderr: "err\n", exit: 4},
		{code: `x=1; echo a >file; pwd; false`, result: "-", stdout: "/home/user\n", exit: 1},
		{code: `echo "$x"; cat file; rm file`, result: "-", stdout: "\na\n"},
		{code: `agent-browser snapshot -i | grep -o 'button "Go" .*'`, result: "-", stdout: "button \"Go\" [ref=e2]\n"},
		{code: `agent-browser click @e2 >/dev/null; agent-browser get title`, result: "-", stdout: "clicked\n"}, // the reference of the call before
		{code: `nothing-like-it`, result: "-", stderr: "nothing-like-it: command not found", exit: 127},
		{code: `sleep ` + nap(3977) + ` & setsid sleep ` + nap(3977) + ` & disown; exit 0`, result: "-"},
		{code: `for p in '[s]leep.3977' '[c]li/agent-browser'; do grep -la "$p" /proc/[0-9]*/cmdline | wc -l; done`, result: "-", stdout: "0\n1\n"},
		{code: `cat`, result: "-"}, // there is no input
		{code: strings.Repeat("#", MaxCode-10) + "\necho long", result: "-", stdout: "long\n"},
		{code: `kill -9 $$`, result: "-", exit: 137},
		{code: `sleep 3977 & trap 'kill 0' EXIT; echo its own group`, result: "-", stdout: "its own group\n", exit: 143},
		{code: `setsid echo detached`, result: "-", stdout: "detached\n"},
	})
	needs(t, Bash)
	if left := sleepers(3977); len(left) > 0 {
		t.Error("left behind:", left)
	}
}

func TestRun_languagesShareTheBrowserOnly(t *testing.T) {
	r := calm(t)
	needs(t, Python)
	run(t, r, Node, `await page.goto("http://site.test/two"); var only = 1; await page.evaluate("document.title = 'from node'")`)
	got := run(t, r, Python, "page.title() + str('only' in globals())")
	if got.Result == nil || *got.Result != "from nodeFalse" {
		t.Errorf("got %+v", got)
	}
}

func TestRun_refusesWhatItCannotRun(t *testing.T) {
	r := start(t, Options{Node: "/node", DriverPackage: "/driver", Endpoint: "/dev/null", Unsandboxed: true, pythons: []string{"/nowhere/python3"}})
	for field, q := range map[string]Request{
		"Language": {Language: "ruby", Code: "1"},
		"Code":     {Code: strings.Repeat("é", MaxCode+1)},
		"Timeout":  {Code: "1", Timeout: MaxTimeout + 1},
	} {
		_, err := r.Run(t.Context(), q)
		if wrong, ok := errors.AsType[*RequestError](err); !ok || wrong.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	if _, err := r.Run(t.Context(), Request{}); err == nil || err.Error() != "run code: Code is 0 characters, want 1 to 100000" {
		t.Errorf("no code: got %v", err)
	}
	for language, what := range map[string]string{Python: "python3", Bash: "the browser command"} {
		_, err := r.Run(t.Context(), Request{Language: language, Code: "1"})
		if missing, ok := errors.AsType[*MissingError](err); !ok || missing.What != what || missing.Fix == "" {
			t.Errorf("%s: got %v", language, err)
		}
	}
	if _, err := Start(t.Context(), Options{Node: "node"}); err == nil || !strings.Contains(err.Error(), "Node must be an absolute path") {
		t.Errorf("relative path: got %v", err)
	}
}
