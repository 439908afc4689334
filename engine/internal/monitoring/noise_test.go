package monitoring_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/winnow-go/winnow/cache"
	"github.com/winnow-go/winnow/engine/internal/monitoring"
	"github.com/winnow-go/winnow/engine/internal/monitoring/hearing"
	"github.com/winnow-go/winnow/engine/internal/monitoring/judging"
	"github.com/winnow-go/winnow/engine/internal/option"
	"github.com/winnow-go/winnow/engine/monitor"
	"github.com/winnow-go/winnow/llm/llmtest"
)

// noisy is a labelled world whose pages vary each day without meaning, and change now and then.
type noisy struct{ chronicle }

func (n noisy) observe(page int, at time.Time) monitoring.Observation {
	day := int(at.Sub(n.begin).Hours() / 24)
	r := n.at(page, day)
	_ = r.Float64() // of the version
	switch x := r.Float64(); {
	case x < 0.01:
		return monitoring.Observation{Status: 200, Text: "Verify that you are human", Failure: "the page is a wall (captcha)"}
	case x < 0.02:
		return monitoring.Observation{Status: 200, Text: "# Loading"}
	}
	posted := n.begin.AddDate(0, 0, -5-page%20)
	links := []string{"- [The bridge](https://site.example/bridge)", "- [The school](https://site.example/school)", "- [The market](https://site.example/market)"}
	r.Shuffle(len(links), func(i, j int) { links[i], links[j] = links[j], links[i] })
	lines := []string{
		fmt.Sprintf("# Report %d", page),
		fmt.Sprintf("Posted %d days ago by the desk", int(at.Sub(posted).Hours()/24)),
		fmt.Sprintf("%d views", 1000+day*37+r.IntN(20)),
		fmt.Sprintf(articles, fmt.Sprintf("case %d of page %d is open", n.version(page, day), page)),
		fmt.Sprintf("The fee is %d euros.", 20+n.version(page, day)),
		fmt.Sprintf("Sponsored\n\n[Buy the thing %d](https://ads.example/c?id=%d)", r.IntN(1000), r.IntN(1e9)),
		"## More\n\n" + strings.Join(links, "\n"),
		fmt.Sprintf("[Print](https://site.example/print?session=%016x&utm_source=x%d)", r.Uint64(), r.IntN(9)),
		"Last updated " + at.Format("2 January 2006"),
	}
	return monitoring.Observation{Status: 200, Text: strings.Join(lines, "\n\n")}
}

// raced is whether the race detector watches.
var raced bool

// The proof as one run: ninety days of labelled noise and changes, and kills at any transaction within. False alerts in at most 0.5 % of the
// checks of pages, at most 0.1 % of the changes missed, no run doubled or lost.
func TestSimulation_ninetyDaysOfNoiseAndKills(t *testing.T) {
	if raced {
		t.Skip("-race: the few pages that there is time for teach too little")
	}
	simulated(t, func(t *testing.T) {
		seed := rand.Uint64()
		n := noisy{chronicle{seed: 11, begin: time.Now()}}
		const days, enough = 90, 20 // pages, and kills: fewer teach too little
		pages, kills := max(enough, scale(1000)), max(enough, scale(200))
		world := newSite(pages, time.Now, n.observe)
		p, id, killed := killing{seed: seed, pages: pages, kills: kills, days: days}.run(t, world, func(o *monitoring.Options) { o.Noise = hearing.Noise{} })
		accounted(t, p, id, days)
		falseAlerts, missed, late, changes, compared := n.weigh(t, p, world, id)
		t.Logf("%d pages compared, %d changes: %d false alerts, %d missed, %d late; %d kills", compared, changes, falseAlerts, missed, late, killed)
		if compared < pages*days*9/10 || changes < pages || falseAlerts*1000 > compared*5 || missed*1000 > changes || killed < kills {
			t.Errorf("seed %d: %d pages compared, %d changes: %d false alerts, %d missed; %d of %d kills", seed, compared, changes, falseAlerts, missed, killed, kills)
		}
		if list, err := p.m.Noise(id); err != nil || len(list) == 0 {
			t.Errorf("what is taken for noise: %v, %v", list, err)
		}
		p.end()
	})
}

