package serving

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/actions"
	"github.com/winnow-go/winnow/engine"
)

// axePackage looks for what keeps people from using a page: names, roles, contrast.
const axePackage = "axe-core@4.14.1"

// narrow is a picture of the whole page on the narrowest phones.
var narrow = actions.Action{Type: actions.Screenshot, FullPage: true, Viewport: &actions.Viewport{Width: 360, Height: 740}}

// judged lists what axe finds wrong with the page as it is, in light and in dark.
const judged = `
	const dark = [...document.styleSheets].flatMap((s) => [...s.cssRules]).find((r) => r instanceof CSSMediaRule && (r.dark ??= r.conditionText.includes("dark")));
	const found = [];
	for (const [scheme, media] of [["light", "not all"], ["dark", "all"]]) {
		dark.media.mediaText = media;
		document.documentElement.style.colorScheme = scheme;
		const { violations } = await axe.run(document, { resultTypes: ["violations"] });
		found.push(...violations.map((v) => scheme + ": " + v.id + ": " + v.nodes.map((n) => n.target + " " + n.failureSummary).join("; ")));
	}
	dark.media.mediaText = "(prefers-color-scheme: dark)";
	return found;`

// TestPage_axeFindsNothing goes through the page with its results, wide and narrow, light and dark.
func TestPage_axeFindsNothing(t *testing.T) {
	leftToUnraced(t)
	v, axe := newVisitor(t), filepath.Join(npmPackages(t, axePackage), "node_modules", "axe-core", "axe.min.js")
	for name, mobile := range map[string]bool{"wide": false, "phone": true} {
		t.Run(name, func(t *testing.T) {
			page := unlocked(t, started(t, "-demo").url, axe)
			doc := (&visitor{t, v.engine}).visit(page, mobile, slices.Concat(
				[]actions.Action{sees("#scrape-url:focus"), runs(judged), clicks("#key"), sees("#key-value:focus"), runs(judged), presses("Escape"), sees("#key:focus[aria-expanded=false]")},
				[]actions.Action{clicks("#scrape-url"), {Type: actions.Write, Text: "ftp://none"}, presses("Enter"), sees("#scrape .error"), runs(judged)},
				scrapesTwice, []actions.Action{runs(judged), narrow}, crawls, []actions.Action{runs(judged), narrow},
				[]actions.Action{clicks("#tab-map"), clicks("#map [data-url*=shop]"), presses("Enter"), sees("#map-result li"), runs(judged), narrow},
				[]actions.Action{clicks("#tab-sessions"), sees("#sessions-empty"), runs(judged), clicks("#tab-usage"), sees("#activity td"), runs(judged), narrow},
			)...)
			checkJudged(t, doc, 8)
			checkNarrow(t, doc, 4)
		})
	}
}

func checkJudged(t *testing.T, doc *engine.Document, states int) {
	t.Helper()
	returns := slices.DeleteFunc(doc.Actions.JavaScriptReturns, func(r actions.JavaScriptReturn) bool { return r.Type == "undefined" }) // of other scripts
	if len(returns) != states {
		t.Fatalf("%d states of the page, want %d", len(returns), states)
	}
	for i, r := range returns {
		if string(r.Value) != "[]" {
			t.Errorf("state %d: %s", i+1, r.Value)
		}
	}
}

// checkNarrow wants pictures no wider than the phone, whose pixels are 2.625 to one of CSS where it is one.
func checkNarrow(t *testing.T, doc *engine.Document, pictures int) {
	t.Helper()
	if got := len(doc.Actions.Screenshots); got != pictures {
		t.Fatalf("%d pictures, want %d", got, pictures)
	}
	for i, shot := range doc.Actions.Screenshots {
		_, data, _ := strings.Cut(shot, "base64,")
		raw, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		if picture, err := png.DecodeConfig(bytes.NewReader(raw)); err != nil || picture.Width > 360*2625/1000+1 {
			t.Errorf("picture %d is %d pixels wide: %v", i+1, picture.Width, err)
		}
	}
}
