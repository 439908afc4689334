package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-go/winnow/llm"
)

// shop has product pages, and others that say nothing of products.
func shop(products int) map[string]string {
	pages := map[string]string{}
	var links []string
	for i := range products {
		path := fmt.Sprintf("/products/%d", i)
		links = append(links, path)
		pages["shop.example"+path] = fmt.Sprintf("<title>Product %d</title><h1>Product %d</h1><p>Item: Lamp %d</p><p>Price: %d EUR</p><p>Seller: Lamps and more</p>", i, i, i, 10+i)
	}
	for _, path := range []string{"/about", "/jobs", "/press"} {
		links = append(links, path)
		pages["shop.example"+path] = "<h1>About us</h1><p>We are glad to be here, and nothing is on sale on this page.</p>"
	}
	pages["shop.example/"] = linksTo(links...)
	pages["shop.example/products/"] = linksTo(links...)
	return pages
}

const lampSchema = `{"type":"object","properties":{
	"seller":{"type":["string","null"]},
	"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"price":{"type":"number"}},"required":["name","price"]}}
},"required":["items"]}`

var (
	fenceText = regexp.MustCompile(`(?s)<untrusted[^>]*>(.*)</untrusted`)
	lampItem  = regexp.MustCompile(`Item: (Lamp \d+)\s+Price: (\d+) EUR`)
	lampLine  = regexp.MustCompile(`(?m)^(\d+)\. \S*/products/`)
)

// How the prompts of an extraction begin, for models to know them by.
const (
	pickPrompt    = "You choose which pages"
	queriesPrompt = "You write queries"
	formPrompt    = "You design the form"
)

// clerk is a model that can read product pages, and nothing else.
func clerk() *replies {
	return &replies{reply: func(_ context.Context, r llm.Request) (string, error) { return clerkSays(r) }}
}

func clerkSays(r llm.Request) (string, error) {
	text := ""
	if m := fenceText.FindStringSubmatch(r.Messages[len(r.Messages)-1].Text); m != nil {
		text = m[1]
	}
	if strings.HasPrefix(r.Messages[0].Text, pickPrompt) {
		var numbers []string
		for _, m := range lampLine.FindAllStringSubmatch(text, -1) {
			numbers = append(numbers, m[1])
		}
		return `{"pages":[` + strings.Join(numbers, ",") + `]}`, nil
	}
	m := lampItem.FindStringSubmatch(text)
	if m == nil {
		return `{"items":[]}`, nil
	}
	data := fmt.Sprintf(`{"seller":"Lamps and more","items":[{"name":%q,"price":%s}]}`, m[1], m[2])
	if !strings.Contains(string(r.Schema), `"evidence"`) {
		return data, nil
	}
	return fmt.Sprintf(`{"data":%s,"evidence":[{"path":"/items/0/name","quote":"Item: %s"},{"path":"/items/0/price","quote":"Price: %s EUR"},{"path":"/seller","quote":"Seller: Lamps and more"}]}`, data, m[1], m[2]), nil
}

type lamps struct {
	Seller string
	Items  []struct {
		Name  string
		Price float64
	}
}

func lampsOf(t *testing.T, job *ExtractJob) lamps {
	t.Helper()
	data, err := job.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var l lamps
	if err := json.Unmarshal(data, &l); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return l
}

func statusOf(t *testing.T, job interface {
	Status(context.Context) (JobStatus, error)
}) JobStatus {
	t.Helper()
	s, err := job.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func lampURLs(n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("https://shop.example/products/%d", i))
	}
	return urls
}