func (n noisy) weigh(t *testing.T, p *process, world *site, id string) (falseAlerts, missed, late, changes, compared int) {
	got := map[string]bool{}
	for c, err := range p.m.Changes(context.Background(), id, 0, func(err error) error { return err }) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Status == monitor.Changed {
			got[c.CheckID+" "+c.URL] = true
		}
	}
	known, owed := map[int]int{}, map[int]int{} // owed: changes that may be held back, with the checks since
	checks := scheduled(t, p, id)
	for i := len(checks) - 1; i >= 0; i-- {
		day := int(world.checks[checks[i].ID].Sub(n.begin).Hours() / 24)
		for page := range world.pages {
			o := world.fetched[fmt.Sprintf("%s %d", checks[i].ID, page)]
			if o.Failure != "" || len(o.Text) < 100 {
				if got[checks[i].ID+" "+o.URL] {
					falseAlerts++
				}
				continue
			}
			version := n.version(page, day)
			was, seen := known[page]
			known[page] = version
			compared++
			switch reported := got[checks[i].ID+" "+o.URL]; {
			case seen && was != version:
				if changes++; !reported {
					missed++
					owed[page] = 1
				}
			case reported && owed[page] > 0 && owed[page] <= 3: // as package noise promises
				missed--
				late++
				delete(owed, page)
			case owed[page] > 0 && !reported:
				owed[page]++
			case reported:
				if falseAlerts++; falseAlerts < 8 {
					for c := range p.m.Changes(context.Background(), id, 0, nil) {
						if c.CheckID+" "+c.URL == checks[i].ID+" "+o.URL {
							t.Logf("false: day %d %s", day, c.Diff.Text)
						}
					}
				}
			}
		}
	}
	return falseAlerts, missed, late, changes, compared
}

// What is taken back counts from the next check on.
func TestMonitors_noiseIsListedAndTakenBack(t *testing.T) {
	simulated(t, func(t *testing.T) {
		views := 100
		p := boot(t, cache.NewMap(), time.Now, newSite(1, time.Now, func(int, time.Time) monitoring.Observation {
			views++
			return monitoring.Observation{Status: 200, Text: fmt.Sprintf(articles, "it is so") + fmt.Sprintf("\n\n%d views", views)}
		}), func(o *monitoring.Options) { o.Noise = hearing.Noise{} })
		m, err := p.m.Create(spec(monitor.Schedule{Every: time.Hour}, 1))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(4*time.Hour + time.Minute)
		synctest.Wait()
		checks := scheduled(t, p, m.ID)
		list, err := p.m.Noise(m.ID)
		if err != nil || len(list) != 1 || checks[0].Summary.Same != 1 || list[0].Count != 3 || !strings.Contains(list[0].Example, "views") {
			t.Fatalf("noise: %+v, %v, %+v", list, err, checks[0].Summary)
		}
		d, err := p.m.Detail(m.ID, checks[0].ID, monitor.Query{})
		if err != nil || len(d.Pages[0].Noise) != 1 {
			t.Errorf("the page: %+v, %v", d.Pages, err)
		}
		if wrong, ok := errors.AsType[*option.Error](p.m.TakeBack(m.ID, "weather")); !ok || wrong.Field != "noise" {
			t.Errorf("a rule that there can't be was taken back: %v", wrong)
		}
		if err := p.m.TakeBack(m.ID, list[0].Rule); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if checks := scheduled(t, p, m.ID); checks[0].Summary.Changed != 1 {
			t.Errorf("after it was taken back: %+v", checks[0].Summary)
		}
		p.end()
	})
}

