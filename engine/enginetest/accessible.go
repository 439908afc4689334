package enginetest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/browser"
)

// Accessibility is how a page is checked for what keeps people with disabilities from using it, by the rules of axe-core. The zero value
// checks the whole page by all rules that axe-core has on.
type Accessibility struct {
	// Within is a CSS selector: only what lies in matching elements is checked. Empty: the whole document. Frames are not checked.
	Within string
	// Except are CSS selectors of elements that are left out with all that they hold.
	Except []string
	// Tags of rules that are checked, such as "wcag2a" and "wcag21aa". Empty: all that are on.
	Tags []string
	// Skip are the names of rules that are not checked, such as "color-contrast". An unknown one fails the test.
	Skip []string
}

// Accessible fails the test where a page breaks a rule of axe-core, with the rule and the elements: see [Accessibility]. Doubtful cases,
// which people have to look at, don't fail it. The rules are the npm package axe-core (Mozilla Public License 2.0), which the first call
// downloads into the folder of the browser.
func Accessible(t testing.TB, page *Page) {
	t.Helper()
	Accessibility{}.Check(t, page)
}

// violation is a rule that a page breaks.
type violation struct {
	ID, Impact, Help, HelpURL string
	Nodes                     []struct {
		Target, HTML, Summary string
	}
}

// maxNodes is how many elements a failure lists of each rule.
const maxNodes = 10

// Check is [Accessible] by these rules.
func (a Accessibility) Check(t testing.TB, page *Page) {
	t.Helper()
	script, err := rules(t)
	if err != nil {
		t.Fatal("enginetest: accessibility: ", err)
	}
	var broken []violation
	if err := page.inspect(a.function(script), &broken); err != nil {
		t.Fatalf("enginetest: accessibility of %s: %v", page.URL(), err)
	}
	if len(broken) > 0 {
		t.Errorf("enginetest: %s breaks %d rules of accessibility:%s", page.URL(), len(broken), describe(broken))
	}
}

// rules reads axe-core where it is installed, or installs it.
func rules(t testing.TB) (string, error) {
	file, err := browser.InstallAccessibility(t.Context(), browser.InstallOptions{})
	if err != nil {
		return "", err
	}
	script, err := os.ReadFile(file)
	return string(script), err
}

// function is the check as a function. It runs apart from the page's scripts, which see nothing of it.
func (a Accessibility) function(script string) string {
	context, options := map[string]any{}, map[string]any{"iframes": false, "resultTypes": []string{"violations"}}
	if a.Within != "" {
		context["include"] = []string{a.Within}
	}
	if len(a.Except) > 0 {
		context["exclude"] = a.Except
	}
	if len(a.Tags) > 0 {
		options["runOnly"] = map[string]any{"type": "tag", "values": a.Tags}
	}
	skipped := map[string]any{}
	for _, name := range a.Skip {
		skipped[name] = map[string]any{"enabled": false}
	}
	options["rules"] = skipped
	return fmt.Sprintf(checkJS, script, quoted(context), quoted(options))
}

const checkJS = `async () => {
	%s;
	const context = %s;
	const found = await axe.run(Object.keys(context).length ? context : document, %s);
	return found.violations.map((v) => ({
		ID: v.id, Impact: v.impact, Help: v.help, HelpURL: v.helpUrl,
		Nodes: v.nodes.map((n) => ({ Target: n.target.flat().join(" >>> "), HTML: n.html.slice(0, 300), Summary: n.failureSummary || "" })),
	}));
}`

// describe lists rules and the elements that break them.
func describe(broken []violation) string {
	var b strings.Builder
	for _, v := range broken {
		fmt.Fprintf(&b, "\n%s (%s): %s (%s)", v.ID, v.Impact, v.Help, v.HelpURL)
		for _, n := range v.Nodes[:min(maxNodes, len(v.Nodes))] {
			fmt.Fprintf(&b, "\n\t%s: %s\n\t\t%s", n.Target, n.HTML, strings.ReplaceAll(n.Summary, "\n", "\n\t\t"))
		}
		if more := len(v.Nodes) - maxNodes; more > 0 {
			fmt.Fprintf(&b, "\n\tand %d more", more)
		}
	}
	return b.String()
}
