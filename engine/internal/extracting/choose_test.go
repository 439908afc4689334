package extracting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

// web is a small web: sites with their pages, and queries with what they find.
type web struct {
	sites map[string][]Link
	finds map[string][]string
	asked []string
}

var errNone = errors.New("there is nothing")

func (w *web) Pages(_ context.Context, site, words string, _ int) ([]Link, error) {
	w.asked = append(w.asked, "map "+site+" for "+words)
	if links, ok := w.sites[site]; ok {
		return links, nil
	}
	return nil, errNone
}

func (w *web) Search(_ context.Context, query string, _ int) ([]string, error) {
	w.asked = append(w.asked, "search "+query)
	if urls, ok := w.finds[query]; ok {
		return urls, nil
	}
	return nil, errNone
}

// answers is a model that knows a question by how its prompt begins.
type answers map[string]string

func (answers) Info() llm.Info { return llm.Info{Context: 16000, Output: 1000} }

func (a answers) Ask(_ context.Context, r llm.Request) (llm.Answer, error) {
	for prompt, text := range a {
		if strings.HasPrefix(r.Messages[0].Text, prompt) {
			return llm.Answer{Text: text, Usage: llm.Usage{Calls: 1}}, nil
		}
	}
	return llm.Answer{Usage: llm.Usage{Calls: 1}}, llm.ErrMalformed
}

func choose(t *testing.T, r Request, w *web, m answers) (Selection, int, error) {
	t.Helper()
	calls := make(chan int, 1000)
	s, err := Choose(t.Context(), r, Means{Web: w, Model: m, Spend: func(u llm.Usage) error { calls <- u.Calls; return nil }})
	close(calls)
	sum := 0
	for n := range calls {
		sum += n
	}
	return s, sum, err
}

// chosen are the pages in short.
func chosen(s Selection) string {
	var list []string
	for _, p := range s.Pages {
		list = append(list, p.From+" "+p.URL)
	}
	return strings.Join(list, ", ")
}

func links(n int) (list []Link) {
	for i := range n {
		list = append(list, Link{URL: fmt.Sprintf("https://a.test/%d", i), Title: fmt.Sprintf("page  %d", i)})
	}
	return list
}

const priceSchema = `{"type":"object","properties":{"price":{"type":"number"},"maker":{"type":"object","properties":{"name":{"type":"string"}}}}}`

func compiled(t testing.TB, schema string) *llm.Schema {
	t.Helper()
	s, err := llm.CompileSchema([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestChoose_givenPagesThenSitesThenTheWeb(t *testing.T) {
	w := &web{
		sites: map[string][]Link{"https://a.test/": links(2)},
		finds: map[string][]string{"lamps": {"https://b.test/1", "https://a.test/0", "no address"}, "price of lamps": {"https://c.test/"}},
	}
	r := Request{URLs: []string{"https://a.test/*", "HTTPS://G.test", "https://g.test/"}, Prompt: "lamps", Schema: compiled(t, priceSchema), Limit: 10, Search: true}
	s, calls, err := choose(t, r, w, answers{queriesPrompt: `{"queries":[" lamps ","lamps","price of\nlamps"]}`})
	want := "given https://g.test/, map https://a.test/0, map https://a.test/1, search https://b.test/1, search https://c.test/"
	if err != nil || chosen(s) != want || calls != 1 || s.Warnings != nil || s.Schema != nil {
		t.Errorf("got %s, %+v, %d calls, %v\nwant %s", chosen(s), s, calls, err, want)
	}
	if want := []string{"map https://a.test/ for lamps maker name price", "search lamps", "search price of lamps"}; !slices.Equal(w.asked, want) {
		t.Errorf("asked %q, want %q", w.asked, want)
	}
}

func TestChoose_aModelChoosesAmongMorePagesThanAreRead(t *testing.T) {
	r := Request{URLs: []string{"https://a.test/*"}, Schema: compiled(t, priceSchema), Limit: 3}
	s, calls, err := choose(t, r, &web{sites: map[string][]Link{"https://a.test/": links(250)}}, answers{pickPrompt: `{"pages":[3,3,0,101,2]}`})
	want := "map https://a.test/2, map https://a.test/1, map https://a.test/102, map https://a.test/101, map https://a.test/202, map https://a.test/201"
	if err != nil || chosen(s) != want || calls != 3 || s.Warnings != nil {
		t.Errorf("got %s, %q, %d calls, %v\nwant %s", chosen(s), s.Warnings, calls, err, want)
	}
	s, _, err = choose(t, r, &web{sites: map[string][]Link{"https://a.test/": links(250)}}, answers{})
	if err != nil || len(s.Pages) != 6 || s.Pages[5].URL != "https://a.test/5" || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "by their words alone") {
		t.Errorf("without an answer: got %+v, %v", s, err)
	}
}

func TestChoose_whatGivesNothingIsAWarningBesideOtherPages(t *testing.T) {
	r := Request{URLs: []string{"https://gone.test/*", "https://a.test/"}, Prompt: "a  lamp", Limit: 5, Search: true}
	s, _, err := choose(t, r, &web{}, answers{})
	if err != nil || chosen(s) != "given https://a.test/" || len(s.Warnings) != 2 || s.Warnings[1] != "the web search gave no pages: there is nothing" {
		t.Errorf("got %+v, %v", s, err)
	}
	r.URLs = r.URLs[:1]
	w := &web{}
	if s, _, err := choose(t, r, w, answers{}); !errors.Is(err, errNone) || !slices.Contains(w.asked, "search a lamp") {
		t.Errorf("alone: got %+v, %v, asked %q", s, err, w.asked)
	}
}

func TestChoose_fixesTheFormOfSeveralPages(t *testing.T) {
	r := Request{URLs: []string{"https://a.test/", "https://b.test/"}, Prompt: "prices", Limit: 5}
	s, calls, err := choose(t, r, &web{}, answers{formPrompt: priceSchema})
	if err != nil || string(s.Schema) != priceSchema || calls != 1 {
		t.Errorf("got %s, %d calls, %v", s.Schema, calls, err)
	}
	s, calls, err = choose(t, r, &web{}, answers{formPrompt: `{"type":"array"}`})
	if err != nil || s.Schema != nil || calls < 2 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "no schema of an object") {
		t.Errorf("an unusable answer: got %+v, %d calls, %v", s, calls, err)
	}
	r.URLs = r.URLs[:1]
	if s, calls, err = choose(t, r, &web{}, answers{formPrompt: priceSchema}); err != nil || s.Schema != nil || calls != 0 {
		t.Errorf("of one page: got %+v, %d calls, %v", s, calls, err)
	}
}

func TestChoose_endsWhenItCannotPayOrIsCancelled(t *testing.T) {
	errSpent := errors.New("spent")
	r := Request{URLs: []string{"https://a.test/", "https://b.test/"}, Prompt: "prices", Limit: 5}
	if _, err := Choose(t.Context(), r, Means{Web: &web{}, Model: answers{formPrompt: priceSchema}, Spend: func(llm.Usage) error { return errSpent }}); !errors.Is(err, errSpent) {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errSpent)
	if _, err := Choose(ctx, r, Means{Web: &web{}, Model: answers{}, Spend: func(llm.Usage) error { return nil }}); !errors.Is(err, errSpent) {
		t.Errorf("cancelled: got %v", err)
	}
}
