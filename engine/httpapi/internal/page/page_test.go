package page

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestPage_filesFit looks for what a browser would only find where it gets to: files and elements that aren't there.
func TestPage_filesFit(t *testing.T) {
	html := pageFile(t, "index.html")
	ids, named := map[string]bool{}, map[string]bool{}
	for _, id := range matches(html, `\bid="([^"]*)"`) {
		if ids[id] {
			t.Errorf("the id %q is there twice", id)
		}
		ids[id] = true
	}
	for _, ref := range matches(html, `\s(?:for|aria-controls|aria-labelledby)="([^"]*)"`) {
		if !ids[ref] {
			t.Errorf("index.html refers to %q", ref)
		}
	}
	for _, name := range matches(html, `(?:href|src)="page/([^"]*)"`) {
		named[name] = true
	}
	if found := matches(html, `(?i)( on\w+=| style=|<style|<script>|javascript:|(?:href|src)="(?:https?:|/))`); len(found) > 0 {
		t.Errorf("index.html has %q", found)
	}
	entries, err := files.ReadDir("files")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".js") {
			continue
		}
		code := pageFile(t, e.Name())
		for _, name := range matches(code, `from "\./([^"]*)"`) {
			named[name] = true
		}
		for _, id := range matches(code, `\bat\("([^"]*)"\)`) {
			if !ids[id] {
				t.Errorf("%s asks for the element %q", e.Name(), id)
			}
		}
		if found := matches(code, `(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function)`); len(found) > 0 {
			t.Errorf("%s has %q", e.Name(), found)
		}
		if n := strings.Count(code, "\n"); n > 200 {
			t.Errorf("%s has %d lines", e.Name(), n)
		}
	}
	plan, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.Contains(string(plan), e.Name()) {
			t.Errorf("doc.go does not list %s", e.Name())
		}
		if !named[e.Name()] && e.Name() != "index.html" {
			t.Errorf("nothing refers to %s", e.Name())
		}
		delete(named, e.Name())
	}
	if len(named) > 0 {
		t.Errorf("not there: %v", named)
	}
}

// TestPage_knowsWhatIsConfigured reads the template's parts. What the embedder writes stays text.
func TestPage_knowsWhatIsConfigured(t *testing.T) {
	bare := string(Assets(Settings{})[Index].data)
	if !strings.Contains(bare, `data-model="no"`) || strings.Contains(bare, "data-url") {
		t.Error("a page without settings has a model, or examples")
	}
	full := Assets(Settings{Model: true, Examples: []Example{
		{URL: `https://lamp.example/?a="><script>`, About: "<b>lamps</b>", Formats: []string{"markdown", "links"}}, {URL: "lamp.example"},
	}})[Index]
	for _, want := range []string{
		`data-model="yes"`, `data-url="https://lamp.example/?a=%22%3e%3cscript%3e"`, `data-formats="markdown links"`, `<span>lamp.example</span> <span class="about">&lt;b&gt;lamps&lt;/b&gt;</span>`,
		`data-url="lamp.example" data-formats=""><span>lamp.example</span></button>`,
	} {
		if !strings.Contains(string(full.data), want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	if full.tag == Assets(Settings{})[Index].tag {
		t.Error("browsers would keep the page of other settings")
	}
}

// TestPage_coloursCanBeRead computes the contrast of text and ground, light and dark: 4.5 for text, 3 for the edges of fields (WCAG 2.2, 1.4.3
// and 1.4.11).
func TestPage_coloursCanBeRead(t *testing.T) {
	light, dark, ok := strings.Cut(pageFile(t, "style.css"), "@media (prefers-color-scheme: dark)")
	if !ok {
		t.Fatal("no dark colours")
	}
	for name, css := range map[string]string{"light": light, "dark": dark} {
		colour := map[string]string{}
		for _, m := range regexp.MustCompile(`--([\w-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
			colour[m[1]] = m[2]
		}
		for _, pair := range [][2]string{
			{"text", "ground"}, {"text", "surface"}, {"text", "sunk"}, {"text", "soft"}, {"muted", "ground"}, {"muted", "surface"}, {"muted", "sunk"}, {"accent", "ground"}, {"accent", "surface"}, {"accent", "soft"},
			{"on-accent", "accent"}, {"danger", "danger-soft"}, {"danger", "surface"}, {"good", "good-soft"}, {"warn", "warn-soft"},
		} {
			if got := contrast(t, colour[pair[0]], colour[pair[1]]); got < 4.5 {
				t.Errorf("%s: %s on %s: %.2f", name, pair[0], pair[1], got)
			}
		}
		if got := contrast(t, colour["edge"], colour["surface"]); got < 3 {
			t.Errorf("%s: the edges of fields: %.2f", name, got)
		}
	}
}

// contrast is WCAG's ratio of two colours, written as rrggbb.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(hex string) (sum float64) {
		n, err := strconv.ParseUint(hex, 16, 32)
		if err != nil {
			t.Fatalf("the colour %q", hex)
		}
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			c := float64(n>>(16-8*i)&255) / 255
			if c <= 0.04045 {
				c /= 12.92
			} else {
				c = math.Pow((c+0.055)/1.055, 2.4)
			}
			sum += weight * c
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func pageFile(t *testing.T, name string) string {
	t.Helper()
	data, err := files.ReadFile("files/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func matches(text, pattern string) (found []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		found = append(found, m[1])
	}
	return found
}