func TestExtract_putsTogetherWhatThePagesSay(t *testing.T) {
	m := clerk()
	e := webEngine(t, shop(3), withModel(m))
	job, err := e.Extract(t.Context(), ExtractOptions{URLs: append(lampURLs(3), "no URL"), Prompt: "all lamps", SystemPrompt: "be brief", Schema: json.RawMessage(lampSchema), Owner: "team"})
	if err != nil {
		t.Fatal(err)
	}
	got := lampsOf(t, job)
	if got.Seller != "Lamps and more" || len(got.Items) != 3 || got.Items[0].Name != "Lamp 0" || got.Items[2].Price != 12 {
		t.Errorf("got %+v", got)
	}
	s := statusOf(t, job)
	if s.State != JobCompleted || s.Completed != 3 || s.CreditsUsed != 15 || s.Usage.Calls != 3 || s.Usage.InputTokens != 300 || s.Kind != KindExtract || s.Warning != "" {
		t.Errorf("%+v", s)
	}
	if u, err := e.Usage(t.Context(), "team"); err != nil || u.Credits != 15 {
		t.Errorf("%+v, %v", u, err)
	}
	if bad, err := job.InvalidURLs(t.Context()); err != nil || !slices.Equal(bad, []string{"no URL"}) {
		t.Errorf("%v, %v", bad, err)
	}
	if got := documentsOf(t, job); !slices.Equal(got, lampURLs(3)) {
		t.Errorf("documents %v", got)
	}
	trace, err := job.URLTrace(t.Context())
	if err != nil || len(trace) != 3 || trace[1] != (URLTrace{URL: lampURLs(3)[1], From: "given", Status: "read"}) {
		t.Errorf("%+v, %v", trace, err)
	}
	if list, _, err := e.Activity(t.Context(), ActivityQuery{Endpoint: "extract"}); err != nil || len(list) != 1 || list[0].ID != job.ID() {
		t.Errorf("%+v, %v", list, err)
	}
	if sources, err := job.Sources(t.Context()); err != nil || sources != nil {
		t.Errorf("%v, %v", sources, err)
	}
}

