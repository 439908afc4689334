package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestStatus_saysWhatHappened(t *testing.T) {
	lines := write(t, filepath.Join(t.TempDir(), "lines"), `{"url": "x`)
	for name, c := range map[string]struct {
		want int
		says string
		args []string
	}{
		"no such command":    {wrongUsage, "unknown command", []string{"scrap"}},
		"no such flag":       {wrongUsage, "unknown flag: --depht", []string{"crawl", "--depht", "3", millURL}},
		"too few arguments":  {wrongUsage, "requires at least 1 arg", []string{"scrape"}},
		"too many":           {wrongUsage, "accepts 1 arg", []string{"map", millURL, ryeURL}},
		"two places":         {wrongUsage, "out json", []string{"scrape", millURL, "-o", "x", "--json"}},
		"a bad format":       {wrongUsage, "mrkdown", demoArgs("scrape", "-f", "mrkdown", millURL)},
		"a bad option of it": {wrongUsage, "--format", []string{"scrape", "-f", `{"type": "json", "promt": "x"}`, millURL}},
		"a bad timeout":      {wrongUsage, "want 1s to 5m0s", demoArgs("scrape", "--timeout", "1ms", millURL)},
		"a bad header":       {wrongUsage, "Name: value", []string{"scrape", "--header", "x", millURL}},
		"a name of nothing":  {wrongUsage, "stdin", []string{"parse", "--name", "a.csv", "main.go"}},
		"an age of nothing":  {wrongUsage, "--cache", demoArgs("scrape", "--max-age", "1h", millURL)},
		"a model for a map":  {wrongUsage, "unknown flag: --model", []string{"map", "--model", "m", millURL}},
		"a bad limit":        {wrongUsage, "1 to 1000000", demoArgs("crawl", "--limit", "0", millURL)},
		"a picture as text":  {wrongUsage, "-o FOLDER or --json", []string{"scrape", "-f", "screenshot", millURL}},
		"no actions":         {wrongUsage, "nowhere.json", []string{"scrape", "--actions", "nowhere.json", millURL}},
		"no list":            {wrongUsage, "nowhere.txt", []string{"batch", "nowhere.txt"}},
		"no JSON in a list":  {wrongUsage, "line 1", []string{"batch", lines}},
		"an empty pipe":      {wrongUsage, "no URLs", []string{"batch"}},
		"nothing to search":  {wrongUsage, "--searxng", []string{"search", "rye"}},
		"pages for people":   {wrongUsage, "--json", []string{"search", "--cache", "x", "--scrape", "rye"}},
		"no such file":       {wrongUsage, "nowhere.pdf", []string{"parse", "nowhere.pdf"}},
		"an address within":  {notAllowed, "--allow-private", demoArgs("scrape", refused)},
		"all such":           {notAllowed, "2 of 2 pages", demoArgs("scrape", refused, refused)},
		"a crawl of one":     {notAllowed, "", demoArgs("crawl", refused)},
		"some such":          {partly, "1 of 2 pages", demoArgs("scrape", refused, millURL)},
		"a batch of some":    {partly, "1 of 2 pages", demoArgs("batch", write(t, filepath.Join(t.TempDir(), "urls"), millURL+"\n"+refused))},
		"no model":           {missing, "--model", demoArgs("scrape", "-f", "summary", millURL)},
		"help":               {done, "", []string{"--help"}},
		"help of one":        {done, "", []string{"crawl", "-h"}},
	} {
		o := ran(t, "", c.args...)
		if o.status != c.want {
			t.Errorf("%s: status %d, want %d; %s", name, o.status, c.want, o.stderr)
		}
		contains(t, name, o.stderr, c.says)
		if strings.Contains(o.stderr, "Options.") || c.want == wrongUsage && strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%s: said %s", name, o.stderr)
		}
	}
}

func TestStatus_ofARunThatIsStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{{"scrape", millURL}, {"crawl", millURL}, {"parse", "main.go"}} {
		if args[0] != "parse" {
			args = demoArgs(args...)
		}
		if o := ranUnder(ctx, "", args...); o.status != stopped || !strings.Contains(o.stderr, "stopped") {
			t.Errorf("%q: status %d, %s", args, o.status, o.stderr)
		}
	}
}

// The server prints its own errors; its status is that of the program.
func TestServe_isTheServersProgram(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "serve", "-addr", "nonsense")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != failed || strings.Count(string(out), "\n") != 1 {
		t.Errorf("%v: %s", err, out)
	}
	contains(t, "stderr", string(out), "winnow serve:")
}
