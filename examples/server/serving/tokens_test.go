package serving

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-go/winnow/formats/tokens"
)

// countTokens has js-tiktoken count texts, in the vocabularies of its names, and gives for each text the greatest number.
func countTokens(t *testing.T, texts []string) []int {
	t.Helper()
	node, home := needNode(t), npmPackages(t, "js-tiktoken@1.0.21")
	const script = `
import {readFileSync} from 'fs';
import {Tiktoken} from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
const all = [new Tiktoken(cl100k), new Tiktoken(o200k)];
const texts = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map(s => Math.max(...all.map(t => t.encode(s, [], []).length)))));`
	file := filepath.Join(t.TempDir(), "count.mjs")
	if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "node_modules"), filepath.Join(filepath.Dir(file), "node_modules")); err != nil {
		t.Fatal(err)
	}
	given, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, file)
	cmd.Stdin, cmd.WaitDelay = bytes.NewReader(given), 10*time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var counts []int
	if err := json.Unmarshal(out, &counts); err != nil || len(counts) != len(texts) {
		t.Fatalf("%d counts of %d texts, %v", len(counts), len(texts), err)
	}
	return counts
}

// tokenTexts are windows of about 1,500 bytes of Markdown: of the golden pairs of formats and, where WINNOW_MARKDOWN names a folder, of its
// files, which a measurement wrote there.
func tokenTexts(t *testing.T) (texts []string) {
	t.Helper()
	patterns := []string{"../../../formats/testdata/markdown/*.out.md", "../../../formats/testdata/main/*.out.md"}
	if folder := os.Getenv("WINNOW_MARKDOWN"); folder != "" {
		patterns = append(patterns, filepath.Join(folder, "*.md"))
	}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, windowsOf(string(body))...)
		}
	}
	return texts
}

// windowsOf cuts a text at lines; longer lines are left out, which js-tiktoken takes too long for.
func windowsOf(text string) (list []string) {
	const size, maxLine = 1500, 20_000
	var b strings.Builder
	for line := range strings.Lines(text) {
		if len(line) > maxLine {
			continue
		}
		if b.Len() > 0 && b.Len()+len(line) > size {
			list = append(list, b.String())
			b.Reset()
		}
		b.WriteString(line)
	}
	return append(list, b.String())
}

// The bound of package tokens is checked against the vocabularies themselves.
func TestTokens_noTextExceedsTheBound(t *testing.T) {
	texts := tokenTexts(t)
	bounds, counts := 0, 0
	least := 10.0
	for i, has := range countTokens(t, texts) {
		bound := tokens.Bound(texts[i])
		if bound < has {
			t.Errorf("the bound is %d, js-tiktoken counts %d: %.300q", bound, has, texts[i])
		}
		if has > 0 {
			least = min(least, float64(bound)/float64(has))
		}
		bounds, counts = bounds+bound, counts+has
	}
	t.Logf("%d texts: the bounds are %.2f of what js-tiktoken counts, the closest %.2f", len(texts), float64(bounds)/float64(counts), least)
}

// Texts that no one writes show what the bound doesn't promise; one token a byte always holds.
func TestTokens_ofRandomText(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, seed))
	var texts []string
	for range 200 {
		b := make([]byte, 300)
		for i := range b {
			b[i] = "abcdefghijklmnopqrstuvwxyzABCDEF0123456789+/-_ "[r.IntN(47)]
		}
		texts = append(texts, string(b))
	}
	for i, has := range countTokens(t, texts) {
		if bound := tokens.Bound(texts[i]); bound < has {
			t.Errorf("seed %d: the bound is %d, js-tiktoken counts %d: %q", seed, bound, has, texts[i])
		}
	}
}
