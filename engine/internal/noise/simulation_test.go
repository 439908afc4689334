package noise

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func joined(sentences []string) string { return strings.Join(sentences, " ") }

func (v *view) minutes(n int) time.Duration { return time.Duration(1+v.r.IntN(n)) * time.Minute }

func (v *view) hours(n int) time.Duration { return time.Duration(n) * time.Hour }

// What is asked of the simulation.
const (
	checks      = 90
	maxFalse    = 0.005 // of checks
	maxMissed   = 0.001 // of changes
	changeShare = 0.06  // of checks in which the page really changes
)

// figures of a simulation.
type figures struct {
	checks, changes, falseAlerts, missed int
	examples                             []string
}

func (f *figures) add(g figures) {
	f.checks, f.changes, f.falseAlerts, f.missed = f.checks+g.checks, f.changes+g.changes, f.falseAlerts+g.falseAlerts, f.missed+g.missed
	f.examples = append(f.examples, g.examples...)
}

func (f *figures) String() string {
	return fmt.Sprintf("%d checks, %d changes: %d false alerts (%.3f %%), %d missed (%.3f %%)", f.checks, f.changes, f.falseAlerts,
		100*float64(f.falseAlerts)/float64(max(1, f.checks)), f.missed, 100*float64(f.missed)/float64(max(1, f.changes)))
}

// pageRun is a page that is checked again and again.
type pageRun struct {
	template
	content *content
	r       *rand.Rand
	born    time.Time
	number  int
	last    Version
	learnt  *Learnt
	counter int
}

func (p *pageRun) at(check int) time.Time {
	return p.born.Add(time.Duration(check+1)*day + time.Duration(p.r.IntN(40))*time.Minute)
}

func (p *pageRun) render(check int) Version {
	p.counter += p.r.IntN(4)
	v := &view{content: p.content, r: p.r, born: p.born, at: p.at(check), check: check, number: p.number, counter: p.counter}
	p.show(v)
	return Version{v.out.String(), v.at}
}

// check makes the next check, and changes the page before some.
func (p *pageRun) check(n int, f *figures) {
	needle, kind := "", ""
	if p.r.Float64() < changeShare {
		kind = pick(p.r, strings.Fields(p.changes))
		needle = p.content.change(p.r, kind, p.date)
		f.changes++
	}
	now := p.render(n)
	got := p.learnt.Observe(p.last, now)
	p.last = now
	f.checks++
	if needle == "" && got.Changed {
		f.falseAlerts++
		f.examples = append(f.examples, fmt.Sprintf("%s, check %d: false: %+v", p.name, n, got.Blocks))
	}
	if needle != "" && !slices.ContainsFunc(got.Blocks, func(b Block) bool { return strings.Contains(b.Before+b.After, needle) }) {
		f.missed++
		f.examples = append(f.examples, fmt.Sprintf("%s, check %d: missed %s %q: %+v", p.name, n, kind, needle, got))
	}
}

// simulate checks so many pages of each template, and what is learnt of one serves all where it is shared.
func simulate(list []template, pages int, seed uint64, shared bool) (sum figures) {
	for i, t := range list {
		var runs []*pageRun
		learnt := New()
		for n := range pages {
			if !shared {
				learnt = New()
			}
			r := rand.New(rand.NewPCG(seed, uint64(i*1000+n)))
			born := time.Date(2026, 8, 1+r.IntN(28), 6+r.IntN(12), 0, 0, 0, time.UTC)
			p := &pageRun{template: t, content: newContent(r, born), r: r, born: born, number: n + 1, learnt: learnt}
			p.last = p.render(-1)
			runs = append(runs, p)
		}
		for check := range checks {
			for _, p := range runs {
				p.check(check, &sum)
			}
		}
	}
	return sum
}

func TestSimulation(t *testing.T) {
	t.Parallel()
	soak := os.Getenv("WINNOW_SOAK") == "1"
	for _, c := range []struct {
		name   string
		list   []template
		seed   uint64
		pages  int
		shared bool
	}{
		{"tuned", templates, 1, 5, true},
		{"tuned, a Learnt for each page", templates, 1, 2, false},
		{"held-back seeds", templates, 7001, 20, true},
		{"held-back templates", heldBack, 7002, 24, true},
		{"held-back templates, a Learnt for each page", heldBack, 7002, 24, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(c.name, "held") && os.Getenv("TUNE") != "" {
				return
			}
			f := simulate(c.list, c.pages, c.seed, c.shared)
			t.Logf("seed %d: %s", c.seed, &f)
			if os.Getenv("TUNE") != "" || t.Failed() {
				for _, e := range f.examples {
					t.Log(e)
				}
			}
			_ = soak
		})
	}
}
