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

// jsTiktoken runs a script that has all of js-tiktoken's vocabularies at hand, and decodes the JSON that it prints.
func jsTiktoken(t *testing.T, script string, given, result any) {
	t.Helper()
	node, home := needNode(t), npmPackages(t, "js-tiktoken@1.0.21")
	const first = `
import {readFileSync} from 'fs';
import {Tiktoken} from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
const given = JSON.parse(readFileSync(0, 'utf8'));
`
	file := filepath.Join(t.TempDir(), "count.mjs")
	if err := os.WriteFile(file, []byte(first+script), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "node_modules"), filepath.Join(filepath.Dir(file), "node_modules")); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, file)
	cmd.Stdin, cmd.WaitDelay = bytes.NewReader(body), 10*time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := json.Unmarshal(out, result); err != nil {
		t.Fatal(err)
	}
}

// countTokens has js-tiktoken count texts, and gives for each the greater number of its two vocabularies.
func countTokens(t *testing.T, texts []string) []int {
	t.Helper()
	var counts []int
	jsTiktoken(t, `const all = [new Tiktoken(cl100k), new Tiktoken(o200k)];
console.log(JSON.stringify(given.map(s => Math.max(...all.map(t => t.encode(s, [], []).length)))));`, texts, &counts)
	if len(counts) != len(texts) {
		t.Fatalf("%d counts of %d texts", len(counts), len(texts))
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
	leftToUnraced(t)
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
	leftToUnraced(t)
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

// A table that the caller has counts what js-tiktoken counts with the same one.
func TestTokens_aTableCountsTheSame(t *testing.T) {
	leftToUnraced(t)
	texts := append(tokenTexts(t), "a  b \u00a0\u3000c\r\n\r\n  \td ", "don't, WE'LL; 磨坊位于河边。 12345678 🌾🌾", "")
	var vocabularies []struct {
		Pattern string
		Ranks   string
		Counts  []int
	}
	jsTiktoken(t, `const table = (v) => v.bpe_ranks.split('\n').filter(Boolean).flatMap(line => {
  const [, offset, ...tokens] = line.split(' ');
  return tokens.map((token, i) => token + ' ' + (Number(offset) + i));
}).join('\n');
console.log(JSON.stringify([cl100k, o200k].map(v => {
  const t = new Tiktoken(v);
  return {Pattern: v.pat_str, Ranks: table(v), Counts: given.map(s => t.encode(s, [], []).length)};
})));`, texts, &vocabularies)
	for _, v := range vocabularies {
		table, err := tokens.ReadTable(strings.NewReader(v.Ranks), v.Pattern)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if got := table.Count(text); got != v.Counts[i] {
				t.Errorf("%d tokens, js-tiktoken counts %d: %.300q", got, v.Counts[i], text)
			}
		}
	}
	if len(vocabularies) != 2 {
		t.Errorf("%d vocabularies", len(vocabularies))
	}
}