func TestExtract_aWholeSiteIsMappedAndItsPagesAreChosen(t *testing.T) {
	m := clerk()
	e := webEngine(t, shop(12), withModel(m))
	job, err := e.Extract(t.Context(), ExtractOptions{URLs: []string{"https://shop.example/*"}, Prompt: "all lamps", Schema: json.RawMessage(lampSchema), Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if got := lampsOf(t, job); len(got.Items) != 5 {
		t.Errorf("got %+v", got)
	}
	for _, u := range documentsOf(t, job) {
		if !strings.Contains(u, "/products/") {
			t.Errorf("%s was read", u)
		}
	}
	if s := statusOf(t, job); s.CreditsUsed != 5*5+1 || s.Usage.Calls != 6 {
		t.Errorf("%+v", s)
	}
	// Where all pages fit, no model is called to choose.
	m = clerk()
	e = webEngine(t, shop(3), withModel(m))
	job, err = e.Extract(t.Context(), ExtractOptions{URLs: []string{"https://shop.example/products/*"}, Schema: json.RawMessage(lampSchema)})
	if err != nil {
		t.Fatal(err)
	}
	if got := lampsOf(t, job); len(got.Items) != 3 || m.count() != 4 { // and the list itself
		t.Errorf("got %+v after %d calls", got, m.count())
	}
}

func TestExtract_withoutAChoiceThePagesAreThoseOfTheWords(t *testing.T) {
	m := clerk()
	say := m.reply
	m.reply = func(ctx context.Context, r llm.Request) (string, error) {
		if strings.HasPrefix(r.Messages[0].Text, pickPrompt) {
			return "I'd rather not", nil
		}
		return say(ctx, r)
	}
	e := webEngine(t, shop(12), withModel(m))
	job, err := e.Extract(t.Context(), ExtractOptions{URLs: []string{"https://shop.example/*"}, Prompt: "products", Schema: json.RawMessage(lampSchema), Limit: 4})
	if err != nil {
		t.Fatal(err)
	}
	if got := lampsOf(t, job); len(got.Items) != 4 {
		t.Errorf("got %+v", got)
	}
	if s := statusOf(t, job); !strings.Contains(s.Warning, "without a model") {
		t.Errorf("warning %q", s.Warning)
	}
}

func TestExtract_sourcesOfEachValue(t *testing.T) {
	for _, evidence := range []bool{false, true} {
		e := webEngine(t, shop(2), withModel(clerk()))
		job, err := e.Extract(t.Context(), ExtractOptions{URLs: lampURLs(2), Schema: json.RawMessage(lampSchema), ShowSources: true, Evidence: evidence})
		if err != nil {
			t.Fatal(err)
		}
		sources, err := job.Sources(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := sources["/items/1/price"]; len(got) != 1 || got[0].URL != lampURLs(2)[1] || strings.Contains(got[0].Quote, "11 EUR") != evidence {
			t.Errorf("evidence %v: price from %+v, %s", evidence, got, statusOf(t, job).Warning)
		}
		if got := sources["/seller"]; len(got) != 2 || got[0].URL != lampURLs(2)[0] {
			t.Errorf("evidence %v: seller from %+v", evidence, got)
		}
		if strings.Contains(fmt.Sprint(sources), "\x00") {
			t.Errorf("a tag is left: %q", sources)
		}
	}
}

func TestExtract_pagesThatFailAreWarnings(t *testing.T) {
	pages := shop(1)
	m := clerk()
	e := webEngine(t, pages, withModel(m))
	job, err := e.Extract(t.Context(), ExtractOptions{
		URLs:   []string{"https://shop.example/products/0", "https://shop.example/gone", "https://10.0.0.1/", "https://shop.example/about"},
		Schema: json.RawMessage(lampSchema),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := lampsOf(t, job); len(got.Items) != 1 {
		t.Errorf("got %+v", got)
	}
	s := statusOf(t, job)
	if s.State != JobCompleted || s.Failed != 1 || !strings.Contains(s.Warning, "1 pages could not be read") || !strings.Contains(s.Warning, "gone answered with status 404") {
		t.Errorf("%+v", s)
	}
	trace, err := job.URLTrace(t.Context())
	var states []string
	for _, u := range trace {
		states = append(states, u.Status)
	}
	if want := []string{"read", "empty", "failed", "empty"}; err != nil || !slices.Equal(states, want) || trace[2].Code == "" {
		t.Errorf("%+v, %v", trace, err)
	}
	if m.count() != 2 {
		t.Errorf("%d calls: a page without text, or with an error, was read", m.count())
	}

	job, err = e.Extract(t.Context(), ExtractOptions{URLs: []string{"https://10.0.0.1/"}, Prompt: "all"})
	if err != nil {
		t.Fatal(err)
	}
	if s := statusOf(t, job); s.State != JobFailed || s.Code != CodeBlocked {
		t.Errorf("nothing but failures: %+v", s)
	}
	if _, err := job.Result(t.Context()); CodeOf(err) != CodeBlocked {
		t.Errorf("the result of a failed job: %v", err)
	}
}

func TestExtract_withoutASchemaSeveralPagesHaveOneForm(t *testing.T) {
	m := clerk()
	say := m.reply
	forms := 0
	m.reply = func(ctx context.Context, r llm.Request) (string, error) {
		if !strings.HasPrefix(r.Messages[0].Text, formPrompt) {
			if len(r.Schema) == 0 || !strings.Contains(string(r.Schema), `"items"`) {
				t.Errorf("read by %s", r.Schema)
			}
			return say(ctx, r)
		}
		if forms++; forms == 1 {
			return `{"type":"string"}`, nil
		}
		return lampSchema, nil
	}
	e := webEngine(t, shop(2), withModel(m))
	job, err := e.Extract(t.Context(), ExtractOptions{URLs: lampURLs(2), Prompt: "all lamps"})
	if err != nil {
		t.Fatal(err)
	}
	if got := lampsOf(t, job); len(got.Items) != 2 || forms != 2 {
		t.Errorf("got %+v, %d forms", got, forms)
	}
}

// What single pages lack is no failure, and no null where the schema has none.
func TestExtract_pagesMayLackWhatTheSchemaRequires(t *testing.T) {
	const schema = `{"type":"object","properties":{"seller":{"type":"string"},"lamp":{"type":"string"},"note":{"type":"string"}},"required":["seller","lamp"]}`
	m := &replies{reply: func(_ context.Context, r llm.Request) (string, error) {
		if strings.Contains(r.Messages[1].Text, "Lamp 0") {
			return `{"lamp":"Lamp 0","seller":null,"note":null}`, nil
		}
		return `{"seller":"Lamps and more","note":null}`, nil
	}}
	e := webEngine(t, shop(2), withModel(m))
	job, err := e.Extract(t.Context(), ExtractOptions{URLs: lampURLs(2), Schema: json.RawMessage(schema)})
	if err != nil {
		t.Fatal(err)
	}
	data, err := job.Result(t.Context())
	if s := statusOf(t, job); err != nil || string(data) != `{"lamp":"Lamp 0","seller":"Lamps and more"}` || s.Warning != "" || m.count() != 2 {
		t.Errorf("%s, %v, %q", data, err, s.Warning)
	}
}
