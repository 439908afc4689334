package serving

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lineCase is a call of the command-line client.
type lineCase struct {
	args []string
	want []string // in what it prints
	soak bool     // left out by default: each call starts a node
}

func lineCases(file string) []lineCase {
	const mice, loft = "https://blog.example/articles/mice", "cats and mice in the loft"
	return []lineCase{
		{args: []string{"scrape", mice, "--only-main-content"}, want: []string{"Two cats look after the mice"}},
		{args: []string{"map", "https://shop.example/", "--limit", "20"}, want: []string{"https://shop.example/products/hand-mill"}},
		{args: []string{"crawl", "https://blog.example/", "--limit", "2", "--max-depth", "1", "--wait", "--poll-interval", "1"}, want: []string{`"status":"completed"`, `"markdown"`}},
		{args: []string{"search", loft, "--limit", "3", "--json"}, want: []string{`"success":true`, `"web":[`}},
		{soak: true, args: []string{"https://cafe.example/", "--format", "markdown,links", "--json"}, want: []string{`"links":[`, "Barley soup"}},
		{soak: true, args: []string{"scrape", mice, "--summary"}, want: []string{"basalt"}},
		{soak: true, args: []string{"scrape", mice, "--query", "What does the mill have?"}, want: []string{"basalt"}},
		{soak: true, args: []string{"search", loft, "--scrape", "--scrape-formats", "markdown", "--json"}, want: []string{"Two cats look after the mice"}},
		{soak: true, args: []string{"parse", file}, want: []string{"Words of a file"}},
		{soak: true, args: []string{"agent", "Find what the hand mill is called.", "--urls", "https://shop.example/products/hand-mill", "--wait", "--poll-interval", "1", "--json"}, want: []string{`"status":"completed"`}},
		{soak: true, args: []string{"credit-usage", "--json"}, want: []string{`"remainingCredits"`}},
		{soak: true, args: []string{"--status"}, want: []string{"Concurrency:"}},
	}
}

// driveCommandLine calls the command-line client as people do, each call in a folder of its own.
func driveCommandLine(t *testing.T, s *clientServer, node, home string) {
	if raced && !soaking() {
		t.Skip("-race: it has seen all routes with the JavaScript client; WINNOW_SOAK=1 runs this client too")
	}
	file := writeFile(t, "page.html", "<title>File</title><main><h1>A file</h1><p>Words of a file.</p></main>")
	for _, c := range lineCases(file) {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			if c.soak && !soaking() {
				t.Skip("WINNOW_SOAK=1 runs every command of this client")
			}
			t.Parallel()
			out, printed := s.line(t, node, home, c.args...)
			for _, want := range c.want {
				if !strings.Contains(strings.ReplaceAll(out, `": `, `":`), want) {
					t.Errorf("want %s in:\n%s\n%s", want, out, printed)
				}
			}
		})
	}
	t.Run("interact", func(t *testing.T) { interactByLine(t, s, node, home) })
}

// interactByLine runs code in the page of a scrape, whose id the client remembers.
func interactByLine(t *testing.T, s *clientServer, node, home string) {
	if !soaking() {
		t.Skip("WINNOW_SOAK=1 runs every command of this client")
	}
	dir := t.TempDir()
	for _, step := range []struct {
		args []string
		want string
	}{
		{[]string{"scrape", "https://app.example/form"}, "Order"},
		{[]string{"interact", "--code", "await page.title()", "--timeout", "60"}, "Order"},
		{[]string{"interact", "--prompt", "Tell what the page is called.", "--timeout", "60"}, "called Order"},
		{[]string{"interact", "stop"}, "Session stopped"},
	} {
		if out, printed := s.lineIn(t, dir, node, home, step.args...); !strings.Contains(out, step.want) {
			t.Errorf("%v: want %q in:\n%s\n%s", step.args, step.want, out, printed)
		}
	}
}

func (s *clientServer) line(t *testing.T, node, home string, args ...string) (stdout, stderr string) {
	t.Helper()
	return s.lineIn(t, t.TempDir(), node, home, args...)
}

func (s *clientServer) lineIn(t *testing.T, dir, node, home string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := s.command(t, node, append([]string{filepath.Join(packageDir(home, lineClient), "dist", "index.js")}, args...)...)
	var out, printed strings.Builder
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &printed, dir
	cmd.Env = append(cmd.Env, "HOME="+dir, "XDG_CONFIG_HOME="+dir)
	if err := cmd.Run(); err != nil {
		t.Errorf("firecrawl %v: %v\n%s\n%s", args, err, &out, &printed)
	}
	return out.String(), printed.String()
}

func soaking() bool { return os.Getenv("WINNOW_SOAK") == "1" }