func picture(t *testing.T, red uint8) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 400, 300))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	for dx := range 40 {
		for dy := range 40 {
			img.Set(20+dx, 100+dy, color.RGBA{red, 0, 0, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// look does checks of one page, each of an observation, and returns what each has found.
func look(t *testing.T, target monitoring.Target, goal string, judge monitoring.Judge, list ...monitoring.Observation) (found []monitor.Page) {
	t.Helper()
	simulated(t, func(t *testing.T) {
		turn := -1
		p := boot(t, cache.NewMap(), time.Now, newSite(1, time.Now, func(int, time.Time) monitoring.Observation {
			turn++
			return list[turn]
		}), func(o *monitoring.Options) { o.Noise, o.Pictures, o.Judge = hearing.Noise{}, hearing.Pictures, judge })
		s := spec(monitor.Schedule{Every: time.Hour}, 1)
		target.Target.ID, target.Target.URLs = "t", s.Targets[0].URLs
		s.Targets[0], s.Goal = target, goal
		m, err := p.m.Create(s)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(len(list))*time.Hour + time.Minute)
		synctest.Wait()
		checks := scheduled(t, p, m.ID)
		for i := len(checks) - 1; i >= 0; i-- {
			d, err := p.m.Detail(m.ID, checks[i].ID, monitor.Query{})
			if err != nil || len(d.Pages) != 1 {
				t.Fatal(d, err)
			}
			found = append(found, d.Pages[0])
		}
		p.end()
	})
	return found
}

func words(found []monitor.Page) (list []monitor.PageStatus) {
	for _, p := range found {
		list = append(list, p.Status)
	}
	return list
}

func TestMonitors_picturesAreCompared(t *testing.T) {
	target := monitoring.Target{Target: monitor.Target{Watch: monitor.Watch{Picture: true}}, Text: true}
	seen := func(red uint8) monitoring.Observation {
		return monitoring.Observation{Status: 200, Text: fmt.Sprintf(articles, "so"), Picture: picture(t, red)}
	}
	found := look(t, target, "", nil, seen(20), seen(20), seen(250))
	if fmt.Sprint(words(found)) != "[new same changed]" {
		t.Fatalf("found %v", words(found))
	}
	if d := found[2].Diff; d == nil || len(d.Boxes) == 0 || d.Share <= 0 || d.Text != "" {
		t.Errorf("the diff: %+v", d)
	}
}

func TestMonitors_dataIsComparedByField(t *testing.T) {
	seen := func(data string) monitoring.Observation {
		return monitoring.Observation{Status: 200, Text: data, JSON: json.RawMessage(data)}
	}
	found := look(t, monitoring.Target{Data: true}, "", nil,
		seen(`{"price":20,"sizes":["s","m"],"shop":{"open":true}}`), seen(`{"sizes":["s","m"], "price":20,"shop":{"open":true}}`),
		seen(`{"price":25,"sizes":["s","l"],"shop":{"open":true},"new":1}`), monitoring.Observation{Status: 200, Text: "x"})
	if fmt.Sprint(words(found)) != "[new same changed error]" {
		t.Fatalf("found %v", words(found))
	}
	want := `{"new":{"previous":null,"current":1},"price":{"previous":20,"current":25},"sizes[1]":{"previous":"m","current":"l"}}`
	if got := string(found[2].Diff.JSON); got != want {
		t.Errorf("the fields: %s, want %s", got, want)
	}
}

// A page that is headed as an error is none, however often it comes, and with the status 200 too; a long one that is about errors is.
func TestMonitors_anErrorPageIsNoChange(t *testing.T) {
	whole := monitoring.Observation{Status: 200, Title: "Reports", Text: strings.Repeat(fmt.Sprintf(articles, "so")+"\n\n", 10)}
	sorry := strings.Repeat("We are sorry, and are working on it already. ", 8)
	shown := func(title, text string) monitoring.Observation {
		return monitoring.Observation{Status: 200, Title: title, Text: text + "\n\n" + sorry}
	}
	for _, o := range []monitoring.Observation{
		shown("Oops", "# 500 Internal Server Error"), shown("502 Bad Gateway | The desk", "The desk"), shown("", "Service temporarily unavailable"),
		shown("The desk", "# Oops! Something went wrong."), shown("Page not found – The desk", "# The desk"), shown("Error 503", "Error"),
		shown("", "# Application error: a client-side exception has occurred (see the console)."), shown("", "**HTTP Error 404: no such report**"),
	} {
		found := look(t, monitoring.Target{Text: true}, "", nil, whole, o, o, whole)
		if fmt.Sprint(words(found)) != "[new error error same]" {
			t.Errorf("%q, %.40q: %v", o.Title, o.Text, words(found))
		}
	}
	for _, o := range []monitoring.Observation{
		shown("Errors of our servers", "# What an internal server error is"), shown("Room 404", "# 404 Main Street"), shown("", "# 500"),
		{Status: 200, Title: "Bad Gateway", Text: strings.Repeat(sorry, 2)},
	} {
		if found := look(t, monitoring.Target{Text: true}, "", nil, whole, o); fmt.Sprint(words(found)) != "[new changed]" {
			t.Errorf("%q, %.40q: %v", o.Title, o.Text, words(found))
		}
	}
	part := monitoring.Target{Text: true}
	part.Watch.Parts = []string{".state"}
	if found := look(t, part, "", nil, shown("", "Online"), shown("", "Service unavailable")); fmt.Sprint(words(found)) != "[new changed]" {
		t.Errorf("a part of a page that says so: %v", words(found))
	}
}

// What comes nearly empty is no change unless the next check finds just that.
func TestMonitors_anEmptyRenderIsNoChange(t *testing.T) {
	whole := monitoring.Observation{Status: 200, Text: strings.Repeat(fmt.Sprintf(articles, "so")+"\n\n", 10)}
	short := monitoring.Observation{Status: 200, Text: "The report has moved."}
	found := look(t, monitoring.Target{Text: true}, "", nil, whole, short, whole, monitoring.Observation{Status: 200}, short, short, short)
	if fmt.Sprint(words(found)) != "[new error same error error changed same]" {
		t.Errorf("found %v: %+v", words(found), found)
	}
}

func TestMonitors_aGoalJudgesChanges(t *testing.T) {
	model := llmtest.NewServer(t, llmtest.Func(func(r llmtest.Request) llmtest.Reply {
		text := fmt.Sprint(r.Messages)
		if !strings.Contains(text, "only prices") || !strings.Contains(text, "+It is") {
			t.Errorf("the model sees %s", text)
		}
		return llmtest.Reply{Text: fmt.Sprintf(`{"meaningful":%t,"confidence":"high","reason":"as it is","meaningfulChanges":[]}`, strings.Contains(text, "euros"))}
	})).Model()
	judgment, used, err := judging.Judge(t.Context(), model, "only prices", &monitor.Page{URL: "https://a.example/", Diff: &monitor.Diff{Text: "+It is 20 euros\n"}})
	if err != nil || !judgment.Meaningful || judgment.Reason != "as it is" || used.Tokens() == 0 {
		t.Fatalf("%+v, %+v, %v", judgment, used, err)
	}
	calls := 0
	judge := func(_ context.Context, _, goal string, p *monitor.Page) (*monitor.Judgment, int, error) {
		if calls++; calls == 3 {
			return nil, 0, context.DeadlineExceeded
		}
		return &monitor.Judgment{Meaningful: strings.Contains(p.Diff.Text, "euros"), Reason: goal}, 4, nil
	}
	seen := func(s string) monitoring.Observation {
		return monitoring.Observation{Status: 200, Text: fmt.Sprintf(articles, "so") + "\n\n" + s}
	}
	found := look(t, monitoring.Target{Text: true}, "only prices", judge, seen("It is red."), seen("It is blue."), seen("It is 20 euros."), seen("It is green."))
	if fmt.Sprint(words(found)) != "[new changed changed changed]" || found[1].Notable() || !found[2].Notable() || !found[3].Notable() || found[3].Error == "" {
		t.Errorf("found %+v", found)
	}
}
