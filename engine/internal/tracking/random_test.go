package tracking

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// soak is a count for long tests: in full with WINNOW_SOAK=1, else a tenth.
func soak(full int) int {
	if os.Getenv("WINNOW_SOAK") == "1" {
		return full
	}
	return full / 10
}

// dice makes random pages, and writes one page in many ways.
type dice struct{ *rand.Rand }

func newDice(t *testing.T) dice {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return dice{rand.New(rand.NewPCG(seed, 0))}
}

func (d dice) pick(of ...string) string { return of[d.IntN(len(of))] }

// part is a block of a random page, as it's meant and not as it's written.
type part struct {
	kind  string // "paragraph", "heading", "item", "subitem", "number", "row", "quote", "code"
	words []string
}

// page is what a text means: two texts of one page are the same.
type page []part

func (p page) String() string { return fmt.Sprint([]part(p)) }

var vocabulary = strings.Fields("honey bee hive wax queen drone comb nectar clover bloom swarm smoke frame brood pollen keeper")

func (d dice) words() []string {
	words := make([]string, 1+d.IntN(8))
	for i := range words {
		words[i] = d.pick(vocabulary...)
		if d.IntN(10) == 0 {
			words[i] = fmt.Sprintf("[%s](https://a.example/%s?id=%d)", words[i], words[i], d.IntN(3))
		}
	}
	return words
}

func (d dice) page(most int) page {
	var p page
	for range d.IntN(most + 1) {
		p = append(p, part{d.pick("paragraph", "paragraph", "heading", "item", "item", "number", "row", "quote", "code"), d.words()})
		if last := &p[len(p)-1]; last.kind == "item" && len(p) > 1 && (p[len(p)-2].kind == "item" || p[len(p)-2].kind == "subitem") && d.IntN(2) == 0 {
			last.kind = "subitem"
		}
	}
	return p
}

// change makes another page of p: at least one block has gone, come, moved or changed.
func (d dice) change(p page) page {
	for {
		q := slices.Clone(p)
		at := d.IntN(len(q) + 1)
		switch {
		case len(q) == 0 || d.IntN(4) == 0:
			q = slices.Insert(q, at, part{"paragraph", d.words()})
		case d.IntN(3) == 0:
			q = slices.Delete(q, at%len(q), at%len(q)+1)
		case d.IntN(2) == 0:
			i, j := at%len(q), d.IntN(len(q))
			q[i], q[j] = q[j], q[i]
		default:
			q[at%len(q)].words = d.words()
		}
		if len(q) > 0 && q[0].kind == "subitem" {
			q[0].kind = "item"
		}
		for i := 1; i < len(q); i++ {
			if q[i].kind == "subitem" && q[i-1].kind != "item" && q[i-1].kind != "subitem" {
				q[i].kind = "item"
			}
		}
		if q.String() != p.String() {
			return q
		}
	}
}

// write writes p in one of the many ways that mean the same.
func (d dice) write(p page) string {
	var out strings.Builder
	for i, b := range p {
		if i > 0 {
			out.WriteString(d.between(p[i-1].kind, b.kind))
		}
		out.WriteString(d.block(b) + d.pick("", "", " ", "\t") + "\n")
	}
	return d.pick("", "\n", " \n\n") + out.String() + d.pick("", "\n", "\n\n \n")
}

// between is what may stand between two blocks.
func (d dice) between(a, b string) string {
	items := func(kind string) bool { return strings.HasSuffix(kind, "item") || kind == "number" }
	switch {
	case a == "row" && b == "row":
		return ""
	case items(a) && items(b) && d.IntN(2) == 0:
		return ""
	case d.IntN(20) == 0:
		return "\n[iframe](https://f.example/" + d.pick(vocabulary...) + ")\n\n"
	}
	return d.pick("\n", "\n\n", " \t\n", "\u00a0\n\n\u200b\n")
}

func (d dice) block(b part) string {
	switch b.kind {
	case "heading":
		return "##" + d.blank() + d.line(b.words)
	case "item":
		return d.pick("", " ") + d.pick("-", "*", "+") + " " + d.lines(b.words, "  ")
	case "subitem":
		return d.pick("   ", "    ", "\t") + d.pick("-", "*", "+") + " " + d.lines(b.words, "     ")
	case "number":
		return "3. " + d.lines(b.words, "   ")
	case "row":
		return "| " + d.line(b.words) + d.blank() + "|"
	case "quote":
		return d.pick(">", "> ") + d.lines(b.words, d.pick(">", "> ", " > "))
	case "code":
		return "```" + d.pick("", " ") + "go\n" + strings.Join(b.words, "  \t\n  ") + "\n```"
	}
	return d.pick("", " ") + d.lines(b.words, d.pick("", " "))
}

// blank is a white space that doesn't break the line.
func (d dice) blank() string { return d.pick(" ", " ", "  ", "\t", "\u00a0", "\u2003 ", " \u200b") }

func (d dice) line(words []string) string {
	var out strings.Builder
	for i, word := range words {
		if i > 0 {
			out.WriteString(d.blank())
		}
		out.WriteString(d.word(word))
	}
	return out.String()
}

// lines also breaks lines between words; each further one begins with indent.
func (d dice) lines(words []string, indent string) string {
	var out strings.Builder
	for i, word := range words {
		if i > 0 && d.IntN(4) == 0 {
			out.WriteString(d.pick("\n", " \n", "  \n", "\\\n") + indent)
		} else if i > 0 {
			out.WriteString(d.blank())
		}
		out.WriteString(d.word(word))
	}
	return out.String()
}

func (d dice) word(word string) string {
	if at := strings.IndexByte(word, '?'); at >= 0 {
		tracking := d.pick("", "utm_source=x&", "fbclid=y&gclid=z&")
		return word[:at+1] + tracking + strings.TrimSuffix(word[at+1:], ")") + d.pick("", "&utm_term=a", "&_ga=1") + ")"
	}
	if d.IntN(10) == 0 {
		return word[:1] + d.pick("\u200b", "\u00ad", "\ufeff") + word[1:]
	}
	return word
}

func TestSame_isTrueForEveryWayToWriteAPage(t *testing.T) {
	d := newDice(t)
	for range soak(20_000) {
		p := d.page(12)
		a, b := d.write(p), d.write(p)
		if !Same(a, b) {
			t.Fatalf("not the same:\n%q\n%q\nnormalised:\n%s\n%s", a, b, normal(a), normal(b))
		}
		if again := normal(normal(a)); again != normal(a) {
			t.Fatalf("%q normalised:\n%s\nand again:\n%s", a, normal(a), again)
		}
	}
}

func TestSame_isFalseForAnotherPage(t *testing.T) {
	d := newDice(t)
	for range soak(20_000) {
		p := d.page(12)
		q := d.change(p)
		a, b := d.write(p), d.write(q)
		if Same(a, b) || Same(b, a) {
			t.Fatalf("the same:\n%q\n%q\nnormalised:\n%s", a, b, normal(a))
		}
	}
}
